//! Reads the tokens of a question from left to right into clauses of slots and links.

use chartproof_evidence::query::{
    Assumption, Basis, Count, Counting, Direction, Edge, Measure, Op, RelationKind, Selector, SlotKind, SourceFilter, Span,
    SpanUnit, Term, Unresolved, ValueCondition, Want, Window,
};
use chartproof_terms::{Entry, TermKind, lookup, near_word, units};

use crate::lexicon::{self, Cue, NOT_NOUN, NOT_SLIPS};
use crate::token::{Kind, Token, tokens};

/// A slot under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) terms: Vec<Term>,
    pub(crate) except: Vec<Term>,
    pub(crate) kind: Option<TermKind>,
    pub(crate) slot_kind: SlotKind,
    /// An encounter or its edge, not a concept of the table.
    pub(crate) encounter: bool,
    pub(crate) basis: Basis,
    pub(crate) edge: Option<Edge>,
    pub(crate) selector: Selector,
    pub(crate) value: Option<ValueCondition>,
    pub(crate) qualifiers: chartproof_evidence::query::Qualifiers,
    pub(crate) source: SourceFilter,
    pub(crate) distinct_from: Option<usize>,
    pub(crate) same_as: Option<usize>,
    pub(crate) count: Count,
    pub(crate) trend: Option<Direction>,
    pub(crate) course: Option<RelationKind>,
    pub(crate) verb: Option<Cue>,
    pub(crate) historical: bool,
    pub(crate) typed: String,
}

/// A relation between two slots of a clause.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) kind: RelationKind,
    pub(crate) subject: usize,
    pub(crate) object: usize,
    pub(crate) window: Option<Window>,
}

/// A claim under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clause {
    pub(crate) slots: Vec<Draft>,
    pub(crate) links: Vec<Link>,
    /// Other events in the place of a slot, each a claim of its own.
    pub(crate) others: Vec<(usize, Draft)>,
    /// Other causes in the place of an object: readings side by side.
    pub(crate) readings: Vec<(usize, Draft)>,
    /// Also the reading with before and after exchanged.
    pub(crate) both_orders: bool,
    pub(crate) find: bool,
    /// The reason for the slot is asked for.
    pub(crate) why: bool,
    pub(crate) scope: Option<Cue>,
    pub(crate) every: bool,
    pub(crate) any: bool,
    pub(crate) again: bool,
    /// A clinical frame, so that an unknown phrase may be an event.
    pub(crate) framed: bool,
    /// Assumptions: slot index (or none for the claim), field below it, text.
    pub(crate) notes: Vec<(Option<usize>, &'static str, String)>,
}

impl Clause {
    fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

/// What becomes of a token.
#[derive(Clone, Debug, PartialEq)]
enum Fate {
    Open,
    Used,
    Left { why: &'static str, blocking: bool },
}

#[derive(Clone, Debug)]
struct Pending {
    kind: RelationKind,
    window: Option<Window>,
    /// The next event is the subject.
    swap: bool,
    /// The next event becomes the head (a chain).
    chain: bool,
    at: Vec<usize>,
}

/// What was read.
pub(crate) struct Reading {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) unresolved: Vec<Unresolved>,
    pub(crate) assumptions: Vec<Assumption>,
}

const NOT_READ: &str = "not understood";
const NARROWS: &str = "would narrow the question and is not read by this grammar";
const DATE: &str = "dates and limits in calendar time are not read by this grammar";
const NO_RELATION: &str = "how it relates to the rest is not said in a way this grammar reads";
const FOREIGN: &str = "not part of a question about the record";
const MISFIT: &str = "does not fit the event beside it";
const MAX_SLOTS: usize = 8;

pub(crate) fn read(question: &str) -> Reading {
    let mut reader = Reader::new(question);
    reader.foreign();
    reader.run();
    reader.finish()
}

struct Reader {
    tokens: Vec<Token>,
    chars: Vec<char>,
    fate: Vec<Fate>,
    at: usize,
    clauses: Vec<Clause>,
    clause: Clause,
    head: Option<usize>,
    pending: Option<Pending>,
    /// A relation before its clause ("After X, was Y ..."), with the slot it names.
    front: Option<(Pending, Option<usize>)>,
    window: Option<(Window, Vec<usize>)>,
    verb: Option<(Cue, usize)>,
    no: Option<usize>,
    direction: Option<(Direction, usize)>,
    flag: Option<(ValueCondition, usize)>,
    selector: Option<(Selector, usize)>,
    count: Option<(u32, usize)>,
    route: Option<(String, usize)>,
    dose: Option<(String, Vec<usize>)>,
    historical: bool,
    coordinate: Option<(Cue, usize)>,
    trend_open: Option<usize>,
    assumptions: Vec<Assumption>,
}

impl Reader {
    fn new(question: &str) -> Self {
        let tokens = tokens(question);
        let mut reader = Self {
            fate: vec![Fate::Open; tokens.len()],
            tokens,
            chars: question.chars().collect(),
            at: 0,
            clauses: Vec::new(),
            clause: Clause::default(),
            head: None,
            pending: None,
            front: None,
            window: None,
            verb: None,
            no: None,
            direction: None,
            flag: None,
            selector: None,
            count: None,
            route: None,
            dose: None,
            historical: false,
            coordinate: None,
            trend_open: None,
            assumptions: Vec::new(),
        };
        reader.slips();
        reader.placeholder();
        reader
    }

    /// Reads slips of the pen as the word they are one letter away from.
    fn slips(&mut self) {
        for i in 0..self.tokens.len() {
            let token = &self.tokens[i];
            if token.kind != Kind::Word
                || token.low.chars().count() < 6
                || NOT_SLIPS.split(' ').any(|w| w == token.low)
                || chartproof_terms::is_word_of_table(&chartproof_terms::normalise(&token.low))
                || lookup(&token.raw).is_some()
                || NOT_NOUN.split(' ').any(|w| w == token.low)
                || lexicon::is_word(&token.low)
            {
                continue;
            }
            // A capital inside a sentence marks a name, which is never corrected into something else.
            let name = i > 0 && token.raw.starts_with(char::is_uppercase) && token.raw.chars().skip(1).any(char::is_lowercase);
            let near = match (near_word(&token.low), lexicon::near(&token.low)) {
                (Some(a), None) => a,
                (None, Some(b)) => b,
                (Some(a), Some(b)) if a == b => a,
                _ => continue,
            };
            if name && lookup(near).is_none() {
                continue;
            }
            let text = format!("read '{}' as {near}", token.raw);
            self.assumptions.push(Assumption { field: "question".into(), text });
            self.tokens[i].low = near.to_owned();
            self.tokens[i].corrected = true;
        }
    }

    /// "med stopped ... - levofloxacin", "same drug given again (cefazolin)": the name stands at the end.
    fn placeholder(&mut self) {
        let Some(place) = (0..self.tokens.len())
            .find(|i| matches!(self.tokens[*i].low.as_str(), "drug" | "med" | "medication" | "meds" | "medicine"))
        else {
            return;
        };
        let mut end = self.tokens.len();
        while end > 0 && matches!(self.tokens[end - 1].mark(), Some(')' | '?' | '.' | '!')) {
            end -= 1;
        }
        for len in (1..=3).rev() {
            let Some(from) = end.checked_sub(len).filter(|f| *f > place + 1) else { continue };
            if !matches!(self.tokens[from - 1].mark(), Some('(' | '-' | ':' | '\u{2013}' | '\u{2014}')) {
                continue;
            }
            let name = self.slice(from, end);
            if lookup(&name).is_some_and(|e| matches!(e.kind, TermKind::Drug | TermKind::DrugClass)) {
                let lead = place > 0 && matches!(self.tokens[place - 1].low.as_str(), "same" | "the" | "this" | "that");
                let first = if lead { place - 1 } else { place };
                let text = format!("'{}' is read as {name}", self.slice(first, place + 1));
                self.assumptions.push(Assumption { field: "question".into(), text });
                let moved: Vec<Token> = self.tokens.drain(from..end).collect();
                let rest = self.tokens.split_off(place + 1);
                self.tokens.extend(moved);
                self.tokens.extend(rest);
                for fate in &mut self.fate[first..=place] {
                    *fate = Fate::Used;
                }
                return;
            }
        }
    }

    /// Sets aside text that is addressed to a machine.
    fn foreign(&mut self) {
        const STARTS: [&str; 14] = [
            "drop table", "drop database", "delete from", "insert into", "union select", "select from", "ignore previous",
            "ignore all", "ignore the", "disregard previous", "disregard all", "system prompt", "script", "truncate table",
        ];
        let mut i = 0;
        while i < self.tokens.len() {
            let select = self.tokens[i].is("select") && self.tokens.get(i + 1).and_then(Token::mark) == Some('*');
            let script = self.tokens[i].is("script") && i > 0 && self.tokens[i - 1].kind == Kind::Op(Op::Lt);
            let starts = STARTS
                .iter()
                .any(|s| *s != "script" && lexicon::matches(&self.tokens, i, s).is_some());
            if !(select || script || starts) {
                i += 1;
                continue;
            }
            let symbol = |t: &Token| !matches!(t.kind, Kind::Word | Kind::Number(_) | Kind::Date | Kind::Clock(_));
            let mut from = i;
            while from > 0 && symbol(&self.tokens[from - 1]) && !matches!(self.tokens[from - 1].mark(), Some('?' | '.')) {
                from -= 1;
            }
            let mut to = i;
            while to < self.tokens.len() && !matches!(self.tokens[to].mark(), Some(';' | '?' | '.' | '!' | '-')) {
                to += 1;
            }
            while to < self.tokens.len() && symbol(&self.tokens[to]) {
                to += 1;
            }
            for fate in &mut self.fate[from..to] {
                *fate = Fate::Left { why: FOREIGN, blocking: false };
            }
            i = to.max(i + 1);
        }
    }

    fn take(&mut self, count: usize) {
        for _ in 0..count {
            if let Some(fate) = self.fate.get_mut(self.at)
                && *fate == Fate::Open
            {
                *fate = Fate::Used;
            }
            self.at += 1;
        }
    }

    fn leave(&mut self, count: usize, why: &'static str) {
        for _ in 0..count {
            if let Some(fate) = self.fate.get_mut(self.at) {
                *fate = Fate::Left { why, blocking: true };
            }
            self.at += 1;
        }
    }

