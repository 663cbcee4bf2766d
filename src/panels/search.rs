//! How it searched: not evidence, and shown apart from it.

use chartproof_engine::wire::{Answer, TraceDepth};

use super::fact;
use crate::dom::{El, el, of_class};
use crate::messages as m;
use crate::text::thousands;

/// Paths of one depth that are listed.
const MOST_PATHS: usize = 12;

/// The panel.
pub(super) fn panel(answer: &Answer) -> El {
    let obligations: Vec<El> = answer
        .obligations
        .iter()
        .map(|line| {
            let class = if line.state == "open" { "badge warn" } else { "badge" };
            el("li").add(of_class("span", class).add(m::obligation(&line.state))).add(" ").add(&line.what)
        })
        .collect();
    let depths: Vec<El> = answer.trace.depths.iter().map(depth).collect();
    let policy: Vec<El> = answer.trace.policy.iter().map(|(name, value)| fact(name, value)).collect();
    let (contexts, occurrences) = answer.trace.indexed;
    of_class("details", "card search")
        .add(el("summary").add(of_class("h3", "card-title").add(m::SEARCH_TITLE)))
        .add(of_class("p", "hint").add(m::SEARCH_HINT))
        .add(el("p").add(m::indexed(&thousands(contexts), &thousands(occurrences))))
        .add(titled("h4", m::OBLIGATIONS, "ul", obligations))
        .add(depths)
        .add((!policy.is_empty()).then(|| vec![el("h4").add(m::POLICY), of_class("dl", "facts kinds").add(policy)]))
}

/// A heading and its list; nothing when the list is empty.
fn titled(heading: &str, title: &str, list: &str, lines: Vec<El>) -> Vec<El> {
    if lines.is_empty() {
        return Vec::new();
    }
    vec![el(heading).add(title), of_class(list, "lines").add(lines)]
}

fn depth(depth: &TraceDepth) -> El {
    let steps: Vec<El> = depth.steps.iter().map(|step| el("li").add(step)).collect();
    let retrievals: Vec<El> = depth
        .retrievals
        .iter()
        .map(|(side, words, found)| {
            el("li")
                .add(m::side(side))
                .add(": ")
                .add(of_class("q", "words").add(words))
                .add(" ")
                .add(of_class("span", "hint").add(m::contexts(*found)))
        })
        .collect();
    let paths: Vec<El> =
        depth.paths.iter().take(MOST_PATHS).map(|(_, ids)| of_class("li", "source-key").add(ids.join(" → "))).collect();
    let said = |title: &str, text: &Option<String>| {
        text.as_ref().map(|text| el("p").add(el("strong").add(title)).add(" ").add(text))
    };
    of_class("div", "depth")
        .add(el("h4").add(m::depth(depth.depth)))
        .add(of_class("ol", "lines").add(steps))
        .add(titled("h5", m::RETRIEVALS, "ul", retrievals))
        .add(titled("h5", m::PATHS, "ol", paths))
        .add(said(m::SEARCH_FAILURE, &depth.failure))
        .add(said(m::SEARCH_REPLAN, &depth.replan))
}
