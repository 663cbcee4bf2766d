//! A compact notation of a parse, for tables of questions.

use chartproof_evidence::query::*;

fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

fn span(s: &Span) -> String {
    let unit = match s.unit {
        SpanUnit::Minutes => "min",
        SpanUnit::Hours => "h",
        SpanUnit::Days => "d",
        SpanUnit::Weeks => "w",
        SpanUnit::Months => "mo",
        SpanUnit::Years => "y",
    };
    format!("{}{unit}", s.amount)
}

fn slot(s: &Slot) -> String {
    let mut terms: Vec<String> =
        s.concept.any_of.iter().map(|t| format!("{}{}", if t.class { "*" } else { "" }, t.text)).collect();
    terms.extend(s.concept.except.iter().map(|t| format!("!{}", t.text)));
    let mut out = format!("{}={}:{}", s.id, terms.join("|"), word(&s.kind));
    if s.state == SlotState::Present {
        out += " still";
    }
    if s.basis == Basis::Documented {
        out += " doc";
    }
    if let Some(edge) = &s.edge {
        out += &format!(" .{}", word(edge));
    }
    match &s.selector {
        Selector::Some => {}
        Selector::First => out += " first",
        Selector::Last => out += " last",
        Selector::At { time } => out += &format!(" at {time}"),
        other => out += &format!(" {other:?}"),
    }
    match &s.value {
        None => {}
        Some(ValueCondition::Compare { op, number, unit }) => {
            out += &format!(" {}{number}{}", word(op), unit.as_deref().map(|u| format!(" {u}")).unwrap_or_default());
        }
        Some(ValueCondition::Coded { text }) => out += &format!(" is {text}"),
        Some(ValueCondition::Flag { high }) => out += if *high { " high" } else { " low" },
        Some(ValueCondition::Duration { op, amount }) => out += &format!(" lasts {}{}", word(op), span(amount)),
        Some(ValueCondition::Change { direction, amount, measure, unit, reference, within }) => {
            out += &format!(" change {}", word(direction));
            if let Some(a) = amount {
                out += &format!(" {a}");
            }
            if *measure != Measure::Absolute {
                out += &format!(" {}", word(measure));
            }
            for part in [unit, reference].into_iter().flatten() {
                out += &format!(" {part}");
            }
            if let Some(w) = within {
                out += &format!(" in {}", span(w));
            }
        }
    }
    let q = &s.qualifiers;
    for (lead, part) in [
        ("dose ", &q.dose),
        ("route ", &q.route),
        ("site ", &q.site),
        ("at ", &q.location),
        ("not at ", &q.not_location),
    ] {
        if let Some(part) = part {
            out += &format!(" <{lead}{part}>");
        }
    }
    let f = &s.source;
    for (lead, list) in [
        ("by ", &f.author_roles),
        ("not by ", &f.except_author_roles),
        ("in ", &f.note_types),
        ("not in ", &f.except_note_types),
    ] {
        for part in list {
            out += &format!(" <{lead}{part}>");
        }
    }
    if let Some(d) = &s.distinct_from {
        out += &format!(" !={d}");
    }
    if let Some(d) = &s.same_as {
        out += &format!(" =={d}");
    }
    match s.count {
        Count::Some => {}
        Count::None => out += " none",
        Count::AtLeast { n } => out += &format!(" x{n}"),
    }
    out
}

fn relation(r: &Relation) -> String {
    let mut out = word(&r.kind);
    out = match &r.object {
        Some(object) => format!("{} {out} {object}", r.subject),
        None => format!("{} {out}", r.subject),
    };
    if let Some(w) = &r.window {
        let edge = |s: &Option<Span>| s.as_ref().map(span).unwrap_or_default();
        let (open, close) = (if w.from_exclusive { "(" } else { "[" }, if w.to_exclusive { ")" } else { "]" });
        out += &format!(" {open}{}..{}{close}", edge(&w.from), edge(&w.to));
        if w.counting != Counting::Elapsed {
            out += &format!(" {}", word(&w.counting));
        }
    }
    out
}

fn query(q: &Query) -> String {
    let mut parts: Vec<String> = q.slots.iter().map(slot).collect();
    parts.push(q.relations.iter().map(relation).collect::<Vec<_>>().join(", "));
    let mut scope = word(&q.scope.level);
    if q.scope.assumed {
        scope += "?";
    }
    parts.push(scope);
    if q.quantifier != Quantifier::Some {
        parts.push(format!("{:?}", q.quantifier).to_lowercase());
    }
    let find = if q.want == Want::Find { "find " } else { "" };
    format!("{find}{}", parts.join("; "))
}

/// The whole parse on one line: claims parted by ` && ` (` || ` for readings side by side), then what was not read;
/// `!` marks what blocks.
pub(crate) fn notation(parsed: &Parsed) -> String {
    let mut out = match &parsed.query {
        Some(request) => {
            let join = if request.join == Join::All { " && " } else { " || " };
            request.queries.iter().map(query).collect::<Vec<_>>().join(join)
        }
        None => "refused".to_owned(),
    };
    for u in &parsed.unresolved {
        out += &format!(" {{{}{}}}", if u.blocking { "!" } else { "" }, u.text);
    }
    out
}