    fn leave_at(&mut self, at: &[usize], why: &'static str) {
        for i in at {
            if let Some(fate) = self.fate.get_mut(*i) {
                *fate = Fate::Left { why, blocking: true };
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead).filter(|_| self.fate.get(self.at + ahead) == Some(&Fate::Open))
    }

    fn cue(&self, ahead: usize) -> Option<(Cue, usize)> {
        self.peek(ahead)?;
        lexicon::cue(&self.tokens, self.at + ahead)
    }

    /// The longest entry of the table at a token.
    fn concept(&self, ahead: usize) -> Option<(&'static Entry, usize)> {
        let from = self.at + ahead;
        let mut best = None;
        let mut phrase = String::new();
        for len in 1..=7 {
            let Some(token) = self.tokens.get(from + len - 1) else { break };
            if self.fate[from + len - 1] != Fate::Open {
                break;
            }
            match &token.kind {
                Kind::Word | Kind::Number(_) => {
                    if !phrase.is_empty() {
                        phrase.push(' ');
                    }
                    phrase.push_str(if token.corrected { &token.low } else { &token.raw });
                }
                // "C. diff", "K+", "pip/tazo".
                Kind::Mark('.' | '/') if len > 1 => continue,
                Kind::Mark('+') if len == 2 && matches!(self.tokens[from].low.as_str(), "k" | "na") => {
                    best = lookup(&phrase).map(|e| (e, len));
                    continue;
                }
                _ => break,
            }
            if self.tokens[from].kind == Kind::Word
                && let Some(entry) = lookup(&phrase)
            {
                best = Some((entry, len));
            }
        }
        best
    }

    fn last(&mut self) -> Option<&mut Draft> {
        self.clause.slots.last_mut()
    }

    fn last_ix(&self) -> Option<usize> {
        self.clause.slots.len().checked_sub(1)
    }

    /// Whether the last slot is a measurement, so that a rise, a fall or a number belongs to it.
    fn measurable(&self) -> bool {
        self.clause.slots.last().is_some_and(|s| measures(s.kind)) && self.pending.is_none()
    }

    fn run(&mut self) {
        let mut guard = 0usize;
        while self.at < self.tokens.len() {
            guard += 1;
            if guard > 4 * self.tokens.len() + 16 {
                break;
            }
            if self.fate[self.at] != Fate::Open {
                self.at += 1;
                continue;
            }
            self.step();
        }
        self.close();
    }

    fn step(&mut self) {
        let token = self.tokens[self.at].clone();
        match &token.kind {
            Kind::Mark('&' | '+') => {
                let at = vec![self.at];
                return self.conjunction(Cue::And, 1, at);
            }
            Kind::Mark(c) => return self.mark(*c),
            Kind::Op(op) => return self.comparison(*op, 1, true),
            Kind::Number(_) => return self.number(),
            Kind::Date => return self.leave(1, DATE),
            Kind::Clock(_) => return self.clock(),
            Kind::Word | Kind::Arrow => {}
        }
        let concept = self.concept(0);
        let cue = self.cue(0);
        let wins = match (concept, cue) {
            (Some((entry, c)), Some((cue, l))) => c > l || (c == l && !self.cue_over_concept(entry, cue)),
            (Some(_), None) => true,
            _ => false,
        };
        if wins {
            if let Some((entry, len)) = concept {
                self.event(entry, len);
            }
        } else if let Some((cue, len)) = cue {
            self.act(cue, len);
        } else {
            self.unknown();
        }
    }

    fn cue_over_concept(&self, entry: &Entry, cue: Cue) -> bool {
        match cue {
            // "the fall" is an event, "creatinine fall" is a trend.
            Cue::Fall => entry.canonical == "fall" && self.measurable() && !self.article_before(),
            _ => true,
        }
    }

    fn article_before(&self) -> bool {
        self.at > 0 && matches!(self.tokens[self.at - 1].low.as_str(), "a" | "the" | "an" | "her" | "his" | "their")
    }

    fn mark(&mut self, c: char) {
        match c {
            '?' | '!' | ';' => {
                self.take(1);
                self.close();
            }
            '.' => {
                let ends = self.at + 1 == self.tokens.len() || !self.tokens[self.at + 1].glued;
                let abbreviation = self.at > 0 && self.tokens[self.at - 1].low.chars().count() <= 2;
                self.take(1);
                if ends && !abbreviation {
                    self.close();
                }
            }
            ',' => {
                self.take(1);
                if self.cue(0).is_some_and(|(c, l)| c == Cue::Aux && self.at + l < self.tokens.len())
                    && !self.clause.is_empty()
                    && self.front.is_none()
                {
                    self.close();
                }
            }
            '/' if self.clause.slots.last().is_some() && self.concept(1).is_some() && self.pending.is_none() => {
                self.coordinate = Some((Cue::Or, self.at));
                self.take(1);
            }
            '/' | '%' | '~' | '±' | '*' | '^' | '#' | '$' | '@' | '\\' => self.leave(1, NOT_READ),
            _ => self.take(1),
        }
    }

    // ---- events

    fn event(&mut self, entry: &'static Entry, len: usize) {
        let from = self.at;
        let typed = self.slice(from, from + len);
        let after = self.cue(len);
        // The head of a longer name that the table does not hold: "sepsis alert" is not sepsis.
        let noun_follows = self.peek(len).is_some_and(|t| {
            t.kind == Kind::Word && after.is_none() && self.concept(len).is_none() && self.nounish(from + len) && !verbish(&t.low)
        });
        if noun_follows {
            match entry.kind {
                TermKind::Condition | TermKind::Finding | TermKind::Procedure | TermKind::Device | TermKind::Culture => {
                    let mut total = len;
                    while total < len + 3 && self.peek(total).is_some() && self.nounish(from + total) && self.cue(total).is_none() {
                        total += 1;
                    }
                    let text = self.slice(from, from + total);
                    return self.free_text(text, total);
                }
                _ => {}
            }
        }
        let mut entry = entry;
        let mut total = len;
        // "digoxin level"
        if matches!(entry.kind, TermKind::Drug)
            && let Some((Cue::Level, more)) = after
        {
            total += more;
            if let Some(level) = lookup(&format!("{} level", entry.canonical)) {
                entry = level;
            } else {
                let draft = Draft {
                    terms: vec![Term { text: format!("{} level", entry.canonical), ..Term::default() }],
                    kind: Some(TermKind::Lab),
                    typed: self.slice(from, from + total),
                    ..Draft::default()
                };
                return self.add(draft, total);
            }
        }
        let draft = Draft {
            terms: vec![Term {
                text: entry.canonical.to_owned(),
                class: entry.kind == TermKind::DrugClass,
                codes: Vec::new(),
            }],
            kind: Some(entry.kind),
            typed,
            ..Draft::default()
        };
        self.add(draft, total);
    }

    fn slice(&self, from: usize, to: usize) -> String {
        match (self.tokens.get(from), self.tokens.get(to.wrapping_sub(1))) {
            (Some(a), Some(b)) => self.chars[a.start..b.end].iter().collect(),
            _ => String::new(),
        }
    }

    /// Whether a token may be part of the name of an event.
    fn nounish(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| {
            t.kind == Kind::Word
                && self.fate[at] == Fate::Open
                && t.low.chars().any(char::is_alphabetic)
                && t.low.chars().count() >= 2
                && !NOT_NOUN.split(' ').any(|w| w == t.low)
        })
    }

    /// Words that neither the table nor the grammar knows.
    fn unknown(&mut self) {
        let from = self.at;
        if self.tokens[from].is("to") && self.front.as_ref().is_some_and(|f| f.1.is_some()) {
            return self.take(1);
        }
        if self.tokens[from].is("at") && self.time_of_day() {
            return;
        }
        let mut len = 0;
        while len < 6
            && self.peek(len).is_some_and(|t| t.kind == Kind::Word)
            && self.nounish(from + len)
            && self.cue(len).is_none()
            && self.concept(len).is_none()
        {
            len += 1;
        }
        if len == 0 {
            return self.leave(1, NOT_READ);
        }
        // Before a concept the words belong to its name.
        if let Some((entry, more)) = self.concept(len)
            && self.cue(len).is_none_or(|(_, l)| l < more)
        {
            return match entry.kind {
                TermKind::Condition | TermKind::Finding | TermKind::Procedure | TermKind::Device
                    if self.expects_event() && !self.names(from, from + len) =>
                {
                    let text = self.slice(from, from + len + more);
                    self.free_text(text, len + more)
                }
                _ => self.leave(len, NOT_READ),
            };
        }
        let long = (from..from + len).any(|i| self.tokens[i].low.chars().count() >= 3);
        if self.expects_event() && long && !self.names(from, from + len) {
            let text = self.slice(from, from + len);
            self.free_text(text, len);
        } else {
            self.leave(len, NOT_READ);
        }
    }

    /// Two words with capitals look like a person.
    fn names(&self, from: usize, to: usize) -> bool {
        let capital = |t: &Token| {
            t.raw.starts_with(char::is_uppercase) && t.raw.chars().skip(1).any(char::is_lowercase) && t.start > 0
        };
        let first = |t: &Token| t.raw.starts_with(char::is_uppercase) && t.raw.chars().skip(1).any(char::is_lowercase);
        (from..to).any(|i| capital(&self.tokens[i])) || (to - from >= 2 && (from..to).all(|i| first(&self.tokens[i])))
    }

    fn expects_event(&self) -> bool {
        self.clause.slots.is_empty()
            || self.pending.is_some()
            || self.front.as_ref().is_some_and(|f| f.1.is_some())
            || self.coordinate.is_some()
    }

    fn free_text(&mut self, text: String, len: usize) {
        let draft = Draft {
            terms: vec![Term { text: text.clone(), ..Term::default() }],
            typed: text,
            ..Draft::default()
        };
        self.add(draft, len);
    }

