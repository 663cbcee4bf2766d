//! The verdict card: the word, the statement, both axes, documented and occurred, why, and what would settle it.

use chartproof_assess::{Polarity, Reason, Stated, Verdict};
use chartproof_engine::wire::Answer;

use super::answer::{Place, references};
use super::{details, fact};
use crate::dom::{El, el, of_class};
use crate::state::Room;
use crate::text::{percent, two_places};
use crate::{icons, messages as m};

/// Class of a verdict.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "supported",
        Verdict::Conflicting => "conflicting",
        Verdict::Refuted => "refuted",
        Verdict::Insufficient => "insufficient",
    }
}

/// Id of the heading of an answer.
pub(super) fn title_id(n: usize) -> String {
    ["cp-verdict-", &n.to_string()].concat()
}

/// The card.
pub(super) fn card(room: Room, place: &Place, n: usize, answer: &Answer) -> El {
    of_class("div", &["card verdict ", class(answer.verdict)].concat())
        .add(top(n, answer))
        .add(failure(answer))
        .add(answer.truncated.as_ref().map(|cut| warning_line(&m::truncated(&cut.what, cut.limit, cut.seen))))
        .add(answer.evidence.is_empty().then(|| warning_line(m::NO_EVIDENCE)))
        .add(event_lines(answer, place, n))
        .add(why(answer, place, n))
        .add(settle(answer))
        .add(found(answer))
        .add(parts(answer))
        .add(foot(room, answer))
}

fn top(n: usize, answer: &Answer) -> El {
    of_class("div", "verdict-top")
        .add(
            of_class("div", "verdict-says")
                .add(
                    of_class("h2", "verdict-word")
                        .attr("id", &title_id(n))
                        .add(icons::verdict(answer.verdict))
                        .add(el("span").add(m::verdict(answer.verdict))),
                )
                .add(of_class("p", "statement").add(&answer.statement))
                .add(of_class("p", "hint").add(m::verdict_means(answer.verdict))),
        )
        .add(
            of_class("div", "axes")
                .add(meter(m::AXIS_SUPPORT, "axis for", answer.axes.support, answer.thresholds.support))
                .add(meter(m::AXIS_REFUTE, "axis against", answer.axes.refute, answer.thresholds.refute))
                .add(of_class("p", "hint").add(m::AXES_NOTE)),
        )
}

fn warning_line(text: &str) -> El {
    of_class("p", "notice-line").add(icons::warning()).add(el("span").add(text))
}

/// One axis as a bar of its own.
fn meter(label: &str, class: &str, value: f64, threshold: f64) -> El {
    let reached = value >= threshold && threshold > 0.0;
    let words = if reached { m::REACHED } else { m::NOT_REACHED };
    let (shown, limit) = (two_places(value), two_places(threshold));
    of_class("div", &if reached { [class, " reached"].concat() } else { class.to_owned() })
        .add(
            of_class("div", "axis-head")
                .add(of_class("span", "axis-name").add(label))
                .add(of_class("span", "axis-value").add(&shown)),
        )
        .add(
            of_class("div", "axis-track")
                .attr("role", "meter")
                .attr("aria-label", label)
                .attr("aria-valuemin", "0")
                .attr("aria-valuemax", "1")
                .attr("aria-valuenow", &shown)
                .attr("aria-valuetext", &m::axis_says(&shown, &limit, words))
                .add(of_class("div", "axis-fill").var("--v", &percent(value * 100.0)))
                .add(of_class("div", "axis-threshold").var("--t", &percent(threshold * 100.0))),
        )
        .add(of_class("p", "axis-foot").add(m::threshold_says(&limit, words)))
}

fn block(title: &str) -> El {
    of_class("div", "block").add(el("h3").add(title))
}

fn failure(answer: &Answer) -> Option<El> {
    if answer.failure.is_none() && answer.failure_text.is_none() {
        return None;
    }
    let title = answer.failure.map_or(m::WHAT_IS_MISSING, m::failure);
    Some(
        of_class("div", "block failure")
            .add(el("h3").add(title))
            .add(answer.failure_text.as_ref().map(|text| el("p").add(text))),
    )
}

fn stated(stated: Stated) -> El {
    let class = match stated {
        Stated::Yes => "stated yes",
        Stated::No => "stated no",
        Stated::NotStated | Stated::NotAssessable => "stated unsaid",
    };
    of_class("span", class).add(m::stated(stated))
}

