//! The verification query, evidence items, the admissibility contract and the frozen bundle.
//!
//! The bundle is all that the assessor sees. It holds admitted items, the query and what the record covers; it has
//! no field for a score, a rank, a path or a policy.
#![forbid(unsafe_code)]

mod bundle;
pub mod contract;
mod executable;
pub mod fact;
mod item;
mod known;
pub mod query;

pub use bundle::{
    BUNDLE_VERSION, Bundle, BundleError, Coverage, Excluded, ExclusionReason, SlotCoverage, TableCoverage, Truncated,
    canonical,
};
pub use executable::{NotExecutable, executable};
pub use item::{
    BindingRole, Candidate, Context, ContextKind, Copy, EncounterHow, Fact, FactLink, Item, Mention, ScopeStatus,
    SlotBinding, StartBound,
};
pub use known::Known;