    /// Puts a slot where the clause expects one.
    fn add(&mut self, mut draft: Draft, len: usize) {
        let from = self.at;
        self.take(len);
        let mine: Vec<usize> = (from..from + len).collect();
        self.dress(&mut draft);
        let ix = self.clause.slots.len();
        if ix >= MAX_SLOTS {
            return self.leave_at(&mine, "more events than one question may hold");
        }
        if let Some((n, _)) = self.count.take() {
            draft.count = Count::AtLeast { n };
        }
        if let Some(pending) = self.pending.take() {
            self.coordinate = None;
            let Some(head) = self.head else {
                // A relation before its clause.
                self.clause.slots.push(draft);
                self.head = Some(ix);
                self.front = Some((pending, Some(ix)));
                return;
            };
            self.repeat_of(&mut draft);
            self.clause.slots.push(draft);
            self.link(pending, head, ix);
            return;
        }
        if let Some((pending, None)) = &self.front {
            // "from X to Y": X stands first.
            self.front = Some((pending.clone(), Some(ix)));
            self.clause.slots.push(draft);
            self.head = Some(ix);
            return;
        }
        if let Some((pending, Some(object))) = self.front.take() {
            self.repeat_of(&mut draft);
            self.clause.slots.push(draft);
            self.link(pending, ix, object);
            self.head = Some(ix);
            return;
        }
        if let Some((cue, at)) = self.coordinate.take()
            && ix > 0
        {
            let slash = self.tokens[at].mark() == Some('/');
            return self.coordinated(cue, slash, draft, &mine);
        }
        if ix == 0 {
            self.clause.slots.push(draft);
            self.head = Some(0);
            return;
        }
        self.leave_at(&mine, NO_RELATION);
    }

    /// Moves what was said before the event onto it.
    fn dress(&mut self, draft: &mut Draft) {
        draft.historical = std::mem::take(&mut self.historical);
        if let Some((verb, at)) = self.verb.take() {
            self.apply_verb(draft, verb, &[at]);
        }
        if self.no.take().is_some() {
            draft.count = Count::None;
        }
        if let Some((direction, at)) = self.direction.take() {
            if measures(draft.kind) || draft.kind.is_none() {
                draft.trend = Some(direction);
                self.trend_open = Some(self.clause.slots.len());
            } else {
                self.leave_at(&[at], MISFIT);
            }
        }
        if let Some((value, at)) = self.flag.take() {
            if measures(draft.kind) || matches!(value, ValueCondition::Coded { .. }) {
                self.set_value(draft, value);
            } else {
                self.leave_at(&[at], NARROWS);
            }
        }
        if let Some((selector, _)) = self.selector.take() {
            draft.selector = selector;
        }
        if let Some((route, at)) = self.route.take() {
            if takes_doses(draft) {
                draft.qualifiers.route = Some(route);
            } else {
                self.leave_at(&[at], NARROWS);
            }
        }
        if let Some((dose, at)) = self.dose.take() {
            if takes_doses(draft) {
                draft.qualifiers.dose = Some(dose);
            } else {
                self.leave_at(&at, MISFIT);
            }
        }
    }

    fn set_value(&mut self, draft: &mut Draft, value: ValueCondition) {
        let first = draft.terms.first().map(|t| t.text.clone());
        if matches!(value, ValueCondition::Coded { .. }) && first.as_deref() == Some("clostridioides difficile infection") {
            draft.terms = vec![Term { text: "clostridioides difficile test".into(), ..Term::default() }];
            draft.kind = Some(TermKind::Lab);
        }
        if matches!(value, ValueCondition::Compare { .. })
            && draft.kind == Some(TermKind::Drug)
            && let Some(name) = first
        {
            let level = format!("{name} level");
            let text = lookup(&level).map_or(level, |e| e.canonical.to_owned());
            draft.terms = vec![Term { text, ..Term::default() }];
            draft.kind = Some(TermKind::Lab);
        }
        draft.value = Some(value);
    }

    /// The same concept twice means two occurrences.
    fn repeat_of(&self, draft: &mut Draft) {
        if draft.distinct_from.is_none() && !draft.encounter {
            draft.distinct_from = self.clause.slots.iter().position(|s| s.terms == draft.terms);
        }
    }

    fn link(&mut self, pending: Pending, head: usize, new: usize) {
        let window = pending.window.or_else(|| self.window.take().map(|(w, _)| w));
        let (subject, object) = if pending.swap { (new, head) } else { (head, new) };
        let drug = |i: usize| matches!(self.clause.slots[i].kind, Some(TermKind::Drug | TermKind::DrugClass));
        let kind = match pending.kind {
            // "from X": a drug's adverse event, else an attribution.
            RelationKind::AdverseEventOf if !drug(object) => RelationKind::AttributedTo,
            RelationKind::AttributedTo
                if matches!(self.clause.slots[subject].edge, Some(Edge::End | Edge::Hold | Edge::DoseDown | Edge::DoseUp | Edge::Start)) =>
            {
                RelationKind::ReasonFor
            }
            kind => kind,
        };
        self.clause.links.push(Link { kind, subject, object, window });
        if pending.chain {
            self.head = Some(new);
        }
        self.clause.framed = true;
    }

    fn coordinated(&mut self, cue: Cue, slash: bool, mut draft: Draft, mine: &[usize]) {
        let base = self.clause.slots.len() - 1;
        self.clause.framed |= draft.verb.is_some();
        let object = self.clause.links.last().filter(|l| l.object == base).map(|l| l.kind);
        let causes = matches!(
            object,
            Some(RelationKind::AttributedTo | RelationKind::AdverseEventOf | RelationKind::ReasonFor)
        );
        let like = similar(&self.clause.slots[base], &draft);
        let plain = draft.value.is_none() && draft.count == Count::Some && draft.verb.is_none();
        if cue == Cue::Or && causes && !slash {
            self.clause.readings.push((base, draft));
        } else if cue == Cue::Or {
            let reading = self.clause.readings.last_mut().filter(|r| r.0 == base).map(|r| &mut r.1);
            let slot = match reading {
                Some(reading) if similar(reading, &draft) && plain => reading,
                _ if like && plain => &mut self.clause.slots[base],
                _ => return self.leave_at(mine, NO_RELATION),
            };
            slot.terms.append(&mut draft.terms);
            slot.typed = format!("{} or {}", slot.typed, draft.typed);
        } else if self.clause.links.is_empty() || (like && object.is_some() && plain) {
            if self.clause.others.len() >= MAX_SLOTS {
                return self.leave_at(mine, NO_RELATION);
            }
            let text = format!("'{}' is asked as a claim of its own, because 'and' states no order", draft.typed);
            self.clause.notes.push((None, "", text));
            self.clause.others.push((base, draft));
        } else {
            // Another event beside a relation: both are asked for, without an order.
            let Some(head) = self.head else { return self.leave_at(mine, NO_RELATION) };
            let new = self.clause.slots.len();
            let text = "'and' states no order; the same encounter is asked for".to_owned();
            self.clause.notes.push((Some(new), "", text));
            self.clause.slots.push(draft);
            self.clause.links.push(Link { kind: RelationKind::SameEncounter, subject: head, object: new, window: None });
        }
    }

    // ---- verbs

    fn verb(&mut self, cue: Cue, len: usize) {
        let at: Vec<usize> = (self.at..self.at + len).collect();
        self.take(len);
        let waits = self.pending.is_some() || self.coordinate.is_some() || self.clause.slots.is_empty();
        if waits {
            // "... when stopped": the drug spoken of.
            let ends = self.at >= self.tokens.len()
                || matches!(self.tokens[self.at].kind, Kind::Mark('?' | '.' | ',' | ';' | '!'))
                || self.cue(0).is_some_and(|(c, _)| matches!(c, Cue::And | Cue::Within | Cue::Encounter));
            if edge_of(cue).is_some() && ends && self.pending.is_some() && self.repeat_with_edge(cue) {
                return;
            }
            // "Given" after "was": the verb of what comes; a second verb replaces a weaker one.
            if self.verb.is_none() || cue != Cue::Present {
                self.verb = Some((cue, at[0]));
            }
            return;
        }
        let mut draft = match self.clause.slots.pop() {
            Some(draft) => draft,
            None => return,
        };
        let strength = |c: Cue| u8::from(c != Cue::Present);
        if draft.verb.is_none_or(|v| strength(cue) >= strength(v)) {
            self.apply_verb(&mut draft, cue, &at);
        }
        self.clause.slots.push(draft);
    }

    fn repeat_with_edge(&mut self, cue: Cue) -> bool {
        let drug = |s: &Draft| matches!(s.kind, Some(TermKind::Drug | TermKind::DrugClass | TermKind::Device));
        let Some(of) = self.clause.slots.iter().rposition(drug) else { return false };
        let source = &self.clause.slots[of];
        let draft = Draft {
            terms: source.terms.clone(),
            kind: source.kind,
            edge: edge_of(cue),
            same_as: Some(of),
            verb: Some(cue),
            typed: source.typed.clone(),
            ..Draft::default()
        };
        let Some(pending) = self.pending.take() else { return false };
        let Some(head) = self.head else { return false };
        let new = self.clause.slots.len();
        self.clause.slots.push(draft);
        self.link(pending, head, new);
        true
    }

    fn apply_verb(&mut self, draft: &mut Draft, verb: Cue, at: &[usize]) {
        let drug = matches!(draft.kind, Some(TermKind::Drug | TermKind::DrugClass) | None);
        let thing = matches!(draft.kind, Some(TermKind::Procedure | TermKind::Device | TermKind::Culture));
        match verb {
            Cue::Documented => draft.basis = Basis::Documented,
            Cue::Given if drug || thing => {
                if drug {
                    draft.slot_kind = SlotKind::Given;
                }
            }
            Cue::Ordered if drug || thing || measures(draft.kind) => draft.slot_kind = SlotKind::Order,
            Cue::Given | Cue::Ordered if measures(draft.kind) => {}
            Cue::Started | Cue::Stopped | Cue::Held | Cue::Restarted | Cue::DoseUp | Cue::DoseDown => {
                let condition = matches!(draft.kind, Some(TermKind::Condition | TermKind::Finding));
                draft.edge = match (verb, condition) {
                    (Cue::Started, true) => Some(Edge::Onset),
                    (Cue::Stopped, true) => Some(Edge::Resolved),
                    _ => edge_of(verb),
                };
            }
            Cue::Present => {}
            // "was AKI given": the verb says what the event cannot be.
            _ => self.leave_at(at, MISFIT),
        }
        draft.verb = Some(verb);
        if verb != Cue::Present {
            self.clause.framed = true;
        }
    }

    // ---- numbers

