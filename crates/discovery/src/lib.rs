//! Discovery: policy, obligations, anchors, expansion, two-sided retrieval, priority, replanning (Algorithm 1 up to
//! the contract). Everything here may steer what is found; nothing of it reaches the bundle.
#![forbid(unsafe_code)]

mod anchors;
mod bind;
mod context;
mod diffusion;
mod lexical;
mod obligations;
mod policy;
mod priority;
mod search;

pub use anchors::SlotMatches;
pub use context::{Builder, Context, ContextStore, Sentence, TextReader};
pub use lexical::Bm25;
pub use obligations::{Obligation, Owed, Side, State};
pub use policy::{Policy, RetrievalFailure};
pub use priority::{Signals, priority};
pub use search::{Depth, Feedback, Search, View};
