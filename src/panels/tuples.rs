//! By encounter: every candidate filling of the question, each with its own verdict and axes.

use chartproof_assess::{Reason, TupleAssessment};
use chartproof_engine::wire::Answer;

use super::answer::Place;
use super::verdict::{class, reasons};
use crate::dom::{El, el, of_class};
use crate::text::two_places;
use crate::{icons, messages as m};

/// Candidates that are listed before the rest is only counted.
const MOST: usize = 60;

/// The panel; nothing when the answer rests on the only one there is.
pub(super) fn panel(answer: &Answer, place: &Place, n: usize) -> Option<El> {
    if answer.tuples.len() < 2 {
        return None;
    }
    let rows: Vec<El> = answer
        .tuples
        .iter()
        .take(MOST)
        .enumerate()
        .map(|(i, tuple)| el("li").add(tuple_view(answer, place, n, i, tuple)))
        .collect();
    let more = answer.tuples.len().saturating_sub(MOST);
    Some(
        of_class("div", "card tuples")
            .add(of_class("h3", "card-title").add(m::tuples(answer.tuples.len())))
            .add(of_class("ol", "plain").add(rows))
            .add((more > 0).then(|| of_class("p", "hint").add(m::and_more(more)))),
    )
}

fn tuple_view(answer: &Answer, place: &Place, n: usize, i: usize, tuple: &TupleAssessment) -> El {
    let list: Vec<&Reason> = tuple.reasons.iter().chain(tuple.transitions.iter().flat_map(|t| &t.reasons)).collect();
    let axes = [m::FOR, " ", &two_places(tuple.axes.support), " · ", m::AGAINST, " ", &two_places(tuple.axes.refute)];
    let summary = el("summary")
        .add(
            of_class("span", &["tuple-verdict ", class(tuple.verdict)].concat())
                .add(icons::verdict(tuple.verdict))
                .add(" ")
                .add(m::verdict(tuple.verdict)),
        )
        .add(of_class("span", "tuple-where").add(tuple.encounter.as_deref().unwrap_or(m::SEVERAL_OR_UNKNOWN)))
        .add(of_class("span", "tuple-axes").add(axes.concat()))
        .add((i == 0).then(|| of_class("span", "badge").add(m::DECIDES)));
    let mut says = vec![m::scope(tuple.scope), m::time_verdict(tuple.v_tim)];
    says.extend(tuple.failure.map(m::failure));
    of_class("details", "tuple")
        .add(summary)
        .add(of_class("p", "hint").add(says.join(" · ")))
        .add(reasons(answer, place, n, &list))
}