    fn span_unit(&self, ahead: usize) -> Option<(SpanUnit, Counting, usize)> {
        let word = |n: usize| self.peek(n).filter(|t| t.kind == Kind::Word).map(|t| t.low.as_str());
        let (skip, counting) = match word(ahead) {
            Some("calendar") => (1, Counting::Calendar),
            Some("hospital") => (1, Counting::Hospital),
            _ => (0, Counting::Elapsed),
        };
        let unit = match word(ahead + skip)? {
            "minute" | "minutes" | "min" | "mins" => SpanUnit::Minutes,
            "hour" | "hours" | "hr" | "hrs" | "h" => SpanUnit::Hours,
            "day" | "days" | "d" => SpanUnit::Days,
            "week" | "weeks" | "wk" | "wks" => SpanUnit::Weeks,
            "month" | "months" | "mo" | "mos" => SpanUnit::Months,
            "year" | "years" | "yr" | "yrs" => SpanUnit::Years,
            _ => return None,
        };
        Some((unit, counting, skip + 1))
    }

    /// A length of time: "48 hours", "an hour", "two calendar days".
    fn length(&self, ahead: usize) -> Option<(Span, Counting, usize)> {
        let mut at = ahead;
        if self.peek(at).is_some_and(|t| t.is("the")) {
            at += 1;
        }
        if self.peek(at).is_some_and(|t| t.is("first") || t.is("next")) {
            at += 1;
        }
        let token = self.peek(at)?;
        let amount = match &token.kind {
            Kind::Number(n) => n.clone(),
            Kind::Word if matches!(token.low.as_str(), "a" | "an") => "1".to_owned(),
            Kind::Word => lexicon::number_word(&token.low)?.to_string(),
            _ => return None,
        };
        let (unit, counting, len) = self.span_unit(at + 1)?;
        Some((Span { amount, unit }, counting, at + 1 + len - ahead))
    }

    /// A laboratory unit.
    fn unit(&self, ahead: usize) -> Option<(&'static str, usize)> {
        let first = self.peek(ahead)?;
        let starts = first.kind == Kind::Word || matches!(first.kind, Kind::Mark('%' | '/')) || first.number() == Some("10");
        if !starts {
            return None;
        }
        let mut best = None;
        for len in 1..=7 {
            if self.peek(ahead + len - 1).is_none() || (len > 1 && !self.tokens[self.at + ahead + len - 1].glued) {
                break;
            }
            let text = self.slice(self.at + ahead, self.at + ahead + len);
            // The words of units that are also words of the language need their neighbour.
            if matches!(text.to_lowercase().as_str(), "in" | "f" | "c" | "l" | "1") && !first.glued {
                continue;
            }
            if let Some(unit) = units::canonical_unit(&text)
                && !unit.is_empty()
            {
                best = Some((unit, len));
            }
        }
        best
    }

    fn dose_unit(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|t| {
            matches!(
                t.low.as_str(),
                "mg" | "mcg" | "ug" | "g" | "gm" | "gram" | "grams" | "unit" | "units" | "meq" | "ml" | "iu" | "tablets" | "tabs" | "puffs"
            )
        })
    }

    /// `op` is at the reader's place and takes `len` tokens; `sign` when it was a sign and not words.
    fn comparison(&mut self, op: Op, len: usize, sign: bool) {
        let from = self.at;
        if let Some((span, counting, more)) = self.length(len) {
            let total = len + more;
            // "more than 2 days after"
            let ahead = self.cue(total);
            if let Some((cue @ (Cue::After | Cue::Before), l)) = ahead
                && self.concept(total).is_none_or(|(_, c)| c <= l)
            {
                let (from, to) = match op {
                    Op::Gt | Op::Ge => (Some(span), None),
                    Op::Eq => (Some(span.clone()), Some(span)),
                    _ => (Some(zero(&span)), Some(span)),
                };
                self.take(total);
                let at: Vec<usize> = (self.at - total..self.at + l).collect();
                self.take(l);
                let kind = if cue == Cue::After { RelationKind::After } else { RelationKind::Before };
                return self.relation(kind, Some(Window { from, to, counting }), false, at);
            }
            let trending = self.clause.slots.last().is_some_and(|s| s.trend.is_some());
            if let Some(slot) = self.clause.slots.last_mut()
                && self.pending.is_none()
                && !trending
                && !measures(slot.kind)
                && slot.value.is_none()
            {
                slot.value = Some(ValueCondition::Duration { op, amount: span });
                self.take(total);
                self.clause.framed = true;
                return;
            }
            if trending && matches!(op, Op::Gt | Op::Lt | Op::Le) && !sign {
                // "rise over 48 hours", "rise in under 48 hours"
                let window = Window { from: Some(zero(&span)), to: Some(span), counting };
                let at = (from..from + total).collect();
                self.take(total);
                return self.trailing(window, at);
            }
            return self.leave(total, NOT_READ);
        }
        let Some(number) = self.peek(len).and_then(Token::number).map(str::to_owned) else {
            return self.leave(len, NOT_READ);
        };
        let unit = self.unit(len + 1);
        let total = len + 1 + unit.map_or(0, |u| u.1);
        // "drop > 2", "rise of at least 0.3": an amount. "rise above 6": a value.
        if let Some(ix) = self.trend_open
            && self.pending.is_none()
            && (sign || matches!(op, Op::Ge | Op::Le | Op::Eq) || self.at > 0 && matches!(self.tokens[self.at - 1].low.as_str(), "of" | "by"))
        {
            self.take(total);
            return self.amount(ix, number, unit.map(|u| u.0));
        }
        let compare = ValueCondition::Compare { op, number, unit: unit.map(|u| u.0.to_owned()) };
        let fits = self.clause.slots.last().is_some_and(|s| {
            (measures(s.kind) || matches!(s.kind, Some(TermKind::Drug) | None)) && s.value.is_none()
        });
        if fits && self.pending.is_none() {
            let Some(mut slot) = self.clause.slots.pop() else { return };
            if slot.trend.take().is_some() {
                let ix = self.clause.slots.len();
                self.clause.notes.push((Some(ix), "value", "a rise or fall past a number is read as a value past it".into()));
                self.trend_open = None;
            }
            self.set_value(&mut slot, compare);
            self.clause.slots.push(slot);
            self.take(total);
            self.clause.framed = true;
            return;
        }
        self.leave(total, NOT_READ);
    }

    fn amount(&mut self, ix: usize, number: String, unit: Option<&'static str>) {
        self.trend_open = None;
        // "2 or more" and "or greater" say at least, which an amount always is.
        for form in ["or more", "or greater", "or higher", "points or more", "points", "point"] {
            if let Some(len) = lexicon::matches(&self.tokens, self.at, form) {
                self.take(len);
                break;
            }
        }
        let Some(slot) = self.clause.slots.get_mut(ix) else { return };
        let direction = slot.trend.unwrap_or(Direction::Up);
        let percent = unit == Some("%") && slot.terms.first().is_none_or(|t| t.text != "hemoglobin a1c");
        slot.value = Some(ValueCondition::Change {
            direction,
            amount: Some(number),
            measure: if percent { Measure::Percent } else { Measure::Absolute },
            unit: unit.filter(|_| !percent).map(str::to_owned),
            reference: None,
            within: None,
        });
        self.clause.framed = true;
    }

    fn number(&mut self) {
        let text = self.tokens[self.at].number().unwrap_or_default().to_owned();
        // "2 days after": an exact distance is not a window.
        if let Some((_, _, len)) = self.length(0) {
            if let Some((Cue::After | Cue::Before, _)) = self.cue(len) {
                return self.leave(len, "an exact distance in time is not read; write 'within' or 'more than'");
            }
            return self.leave(len, DATE);
        }
        // "2 or more", "2 or less" of a value.
        let unit = self.unit(1);
        let width = 1 + unit.map_or(0, |u| u.1);
        let suffix = [
            ("or more", Op::Ge), ("or greater", Op::Ge), ("or higher", Op::Ge), ("or above", Op::Ge),
            ("or less", Op::Le), ("or lower", Op::Le), ("or below", Op::Le), ("or fewer", Op::Le),
        ]
        .iter()
        .find_map(|(form, op)| lexicon::matches(&self.tokens, self.at + width, form).map(|l| (*op, l)));
        if let Some(ix) = self.trend_open
            && self.pending.is_none()
        {
            self.take(width);
            return self.amount(ix, text, unit.map(|u| u.0));
        }
        let bare_lab = self.measurable() && self.clause.slots.last().is_some_and(|s| s.value.is_none());
        let count: Option<u32> = text.parse().ok().filter(|n| *n > 0 && *n < 100);
        if let Some(n) = count
            && !bare_lab
            && (self.concept(1).is_some() || self.cue(1).is_some_and(|c| c.0 == Cue::Visit))
        {
            self.count = Some((n, self.at));
            return self.take(1);
        }
        if self.dose_unit(1) && !bare_lab {
            let dose = format!("{text} {}", self.tokens[self.at + 1].low);
            let at = vec![self.at, self.at + 1];
            self.take(2);
            match self.clause.slots.last_mut() {
                Some(slot) if self.pending.is_none() && takes_doses(slot) => slot.qualifiers.dose = Some(dose),
                _ => self.dose = Some((dose, at)),
            }
            return;
        }
        if bare_lab {
            let (op, more) = suffix.unwrap_or((Op::Eq, 0));
            let number = text;
            if let Some(slot) = self.last() {
                slot.value = Some(ValueCondition::Compare { op, number, unit: unit.map(|u| u.0.to_owned()) });
            }
            self.clause.framed = true;
            return self.take(width + more);
        }
        self.leave(1, NOT_READ);
    }

    fn clock(&mut self) {
        let Kind::Clock(time) = self.tokens[self.at].kind.clone() else { return };
        self.at_time(time, 1);
    }

    /// "at 0800", "at 8 am", "at 14:30".
    fn time_of_day(&mut self) -> bool {
        let Some(token) = self.peek(1) else { return false };
        let half = self.peek(2).filter(|t| t.is("am") || t.is("pm")).map(|t| t.is("pm"));
        let (time, len) = match &token.kind {
            Kind::Clock(time) => (time.clone(), 2 + usize::from(half.is_some())),
            Kind::Number(n) => match (n.parse::<u32>(), half) {
                (Ok(n), Some(pm)) if (1..=12).contains(&n) => {
                    (format!("{:02}:00", n % 12 + if pm { 12 } else { 0 }), 3)
                }
                (Ok(t), None) if n.len() == 4 && t / 100 < 24 && t % 100 < 60 => {
                    (format!("{:02}:{:02}", t / 100, t % 100), 2)
                }
                _ => return false,
            },
            _ => return false,
        };
        if half.is_some() && matches!(token.kind, Kind::Clock(_)) {
            return false;
        }
        self.at_time(time, len);
        true
    }

