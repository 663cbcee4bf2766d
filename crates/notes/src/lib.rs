//! Clinical text: sentences, mentions, assertion, and order and attribution cues between mentions.
//!
//! Offsets are Unicode code points. Every function takes any text and never panics on it.
#![forbid(unsafe_code)]

mod assertion;
mod forms;
mod given;
mod lexicon;
mod mentions;
mod relations;
mod sections;
mod sentences;
mod text;

pub use assertion::{Asserter, Assertion, Certainty, CueAsserter, Experiencer, Polarity, Temporality, Trigger};
pub use given::{GivenCue, given_cue};
pub use lexicon::LEXICON_VERSION;
pub use mentions::find_mentions;
pub use relations::{Cue, RelationCue, relation_cues};
pub use sentences::{Sentence, sentences};