fn event_lines(answer: &Answer, place: &Place, n: usize) -> Option<El> {
    if answer.events.is_empty() {
        return None;
    }
    let line = |label: &str, word: Stated, text: &String, items: &[String]| {
        let said = el("dd").add(stated(word)).add(" ").add(text).add(" ").add(references(answer, place, n, items));
        (el("dt").add(label), said)
    };
    let mut out = block(m::DOCUMENTED_OCCURRED);
    for event in &answer.events {
        let (documented, by) = line(m::DOCUMENTED, event.documented, &event.documented_text, &event.documented_items);
        let (occurred, how) = line(m::OCCURRED, event.occurred, &event.occurred_text, &event.occurred_items);
        out = out.add(
            of_class("div", "event-line")
                .add(el("h4").add(&event.label))
                .add(el("dl").add(documented).add(by).add(occurred).add(how)),
        );
    }
    Some(out)
}

/// Reasons as a list, each with the rows it rests on.
pub(super) fn reasons(answer: &Answer, place: &Place, n: usize, list: &[&Reason]) -> El {
    let mut out = of_class("ul", "plain reasons");
    for reason in list {
        let class = match reason.polarity {
            Polarity::Supports => "reason for",
            Polarity::Refutes => "reason against",
            Polarity::Neutral => "reason",
        };
        let trigger = reason
            .trigger
            .as_ref()
            .map(|t| of_class("span", "trigger").add(" ").add(m::DECIDED_BY).add(" ").add(el("q").add(t)));
        out = out.add(
            of_class("li", class)
                .add(
                    of_class("span", "polarity")
                        .add(icons::polarity(reason.polarity))
                        .add(m::polarity(reason.polarity)),
                )
                .add(of_class("span", "reason-text").add(&reason.text).add(trigger).add(" ").add(references(
                    answer,
                    place,
                    n,
                    &reason.items,
                ))),
        );
    }
    out
}

fn why(answer: &Answer, place: &Place, n: usize) -> Option<El> {
    let deciding = answer.tuples.first()?;
    let mut list: Vec<&Reason> = Vec::new();
    for reason in deciding.reasons.iter().chain(deciding.transitions.iter().flat_map(|t| &t.reasons)) {
        if !list.iter().any(|other| other.code == reason.code && other.text == reason.text) {
            list.push(reason);
        }
    }
    (!list.is_empty()).then(|| block(m::WHY).add(reasons(answer, place, n, &list)))
}

fn settle(answer: &Answer) -> Option<El> {
    let lines: Vec<El> = answer.settle.iter().map(|line| el("li").add(line)).collect();
    (!lines.is_empty()).then(|| block(m::SETTLE).add(of_class("ul", "lines").add(lines)))
}

fn found(answer: &Answer) -> Option<El> {
    let lines: Vec<El> = answer
        .found
        .iter()
        .map(|line| {
            el("li")
                .add(el("strong").add(&line.label))
                .add(": ")
                .add(&line.text)
                .add(" ")
                .add(of_class("span", "hint").add(m::matched(line.matched, line.admitted)))
        })
        .collect();
    (!lines.is_empty()).then(|| block(m::FOUND).add(of_class("ul", "lines").add(lines)))
}

/// What the axes are made of.
fn parts(answer: &Answer) -> El {
    let part =
        |label: &str, value: Option<f64>| fact(label, &value.map_or_else(|| m::DOES_NOT_APPLY.to_owned(), two_places));
    let c = &answer.components;
    details(m::PARTS).add(
        of_class("dl", "facts kinds")
            .add(part(m::PART_TIME, c.tim))
            .add(part(m::PART_NUMBER, c.num))
            .add(part(m::PART_FOR, Some(c.jdg_support)))
            .add(part(m::PART_AGAINST, Some(c.jdg_refute)))
            .add(fact(m::PART_ORDER, m::time_verdict(answer.v_tim))),
    )
}

fn foot(room: Room, answer: &Answer) -> El {
    let digest = answer.bundle_digest.clone();
    let short: String = digest.chars().take(16).collect();
    let assessor: String = answer.assessor.chars().take(48).collect();
    of_class("footer", "verdict-foot")
        .add(of_class("button", "secondary").on("click", move |_| room.export(&digest)).add(m::EXPORT_BUNDLE))
        .add(
            of_class("p", "hint")
                .add(m::REPLAY_NOTE)
                .add(" ")
                .add(of_class("code", "digest").attr("title", &answer.bundle_digest).add(short))
                .add(" ")
                .add(m::ASSESSOR)
                .add(" ")
                .add(of_class("code", "digest").add(assessor)),
        )
}