    fn at_time(&mut self, time: String, len: usize) {
        let ix = self.last_ix();
        match self.last() {
            Some(slot) if slot.selector == Selector::Some => {
                slot.selector = Selector::At { time: format!("T{time}") };
                self.clause.notes.push((ix, "selector", format!("at {time} of any day, because no day is named")));
                self.take(len);
            }
            _ => self.leave(len, DATE),
        }
    }

    // ---- relations

    fn relation(&mut self, kind: RelationKind, window: Option<Window>, swap: bool, at: Vec<usize>) {
        self.trend_open = None;
        if let Some(earlier) = self.pending.take() {
            // Two relations in a row: the later one is read, the earlier listed.
            self.leave_at(&earlier.at, NO_RELATION);
        }
        let window = window.or_else(|| self.window.take().map(|(w, _)| w));
        self.pending = Some(Pending { kind, window, swap, chain: false, at });
    }

    fn act(&mut self, cue: Cue, len: usize) {
        use Cue as C;
        let at: Vec<usize> = (self.at..self.at + len).collect();
        let relation = |kind, swap| Some((kind, swap));
        let read = match cue {
            C::Before => relation(RelationKind::Before, false),
            C::After => relation(RelationKind::After, false),
            C::During => relation(RelationKind::During, false),
            C::CausedBy => relation(RelationKind::AttributedTo, false),
            C::EffectOf => relation(RelationKind::AdverseEventOf, false),
            C::Causes => relation(RelationKind::AttributedTo, true),
            C::Treated => relation(RelationKind::ReasonFor, true),
            _ => None,
        };
        if let Some((kind, swap)) = read {
            return self.relation_cue(cue, kind, swap, len, at);
        }
        match cue {
            C::Stop => self.take(len),
            C::Chat => self.take(len),
            C::Aux => {
                let anew = self.coordinate.is_some_and(|(c, _)| c == C::And) && !self.clause.is_empty();
                self.take(len);
                if anew {
                    self.coordinate = None;
                    self.close();
                }
            }
            C::Documented | C::Given | C::Ordered | C::Started | C::Stopped | C::Held | C::Restarted | C::DoseUp
            | C::DoseDown | C::Present => self.verb(cue, len),
            C::Evidence => {
                self.clause.framed = true;
                self.take(len);
            }
            C::History => {
                self.historical = true;
                self.clause.framed = true;
                self.take(len);
            }
            C::RuledOut => {
                self.take(len);
                match self.last() {
                    Some(slot) => {
                        slot.count = Count::None;
                        slot.basis = Basis::Documented;
                        self.clause.framed = true;
                    }
                    None => self.leave_at(&at, NOT_READ),
                }
            }
            C::Then => {
                self.take(len);
                if self.cue(0).is_some_and(|(c, _)| c == C::Aux) || self.clause.is_empty() {
                    return;
                }
                self.coordinate = None;
                self.relation(RelationKind::Before, None, false, at);
                if let Some(pending) = &mut self.pending {
                    pending.chain = true;
                }
            }
            C::Induced => {
                let glued = self.peek(0).is_some_and(|t| t.glued);
                if glued && self.head.is_some() && self.pending.is_none() {
                    self.take(len);
                    self.relation(RelationKind::AdverseEventOf, None, true, at);
                    if let Some(pending) = &mut self.pending {
                        pending.chain = true;
                    }
                } else {
                    self.leave(len, NOT_READ);
                }
            }
            C::From => {
                if self.head.is_some() && self.pending.is_none() && self.event_ahead(len) {
                    self.take(len);
                    self.relation(RelationKind::AdverseEventOf, None, false, at);
                } else {
                    self.leave(len, NOT_READ);
                }
            }
            C::For => self.for_cue(len, at),
            C::On => self.on_cue(len, at),
            C::With => {
                if self.clause.is_empty() && self.front.is_none() {
                    self.take(len);
                } else {
                    self.leave(len, NO_RELATION);
                }
            }
            C::Without => {
                self.take(len);
                if let Some(head) = self.head.filter(|_| self.pending.is_none()) {
                    let drug = takes_doses(&self.clause.slots[head]);
                    let event = matches!(self.concept_ahead(0), Some(TermKind::Condition | TermKind::Finding) | None);
                    if drug && event {
                        // "given without reaction": none after it.
                        self.relation(RelationKind::After, None, true, at.clone());
                    } else {
                        self.relation(RelationKind::SameEncounter, None, false, at.clone());
                    }
                }
                self.no = at.first().copied();
            }
            C::In => self.in_cue(len),
            C::By => self.by_cue(len),
            C::Rise | C::Fall | C::Flat => self.trend(cue, len),
            C::Double | C::Triple => {
                let amount = if cue == C::Double { "2" } else { "3" };
                self.take(len);
                if self.measurable() {
                    if let Some(slot) = self.last() {
                        slot.trend = Some(Direction::Up);
                        slot.value = Some(ValueCondition::Change {
                            direction: Direction::Up,
                            amount: Some(amount.into()),
                            measure: Measure::Ratio,
                            unit: None,
                            reference: None,
                            within: None,
                        });
                    }
                    self.clause.framed = true;
                } else {
                    self.leave_at(&at, MISFIT);
                }
            }
            C::Resolve | C::Recur | C::Persist => self.course(cue, len, at),
            C::Within => self.within(len),
            C::Above => self.comparison(Op::Gt, len, false),
            C::Below => self.comparison(Op::Lt, len, false),
            C::AtLeast => self.comparison(Op::Ge, len, false),
            C::AtMost => self.comparison(Op::Le, len, false),
            C::High | C::Low => self.state(ValueCondition::Flag { high: cue == C::High }, len),
            C::Positive | C::Negative | C::Normal | C::Abnormal => {
                let text = match cue {
                    C::Positive => "positive",
                    C::Negative => "negative",
                    C::Normal => "normal",
                    _ => "abnormal",
                };
                self.state(ValueCondition::Coded { text: text.into() }, len);
            }
            C::Encounter | C::Patient | C::Episode => {
                self.take(len);
                self.clause.scope = Some(cue);
            }
            C::Ever => {
                self.take(len);
                if self.clause.scope.is_none() {
                    self.clause.scope = Some(C::Ever);
                }
            }
            C::No => {
                self.no = Some(self.at);
                self.take(len);
            }
            C::Not | C::Never => self.not(cue, len),
            C::First | C::Last => {
                if let Some((_, _, more)) = self.length(len) {
                    return self.leave(len + more, DATE);
                }
                let selector = if cue == C::First { Selector::First } else { Selector::Last };
                self.selector = Some((selector, self.at));
                self.take(len);
            }
            C::Every => {
                self.clause.every = true;
                self.take(len);
            }
            C::Any => {
                self.clause.any = true;
                self.take(len);
            }
            C::Another => self.take(len),
            C::Again => {
                self.clause.again = true;
                self.again(len, at);
            }
            C::When => self.when(len, at),
            C::FindWhen | C::FindWhat => {
                self.take(len);
                self.clause.find = true;
            }
            C::FindWhy => {
                self.take(len);
                self.clause.find = true;
                self.clause.why = true;
                self.clause.framed = true;
            }
            C::HowLong => self.how_long(len, at),
            C::HowMany => {
                self.take(len);
                self.clause.find = true;
                self.clause.framed = true;
            }
            C::And | C::Or => self.conjunction(cue, len, at),
            C::OperatingRoom => self.place(0, false),
            C::Straight => {
                let lasts = self.clause.slots.last().is_some_and(|s| matches!(s.value, Some(ValueCondition::Duration { .. })));
                if lasts {
                    self.take(len);
                } else {
                    self.leave(len, NARROWS);
                }
            }
            C::EachOther => self.leave(len, NO_RELATION),
            C::Recheck => self.recheck(len),
            C::Level => {
                let drug = self.clause.slots.last().is_some_and(|s| s.kind == Some(TermKind::Drug));
                if self.measurable() || self.clause.is_empty() {
                    self.take(len);
                } else if drug && self.pending.is_none() {
                    self.take(len);
                    if let Some(mut slot) = self.clause.slots.pop() {
                        self.set_value(&mut slot, ValueCondition::Compare { op: Op::Eq, number: String::new(), unit: None });
                        slot.value = None;
                        self.clause.slots.push(slot);
                    }
                } else {
                    let of = self.clause.slots.iter().rposition(|s| s.kind == Some(TermKind::Drug));
                    match of.filter(|_| self.pending.is_some()) {
                        Some(of) => {
                            let name = self.clause.slots[of].terms[0].text.clone();
                            let level = format!("{name} level");
                            let text = lookup(&level).map_or(level, |e| e.canonical.to_owned());
                            let typed = self.slice(self.at, self.at + len);
                            let terms = vec![Term { text: text.clone(), ..Term::default() }];
                            let ix = self.clause.slots.len();
                            self.clause.notes.push((Some(ix), "concept", format!("read '{typed}' as {text}")));
                            self.add(Draft { terms, kind: Some(TermKind::Lab), typed: text, ..Draft::default() }, len);
                        }
                        None => self.leave(len, NOT_READ),
                    }
                }
            }
            C::Visit => {
                let typed = self.slice(self.at, self.at + len);
                let text = typed.to_lowercase().trim_end_matches('s').to_owned();
                let draft = Draft {
                    terms: vec![Term { text, ..Term::default() }],
                    slot_kind: SlotKind::Encounter,
                    encounter: true,
                    typed,
                    ..Draft::default()
                };
                self.clause.framed = true;
                self.add(draft, len);
            }
            C::Admission | C::Discharge => {
                if self.pending.is_some() {
                    let draft = stay_edge(if cue == C::Admission { Edge::Admission } else { Edge::Discharge });
                    self.add(draft, len);
                } else {
                    self.leave(len, NO_RELATION);
                }
            }
            C::OnAdmission => {
                if self.head.is_none() || self.pending.is_some() {
                    return self.leave(len, NOT_READ);
                }
                let day = Span { amount: "1".into(), unit: SpanUnit::Days };
                let window = Window { from: Some(day.clone()), to: Some(day), counting: Counting::Hospital };
                let ix = self.last_ix();
                self.clause.notes.push((ix, "", "on admission is read as hospital day 1".into()));
                self.take(len);
                self.relation(RelationKind::After, Some(window), false, at);
                self.add(stay_edge(Edge::Admission), 0);
            }
            C::PostOp => {
                if self.head.is_none() || self.pending.is_some() {
                    return self.leave(len, NOT_READ);
                }
                self.take(len);
                let trend = self.trend_open;
                self.relation(RelationKind::After, None, false, at);
                let terms = vec![Term { text: "surgery".into(), ..Term::default() }];
                let draft = Draft {
                    terms,
                    kind: Some(TermKind::Procedure),
                    edge: Some(Edge::End),
                    typed: "surgery".into(),
                    ..Draft::default()
                };
                self.add(draft, 0);
                self.trend_open = trend;
            }
            C::Qualifier => {
                self.leave(len, NARROWS);
                if matches!(cue, C::Qualifier) && at.len() == 2 && self.tokens[at[0]].is("if") {
                    // The rest hangs on it.
                    while self.peek(0).is_some_and(|t| !matches!(t.mark(), Some('?' | '.' | ';'))) {
                        self.leave(1, NARROWS);
                    }
                }
            }
            C::Except => self.except(len),
            C::Past => match self.length(len).map(|l| l.2).or_else(|| self.span_unit(len).map(|u| u.2)) {
                Some(more) => self.leave(len + more, DATE),
                None => self.leave(len, NARROWS),
            },
            C::Route => {
                let route = lexicon::route(&self.phrase(len)).to_owned();
                let at = self.at;
                self.take(len);
                let given = self.clause.slots.last().is_some_and(takes_doses) && self.pending.is_none();
                match self.last() {
                    Some(slot) if given => slot.qualifiers.route = Some(route),
                    _ => self.route = Some((route, at)),
                }
            }
            C::Before | C::After | C::During | C::CausedBy | C::EffectOf | C::Causes | C::Treated => {}
        }
    }

