//! The dual-axis assessor: a frozen bundle to an assessment (Eq. 6-8). It can name no type of the search.
#![forbid(unsafe_code)]

mod assessment;

pub use assessment::{
    Assessment, Axes, ChainEvent, Components, EventLine, EvidenceLine, Failure, Polarity, Reason, Stated, TimeVerdict,
    Transition, TupleAssessment, Verdict,
};
