//! The kind of event a slot asks for, where the query leaves it open: read once from its concept, before anything
//! searches or assesses, so that both work on the same query.

use chartproof_evidence::query::{Request, SlotKind};
use chartproof_parse::slot_kind;
use chartproof_terms::expand;

/// Fills open kinds; a concept of no known kind stays open.
pub(crate) fn fill(request: &mut Request) {
    for slot in request.queries.iter_mut().flat_map(|q| &mut q.slots) {
        if slot.kind == SlotKind::Any
            && let Some(kind) = slot.concept.any_of.first().and_then(|t| expand(&t.text).kind)
        {
            slot.kind = slot_kind(kind);
        }
    }
}