    fn phrase(&self, len: usize) -> String {
        let words: Vec<&str> = (self.at..self.at + len).map(|i| self.tokens[i].low.as_str()).collect();
        words.join(" ")
    }

    fn relation_cue(&mut self, cue: Cue, kind: RelationKind, swap: bool, len: usize, at: Vec<usize>) {
        // "before or after": two readings.
        if cue == Cue::Before
            && let Some((Cue::Or, one)) = self.cue(len)
            && let Some((Cue::After, two)) = self.cue(len + one)
        {
            let at = (self.at..self.at + len + one + two).collect();
            self.clause.both_orders = true;
            self.take(len + one + two);
            return self.relation(RelationKind::Before, None, false, at);
        }
        // "after day 3": hospital days.
        let day = if self.peek(len).is_some_and(|t| t.is("hospital")) { len + 1 } else { len };
        if cue == Cue::After
            && self.peek(day).is_some_and(|t| t.is("day") || t.is("hd"))
            && let Some(n) = self.peek(day + 1).and_then(Token::number).and_then(|n| n.parse::<u32>().ok())
            && n < 10_000
            && self.head.is_some()
        {
            let from = Span { amount: (n + 1).to_string(), unit: SpanUnit::Days };
            let ix = self.last_ix();
            self.clause.notes.push((ix, "", format!("after day {n} is read as from hospital day {} on", n + 1)));
            self.take(day + 2);
            self.relation(RelationKind::After, Some(Window { from: Some(from), to: None, counting: Counting::Hospital }), false, at);
            return self.add(stay_edge(Edge::Admission), 0);
        }
        self.take(len);
        if self.pending.is_some() && cue == Cue::During {
            return;
        }
        self.coordinate = None;
        if self.head.is_none() && matches!(cue, Cue::Causes | Cue::EffectOf | Cue::CausedBy | Cue::Treated) {
            return self.leave_at(&at, NO_RELATION);
        }
        self.relation(kind, None, swap, at);
        if self.head.is_none() {
            // Before its clause: kept until the event comes.
            return;
        }
        if swap
            && let Some(pending) = &mut self.pending
        {
            pending.chain = true;
        }
    }

    /// Whether an event (perhaps after an article) begins there.
    fn event_ahead(&self, mut ahead: usize) -> bool {
        for _ in 0..3 {
            if self.concept(ahead).is_some() {
                return true;
            }
            match self.cue(ahead) {
                Some((Cue::Stop | Cue::Any | Cue::Route | Cue::First | Cue::Last, len)) => ahead += len,
                _ => break,
            }
        }
        self.concept(ahead).is_some() || (self.cue(ahead).is_none() && self.nounish(self.at + ahead))
    }

    fn concept_ahead(&self, mut ahead: usize) -> Option<TermKind> {
        for _ in 0..3 {
            if let Some((entry, _)) = self.concept(ahead) {
                return Some(entry.kind);
            }
            match self.cue(ahead) {
                Some((Cue::Stop | Cue::Any | Cue::Route, len)) => ahead += len,
                _ => return None,
            }
        }
        self.concept(ahead).map(|(entry, _)| entry.kind)
    }

    fn for_cue(&mut self, len: usize, at: Vec<usize>) {
        // "for more than 96 hours", "for 4 days"
        if let Some((Cue::Above | Cue::Below | Cue::AtLeast | Cue::AtMost, l)) = self.cue(len)
            && self.length(len + l).is_some()
        {
            return self.take(len);
        }
        if matches!(self.peek(len).map(|t| &t.kind), Some(Kind::Op(_))) {
            return self.take(len);
        }
        if let Some((span, _, more)) = self.length(len) {
            let free = self.clause.slots.last().is_some_and(|s| s.value.is_none()) && self.pending.is_none();
            if free {
                let ix = self.last_ix();
                self.clause.notes.push((ix, "value", "'for' a length of time is read as at least that long".into()));
                if let Some(slot) = self.last() {
                    slot.value = Some(ValueCondition::Duration { op: Op::Ge, amount: span });
                }
                self.clause.framed = true;
                return self.take(len + more);
            }
            return self.leave(len + more, NOT_READ);
        }
        let drug = self.clause.slots.last().is_some_and(|s| {
            matches!(s.kind, Some(TermKind::Drug | TermKind::DrugClass | TermKind::Procedure | TermKind::Device))
                || s.slot_kind == SlotKind::Given
        });
        if drug && self.pending.is_none() && self.event_ahead(len) {
            self.take(len);
            return self.relation(RelationKind::ReasonFor, None, false, at);
        }
        if self.clause.is_empty() && self.clause.framed {
            return self.take(len);
        }
        self.leave(len, NOT_READ);
    }

    fn on_cue(&mut self, len: usize, at: Vec<usize>) {
        let next = self.concept_ahead(len);
        if self.clause.is_empty() && self.pending.is_none() {
            return self.take(len);
        }
        if self.pending.is_some() {
            return self.take(len);
        }
        match next {
            Some(TermKind::Drug | TermKind::DrugClass | TermKind::Device | TermKind::Procedure) => {
                self.take(len);
                self.coordinate = None;
                self.relation(RelationKind::During, None, false, at);
            }
            _ => self.leave(len, NO_RELATION),
        }
    }

    fn in_cue(&mut self, len: usize) {
        // "in 5 min", "in the first 24 hours"
        if self.length(len).is_some() {
            return self.within(len);
        }
        if matches!(self.peek(len).map(|t| &t.kind), Some(Kind::Op(_))) {
            return self.take(len);
        }
        if let Some(note) = self.note_type(len) {
            return self.source(note, len, false);
        }
        let article = usize::from(self.peek(len).is_some_and(|t| t.is("the")));
        if let Some((Cue::OperatingRoom, _)) = self.cue(len + article) {
            return self.place(len + article, false);
        }
        self.take(len);
    }

    /// "the discharge summary", "a nursing note": the kind of note, and how many tokens.
    fn note_type(&self, ahead: usize) -> Option<(String, usize)> {
        let mut words = Vec::new();
        let mut at = ahead;
        while at < ahead + 6 {
            let token = self.peek(at)?;
            if token.kind != Kind::Word {
                return None;
            }
            match token.low.as_str() {
                "the" | "a" | "an" | "any" | "in" | "her" | "his" if words.is_empty() => {}
                "note" | "notes" => {
                    words.push("note");
                    return (words.len() > 1).then(|| (words.join(" "), at + 1 - ahead));
                }
                "summary" | "consult" | "consultation" | "consults" | "report" => {
                    words.push(if token.low.starts_with("consult") { "consult" } else { token.low.as_str() });
                    let more = usize::from(self.peek(at + 1).is_some_and(|t| t.is("note") || t.is("notes")));
                    return (words.len() > 1).then(|| (words.join(" "), at + 1 + more - ahead));
                }
                word => words.push(word),
            }
            at += 1;
        }
        None
    }

    fn source(&mut self, note: (String, usize), len: usize, except: bool) {
        let total = len + note.1;
        match self.last() {
            Some(slot) if except => {
                slot.source.except_note_types.push(note.0);
                self.take(total);
            }
            Some(slot) => {
                slot.source.note_types.push(note.0);
                self.take(total);
            }
            None => self.leave(total, NARROWS),
        }
    }

    fn except(&mut self, len: usize) {
        if let Some(note) = self.note_type(len) {
            return self.source(note, len, true);
        }
        // "opioids other than tramadol"
        let any = self.clause.slots.last().is_some_and(|s| s.kind.is_some()) && self.pending.is_none();
        if let Some((entry, more)) = self.concept(len).filter(|_| any) {
            let term = Term { text: entry.canonical.into(), class: entry.kind == TermKind::DrugClass, codes: Vec::new() };
            if let Some(slot) = self.last() {
                slot.except.push(term);
            }
            return self.take(len + more);
        }
        self.leave(len, NARROWS);
    }

    fn by_cue(&mut self, len: usize) {
        let mut at = len;
        while self.peek(at).is_some_and(|t| matches!(t.low.as_str(), "a" | "an" | "the" | "any")) {
            at += 1;
        }
        // "by 2 g/dL" after a rise or fall.
        if self.trend_open.is_some() && (self.peek(at).is_some_and(|t| t.number().is_some() || matches!(t.kind, Kind::Op(_))) || self.cue(at).is_some_and(|c| matches!(c.0, Cue::AtLeast | Cue::Above))) {
            return self.take(len);
        }
        let role = self.peek(at).and_then(|t| {
            Some(match t.low.trim_end_matches('s') {
                "physician" | "doctor" | "md" | "provider" => "physician",
                "nurse" | "rn" | "nursing" => "nurse",
                "pharmacist" | "pharmacy" | "pharmd" => "pharmacist",
                "dietitian" | "dietician" | "nutritionist" => "dietitian",
                "surgeon" | "surgery" => "surgeon",
                "radiologist" | "radiology" => "radiologist",
                "cardiologist" | "cardiology" => "cardiologist",
                "neurologist" | "neurology" => "neurologist",
                "resident" => "resident",
                _ => return None,
            })
        });
        match (role, self.last()) {
            (Some(role), Some(slot)) => {
                slot.source.author_roles.push(role.to_owned());
                self.take(at + 1);
            }
            _ => self.leave(len, NOT_READ),
        }
    }

    fn trend(&mut self, cue: Cue, len: usize) {
        let direction = match cue {
            Cue::Rise => Direction::Up,
            Cue::Fall => Direction::Down,
            _ => Direction::Flat,
        };
        let from = self.at;
        let of = usize::from(self.peek(len).is_some_and(|t| t.is("in") || t.is("of")));
        let ahead = self.concept_ahead(len + of).filter(|k| measures(Some(*k)));
        let names_next = of == 1 && ahead.is_some() || self.clause.is_empty() || (self.pending.is_some() && ahead.is_some());
        if names_next {
            self.take(len + of);
            self.direction = Some((direction, from));
            return;
        }
        let free = self.clause.slots.last().is_some_and(|s| measures(s.kind) || s.kind.is_none());
        let negated = self.no.take().is_some();
        if free && self.pending.is_none() {
            let ix = self.clause.slots.len() - 1;
            if let Some(slot) = self.last() {
                slot.trend = Some(if negated { Direction::Flat } else { direction });
            }
            if negated {
                self.clause.notes.push((Some(ix), "value", "'not' a rise or fall is read as no change".into()));
            }
            self.clause.framed = true;
            self.take(len);
            self.trend_open = Some(ix);
        } else {
            self.leave(len, MISFIT);
        }
    }

    fn course(&mut self, cue: Cue, len: usize, at: Vec<usize>) {
        let kind = match cue {
            Cue::Resolve => RelationKind::Resolves,
            Cue::Recur => RelationKind::Recurs,
            _ => RelationKind::Persists,
        };
        self.take(len);
        // "... and recovered": the measurement spoken of, again.
        if self.coordinate.is_some_and(|(c, _)| c == Cue::And)
            && let Some(of) = self.head
            && measures(self.clause.slots[of].kind)
            && self.clause.slots.len() < MAX_SLOTS
        {
            self.coordinate = None;
            let source = &self.clause.slots[of];
            let draft = Draft {
                terms: source.terms.clone(),
                kind: source.kind,
                same_as: Some(of),
                distinct_from: Some(of),
                course: Some(kind),
                typed: source.typed.clone(),
                ..Draft::default()
            };
            let new = self.clause.slots.len();
            self.clause.notes.push((Some(new), "value", "recovery is read as a return to the normal range".into()));
            self.clause.slots.push(draft);
            let pending = Pending { kind: RelationKind::Before, window: None, swap: false, chain: true, at };
            self.link(pending, of, new);
            return;
        }
        match self.last() {
            Some(slot) => {
                slot.course = Some(kind);
                self.clause.framed = true;
            }
            None => self.leave_at(&at, NO_RELATION),
        }
    }

    fn within(&mut self, len: usize) {
        let Some((span, counting, more)) = self.length(len) else {
            // "within" an event is during it.
            let at = (self.at..self.at + len).collect();
            if self.head.is_some() && self.event_ahead(len) && self.tokens[self.at].low != "in" {
                self.take(len);
                return self.relation(RelationKind::During, None, false, at);
            }
            return self.leave(len, NOT_READ);
        };
        let from = self.at;
        let total = len + more;
        let window = Window { from: Some(zero(&span)), to: Some(span.clone()), counting };
        self.take(total);
        let mut at: Vec<usize> = (from..from + total).collect();
        let plain_of = self.peek(0).is_some_and(|t| matches!(t.low.as_str(), "of" | "from"));
        if let Some((Cue::EachOther, l)) = self.cue(1).filter(|_| plain_of) {
            return self.each_other(window, l + 1, &at);
        }
        match self.cue(0) {
            Some((cue @ (Cue::After | Cue::Before), l)) => {
                at.extend(self.at..self.at + l);
                self.take(l);
                let kind = if cue == Cue::After { RelationKind::After } else { RelationKind::Before };
                self.coordinate = None;
                self.relation(kind, Some(window), false, at);
            }
            _ if plain_of => {
                at.push(self.at);
                self.take(1);
                self.coordinate = None;
                let ix = self.last_ix();
                self.clause.notes.push((
                    ix,
                    "",
                    format!("within {} of is read as up to {} after", span_text(&span), span_text(&span)),
                ));
                self.relation(RelationKind::After, Some(window), false, at);
            }
            _ => self.trailing(window, at),
        }
    }

    /// A window without its relation.
    fn trailing(&mut self, window: Window, at: Vec<usize>) {
        let last = self.clause.slots.len().wrapping_sub(1);
        if self.pending.is_none() {
            if let Some(link) = self.clause.links.iter_mut().rev().find(|l| l.subject == last || l.object == last)
                && link.window.is_none()
                && !matches!(link.kind, RelationKind::AttributedTo | RelationKind::AdverseEventOf | RelationKind::ReasonFor)
            {
                link.window = Some(window);
                return;
            }
            if let Some(slot) = self.clause.slots.last_mut()
                && let Some(direction) = slot.trend
            {
                let within = window.to;
                match &mut slot.value {
                    Some(ValueCondition::Change { within: w, .. }) => *w = within,
                    _ => {
                        slot.value = Some(ValueCondition::Change {
                            direction,
                            amount: None,
                            measure: Measure::Absolute,
                            unit: None,
                            reference: None,
                            within,
                        });
                    }
                }
                return;
            }
        }
        self.window = Some((window, at));
    }

    fn each_other(&mut self, window: Window, len: usize, at: &[usize]) {
        let Some(ix) = self.last_ix().filter(|_| self.clause.slots.len() < MAX_SLOTS) else {
            return self.leave_at(at, NO_RELATION);
        };
        let slot = &mut self.clause.slots[ix];
        if !matches!(slot.count, Count::Some | Count::AtLeast { n: 2 }) {
            self.leave_at(at, NO_RELATION);
            return self.leave(len, NO_RELATION);
        }
        slot.count = Count::Some;
        let mut second = slot.clone();
        second.distinct_from = Some(ix);
        self.clause.slots.push(second);
        let pending = Pending { kind: RelationKind::After, window: Some(window), swap: true, chain: false, at: Vec::new() };
        self.link(pending, ix, ix + 1);
        self.take(len);
    }

    fn state(&mut self, value: ValueCondition, len: usize) {
        let at = self.at;
        let waits = self.pending.is_some() || self.clause.is_empty() || self.coordinate.is_some();
        let next = self.concept_ahead(len);
        if waits && next.is_some() {
            self.flag = Some((value, at));
            return self.take(len);
        }
        // "then pos after day 3": the test spoken of, again.
        if self.pending.as_ref().is_some_and(|p| p.chain)
            && let Some(of) = self.clause.slots.iter().rposition(|s| matches!(s.value, Some(ValueCondition::Coded { .. })))
        {
            let source = &self.clause.slots[of];
            let draft = Draft {
                terms: source.terms.clone(),
                kind: source.kind,
                value: Some(value),
                distinct_from: Some(of),
                same_as: Some(of),
                typed: source.typed.clone(),
                ..Draft::default()
            };
            return self.add(draft, len);
        }
        let coded = matches!(value, ValueCondition::Coded { .. });
        let negative = matches!(&value, ValueCondition::Coded { text } if text == "negative");
        let fits = self.pending.is_none()
            && self.clause.slots.last().is_some_and(|s| {
                s.value.is_none()
                    && (measures(s.kind)
                        || s.kind == Some(TermKind::Culture)
                        || coded
                            && (s.terms[0].text == "clostridioides difficile infection"
                                || s.kind == Some(TermKind::Procedure)))
            });
        if fits && let Some(mut slot) = self.clause.slots.pop() {
            if self.no.take().is_some() {
                slot.count = Count::None;
            }
            self.set_value(&mut slot, value);
            self.clause.slots.push(slot);
            self.clause.framed = true;
            return self.take(len);
        }
        let empty_negative = negative && self.clause.is_empty();
        if empty_negative && self.peek(len).is_some() {
            self.no = Some(at);
            return self.take(len);
        }
        self.leave(len, NARROWS);
    }

    fn not(&mut self, cue: Cue, len: usize) {
        let article = usize::from(self.peek(len + 1).is_some_and(|t| t.is("the")));
        if self.peek(len).is_some_and(|t| t.is("in"))
            && let Some((Cue::OperatingRoom, _)) = self.cue(len + 1 + article)
        {
            return self.place(len + 1 + article, true);
        }
        if cue == Cue::Never && self.clause.scope.is_none() {
            self.clause.scope = Some(Cue::Ever);
        }
        let at = self.at;
        // "not" before a verb speaks of the event before it, else of the one to come.
        let next = self.cue(len).map(|c| c.0);
        if matches!(next, Some(Cue::Rise | Cue::Fall)) {
            self.take(len);
            self.no = Some(at);
            return;
        }
        let aux_only = !self.clause.is_empty() && self.pending.is_none();
        if aux_only && matches!(next, Some(Cue::Documented | Cue::Given | Cue::Ordered | Cue::Present | Cue::Started)) {
            if let Some(slot) = self.last() {
                slot.count = Count::None;
            }
            return self.take(len);
        }
        if self.clause.is_empty() || self.pending.is_some() {
            self.no = Some(at);
            return self.take(len);
        }
        self.leave(len, NARROWS);
    }

    fn place(&mut self, before: usize, not: bool) {
        let Some((Cue::OperatingRoom, more)) = self.cue(before) else { return self.leave(before.max(1), NARROWS) };
        let words: Vec<&str> =
            (self.at + before..self.at + before + more).map(|i| self.tokens[i].low.as_str()).collect();
        let place = lexicon::location(&words.join(" "));
        let total = before + more;
        let happens = |s: &Draft| !s.encounter && !measures(s.kind);
        if before == 0 || self.clause.is_empty() {
            return self.leave(total, NARROWS);
        }
        if not {
            for slot in self.clause.slots.iter_mut().filter(|s| happens(s)) {
                slot.qualifiers.not_location = Some(place.clone());
            }
        } else if let Some(slot) = self.last() {
            slot.qualifiers.location = Some(place);
        }
        self.take(total);
    }

    fn again(&mut self, len: usize, at: Vec<usize>) {
        self.take(len);
        let Some(of) = self.last_ix().filter(|_| self.pending.is_none() && self.clause.slots.len() < MAX_SLOTS) else {
            return self.leave_at(&at, NO_RELATION);
        };
        let mut second = self.clause.slots[of].clone();
        second.distinct_from = Some(of);
        second.same_as = Some(of);
        let new = self.clause.slots.len();
        self.clause.slots.push(second);
        let pending = Pending { kind: RelationKind::Before, window: None, swap: false, chain: true, at };
        self.link(pending, of, new);
    }

    fn when(&mut self, len: usize, at: Vec<usize>) {
        let clinical = self.tokens[self.at].is("when");
        let next = self.cue(len).map(|c| c.0);
        self.take(len);
        if self.head.is_none() || self.pending.is_some() {
            if !clinical || self.pending.is_some() {
                self.leave_at(&at, NOT_READ);
            }
            return;
        }
        match next {
            Some(Cue::Stopped | Cue::Held | Cue::Restarted | Cue::Started) if clinical => {
                self.relation(RelationKind::After, None, false, at);
            }
            _ if clinical && self.event_ahead(0) => {
                // "foley in when culture turned positive": they share time.
                self.coordinate = None;
                let lasts = self.clause.slots.last().is_some_and(|s| matches!(s.kind, Some(TermKind::Device | TermKind::Procedure)));
                if lasts {
                    self.relation(RelationKind::During, None, true, at);
                } else {
                    self.relation(RelationKind::Overlaps, None, false, at);
                }
            }
            _ => self.leave_at(&at, NARROWS),
        }
    }

    fn how_long(&mut self, len: usize, at: Vec<usize>) {
        let form = self.phrase(len);
        self.take(len);
        self.clause.find = true;
        self.clause.framed = true;
        if form.ends_with("from") || form.ends_with("between") {
            // "from X to Y", "between X and Y": Y after X.
            let kind = RelationKind::After;
            self.front = Some((Pending { kind, window: None, swap: false, chain: false, at }, None));
        } else {
            // "how long after X was Y"
            let kind = if form.ends_with("before") { RelationKind::Before } else { RelationKind::After };
            self.relation(kind, None, false, at);
        }
    }

    fn conjunction(&mut self, cue: Cue, len: usize, at: Vec<usize>) {
        // "due to X or from Y": the same cause word again.
        self.take(len);
        if self.clause.is_empty() {
            return;
        }
        if self.pending.is_some() {
            return;
        }
        if cue == Cue::Or
            && let Some((Cue::From | Cue::CausedBy, more)) = self.cue(0)
            && self.clause.links.last().is_some_and(|l| matches!(l.kind, RelationKind::AdverseEventOf | RelationKind::AttributedTo))
        {
            self.take(more);
        }
        if self.front.as_ref().is_some_and(|f| f.1.is_some()) && cue == Cue::And {
            return;
        }
        self.coordinate = at.first().map(|a| (cue, *a));
    }

    fn recheck(&mut self, len: usize) {
        let lab = self.clause.slots.iter().rposition(|s| measures(s.kind));
        let Some(of) = lab.filter(|_| self.clause.slots.len() < MAX_SLOTS) else { return self.leave(len, NARROWS) };
        let source = &self.clause.slots[of];
        let mut draft = Draft {
            terms: source.terms.clone(),
            kind: source.kind,
            distinct_from: Some(of),
            same_as: Some(of),
            typed: source.typed.clone(),
            ..Draft::default()
        };
        let at = (self.at..self.at + len).collect();
        self.take(len);
        self.dress(&mut draft);
        self.pending = None;
        self.coordinate = None;
        let new = self.clause.slots.len();
        self.clause.slots.push(draft);
        let pending = Pending { kind: RelationKind::After, window: None, swap: true, chain: false, at };
        self.link(pending, of, new);
    }

    // ---- ends

    fn close(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.leave_at(&pending.at, NO_RELATION);
        }
        if let Some((pending, _)) = self.front.take()
            && !(self.clause.find && self.clause.links.is_empty() && self.clause.slots.is_empty())
        {
            self.leave_at(&pending.at, NO_RELATION);
        }
        if let Some((_, at)) = self.window.take() {
            self.leave_at(&at, NO_RELATION);
        }
        let mut lone: Vec<usize> = Vec::new();
        lone.extend(self.direction.take().map(|d| d.1));
        lone.extend(self.flag.take().map(|d| d.1));
        lone.extend(self.selector.take().map(|d| d.1));
        lone.extend(self.count.take().map(|d| d.1));
        lone.extend(self.route.take().map(|d| d.1));
        lone.extend(self.dose.take().into_iter().flat_map(|d| d.1));
        lone.extend(self.no.take());
        self.coordinate = None;
        if self.clause.slots.is_empty() {
            lone.extend(self.verb.take().map(|v| v.1));
        } else {
            lone.extend(self.verb.take().filter(|v| v.0 != Cue::Present).map(|v| v.1));
        }
        self.leave_at(&lone, NO_RELATION);
        let clause = std::mem::take(&mut self.clause);
        self.head = None;
        self.trend_open = None;
        self.historical = false;
        let known = clause.slots.iter().any(|s| s.kind.is_some() || s.encounter);
        if !clause.is_empty() && (known || clause.framed) {
            self.clauses.push(clause);
        } else if !clause.is_empty() {
            // Unknown words without a clinical frame are no question about a record.
            let typed: Vec<String> = clause.slots.iter().map(|s| s.typed.clone()).collect();
            for i in 0..self.at.min(self.tokens.len()) {
                if typed.iter().any(|t| t.contains(&self.tokens[i].raw)) && self.tokens[i].kind == Kind::Word {
                    self.fate[i] = Fate::Left { why: NOT_READ, blocking: true };
                }
            }
        }
    }

    fn finish(mut self) -> Reading {
        let mut unresolved: Vec<Unresolved> = Vec::new();
        for i in 0..self.tokens.len() {
            let (why, blocking) = match &self.fate[i] {
                Fate::Used => continue,
                Fate::Open => (NOT_READ, true),
                Fate::Left { why, blocking } => (*why, *blocking),
            };
            let token = &self.tokens[i];
            // A symbol that is no part of any notation used here changes nothing.
            let symbol = matches!(token.kind, Kind::Mark(c) if !c.is_ascii() || c == '@' || c == '#' || c == '\\' || c == '$');
            let blocking = blocking && !symbol;
            let joins = i > 0 && self.fate[i - 1] != Fate::Used;
            match unresolved.last_mut() {
                Some(last) if joins && last.why == why && last.blocking == blocking && last.end <= token.start => last.end = token.end,
                _ => unresolved.push(Unresolved {
                    text: String::new(),
                    start: token.start,
                    end: token.end,
                    blocking,
                    why: why.to_owned(),
                }),
            }
        }
        for part in &mut unresolved {
            part.text = self.chars[part.start..part.end].iter().collect();
        }
        Reading { clauses: std::mem::take(&mut self.clauses), unresolved, assumptions: self.assumptions }
    }
}

pub(crate) fn measures(kind: Option<TermKind>) -> bool {
    matches!(kind, Some(TermKind::Lab | TermKind::Vital))
}

fn takes_doses(slot: &Draft) -> bool {
    matches!(slot.kind, Some(TermKind::Drug | TermKind::DrugClass)) || slot.kind.is_none() && !slot.encounter
}

fn similar(a: &Draft, b: &Draft) -> bool {
    let group = |d: &Draft| match d.kind {
        Some(TermKind::Drug | TermKind::DrugClass) => 1,
        Some(TermKind::Condition | TermKind::Finding) => 2,
        Some(TermKind::Lab | TermKind::Vital | TermKind::Culture) => 3,
        Some(TermKind::Procedure | TermKind::Device) => 4,
        None => 5,
    };
    group(a) == group(b)
}

fn edge_of(cue: Cue) -> Option<Edge> {
    Some(match cue {
        Cue::Started => Edge::Start,
        Cue::Stopped => Edge::End,
        Cue::Held => Edge::Hold,
        Cue::Restarted => Edge::Restart,
        Cue::DoseUp => Edge::DoseUp,
        Cue::DoseDown => Edge::DoseDown,
        _ => return None,
    })
}

fn stay_edge(edge: Edge) -> Draft {
    let text = if edge == Edge::Admission { "admission" } else { "discharge" };
    Draft {
        terms: vec![Term { text: text.into(), ..Term::default() }],
        slot_kind: SlotKind::Encounter,
        encounter: true,
        edge: Some(edge),
        typed: text.into(),
        ..Draft::default()
    }
}

fn zero(span: &Span) -> Span {
    Span { amount: "0".into(), unit: span.unit }
}

fn verbish(word: &str) -> bool {
    word.ends_with("ed") || word.ends_with("ing")
}

pub(crate) fn span_text(span: &Span) -> String {
    let unit = match span.unit {
        SpanUnit::Minutes => "minute",
        SpanUnit::Hours => "hour",
        SpanUnit::Days => "day",
        SpanUnit::Weeks => "week",
        SpanUnit::Months => "month",
        SpanUnit::Years => "year",
    };
    let plural = if span.amount == "1" { "" } else { "s" };
    format!("{} {unit}{plural}", span.amount)
}

/// What a clause asks for.
pub(crate) fn want(clause: &Clause) -> Want {
    if clause.find { Want::Find } else { Want::Verify }
}
