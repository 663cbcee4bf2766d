//! Reads the tokens of a question from left to right into clauses of slots and links.

use chartproof_evidence::query::{
    Assumption, Basis, Count, Counting, Direction, Edge, Measure, Op, RelationKind, Selector, SlotKind, SourceFilter,
    Span, SpanUnit, Term, Unresolved, ValueCondition, Want, Window,
};
use chartproof_terms::{Entry, TermKind, lookup, near_word, units};

use crate::lexicon::{self, Cue, NOT_NOUN, NOT_SLIPS};
use crate::token::{Kind, Token, tokens};

mod cues;
mod events;
mod labels;
mod numbers;
mod relations;
mod state;
mod verbs;

/// A slot under construction.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// Where the course was said, should it find no relation.
    pub(crate) course_said: Option<Unresolved>,
    pub(crate) verb: Option<Cue>,
    pub(crate) historical: bool,
    /// It must be there still.
    pub(crate) present: bool,
    pub(crate) typed: String,
    /// Tokens it was read from.
    pub(crate) place: std::ops::Range<usize>,
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
    /// Read, and says nothing by itself.
    Silent,
    Left {
        why: &'static str,
        blocking: bool,
    },
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
    let tokens = tokens(question);
    let chars: Vec<char> = question.chars().collect();
    let labels = labels::labels(&tokens, &chars);
    let once = |labels: &[&labels::Label]| {
        let mut reader = Reader::new(question, labels);
        reader.foreign();
        reader.run();
        reader.finish()
    };
    let sure: Vec<&labels::Label> = labels.iter().filter(|l| l.sure).collect();
    let first = once(&sure);
    // Words that the grammar does not understand may be the name of one event.
    let broken = |l: &&labels::Label| {
        let (start, end) = (tokens[l.from].start, tokens[l.to - 1].end);
        l.sure
            || first.clauses.is_empty()
            || first
                .unresolved
                .iter()
                .any(|u| u.blocking && u.start < end && start < u.end && u.why != FOREIGN && u.why != DATE)
    };
    let named: Vec<&labels::Label> = labels.iter().filter(broken).collect();
    if named.len() == sure.len() {
        return first;
    }
    let second = once(&named);
    let blocked = |r: &Reading| r.unresolved.iter().filter(|u| u.blocking).map(|u| u.end - u.start).sum::<usize>();
    if second.clauses.is_empty() || blocked(&second) >= blocked(&first) && !first.clauses.is_empty() {
        return first;
    }
    second
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
    verbs: Vec<(Cue, usize)>,
    no: Option<usize>,
    direction: Option<(Direction, usize)>,
    flag: Option<(ValueCondition, usize)>,
    selector: Option<(Selector, usize)>,
    count: Option<(u32, usize)>,
    route: Option<(String, usize)>,
    dose: Option<(String, Vec<usize>)>,
    historical: bool,
    allergy: Option<usize>,
    /// "active", "has": the event to come must be there still.
    now: Option<usize>,
    /// "another": the event to come is not one named before.
    another: Option<usize>,
    side: Option<(String, usize)>,
    /// "already", at these places.
    already: Vec<usize>,
    /// The event just read found no place: what is said of it finds none either.
    orphan: bool,
    /// The event just read is one of a list.
    other_last: bool,
    between: bool,
    /// First token of the clause.
    begin: usize,
    coordinate: Option<(Cue, usize)>,
    trend_open: Option<usize>,
    assumptions: Vec<Assumption>,
}

impl Reader {
    fn new(question: &str, labels: &[&labels::Label]) -> Self {
        let mut tokens = tokens(question);
        for label in labels.iter().rev() {
            let end = tokens[label.to - 1].end;
            tokens.drain(label.from + 1..label.to);
            let token = &mut tokens[label.from];
            token.kind = Kind::Word;
            token.end = end;
            token.low = label.text.to_lowercase();
            token.raw.clone_from(&label.text);
            token.label = Some(label.text.clone());
        }
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
            verbs: Vec::new(),
            no: None,
            direction: None,
            flag: None,
            selector: None,
            count: None,
            route: None,
            dose: None,
            historical: false,
            allergy: None,
            now: None,
            another: None,
            side: None,
            already: Vec::new(),
            orphan: false,
            other_last: false,
            between: false,
            begin: 0,
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
                || token.label.is_some()
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
            let name =
                i > 0 && token.raw.starts_with(char::is_uppercase) && token.raw.chars().skip(1).any(char::is_lowercase);
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
            "drop table",
            "drop database",
            "delete from",
            "insert into",
            "union select",
            "select from",
            "ignore previous",
            "ignore all",
            "ignore the",
            "disregard previous",
            "disregard all",
            "system prompt",
            "script",
            "truncate table",
        ];
        let mut i = 0;
        while i < self.tokens.len() {
            let select = self.tokens[i].is("select") && self.tokens.get(i + 1).and_then(Token::mark) == Some('*');
            let script = self.tokens[i].is("script") && i > 0 && self.tokens[i - 1].kind == Kind::Op(Op::Lt);
            let starts = STARTS.iter().any(|s| *s != "script" && lexicon::matches(&self.tokens, i, s).is_some());
            if !(select || script || starts) {
                i += 1;
                continue;
            }
            let symbol = |t: &Token| !matches!(t.kind, Kind::Word | Kind::Number(_) | Kind::Date | Kind::Clock(_));
            let mut from = i;
            while from > 0 && symbol(&self.tokens[from - 1]) && !matches!(self.tokens[from - 1].mark(), Some('?' | '.'))
            {
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

    fn pass(&mut self, count: usize) {
        let from = self.at;
        self.take(count);
        for fate in &mut self.fate[from..self.at.min(self.tokens.len())] {
            if *fate == Fate::Used {
                *fate = Fate::Silent;
            }
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
        if token.label.is_some() {
            return self.label();
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
                self.pass(1);
                self.close();
            }
            '.' => {
                let ends = self.at + 1 == self.tokens.len() || !self.tokens[self.at + 1].glued;
                let abbreviation = self.at > 0 && self.tokens[self.at - 1].low.chars().count() <= 2;
                self.pass(1);
                if ends && !abbreviation {
                    self.close();
                }
            }
            ',' => {
                self.pass(1);
                if self.cue(0).is_some_and(|(c, l)| c == Cue::Aux && self.at + l < self.tokens.len())
                    && !self.clause.is_empty()
                    && self.front.is_none()
                {
                    self.close();
                }
            }
            '/' if self.clause.slots.last().is_some() && self.concept(1).is_some() && self.pending.is_none() => {
                self.coordinate = Some((Cue::Or, self.at));
                self.pass(1);
            }
            '/' | '%' | '~' | '±' | '*' | '^' | '#' | '$' | '@' | '\\' => self.leave(1, NOT_READ),
            c if c.is_ascii() || "‘’“”–—…•·«»¿¡".contains(c) => self.pass(1),
            _ => self.leave(1, FOREIGN),
        }
    }

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
        lone.extend(self.allergy.take());
        lone.extend(self.another.take());
        lone.extend(self.side.take().map(|d| d.1));
        lone.extend(self.now.take().filter(|at| self.cue_at(*at) == Some(Cue::Now)));
        self.end_list();
        self.settle_already();
        let empty = self.clause.slots.is_empty();
        lone.extend(std::mem::take(&mut self.verbs).into_iter().filter(|v| empty || v.0 != Cue::Present).map(|v| v.1));
        self.leave_at(&lone, NO_RELATION);
        let clause = std::mem::take(&mut self.clause);
        let begin = std::mem::replace(&mut self.begin, self.at.min(self.tokens.len()));
        if clause.is_empty() {
            self.nothing(&clause, begin);
        }
        self.head = None;
        self.orphan = false;
        self.between = false;
        self.trend_open = None;
        self.historical = false;
        let known = clause.slots.iter().any(|s| s.kind.is_some() || s.encounter);
        if !clause.is_empty() && (known || clause.framed) {
            self.clauses.push(clause);
        } else if !clause.is_empty() {
            // Unknown words without a clinical frame are no question about a record.
            for slot in clause.slots {
                let at: Vec<usize> = slot.place.collect();
                self.leave_at(&at, NOT_READ);
            }
        }
    }

    /// A clause without an event: "Was X documented? In this admission." speaks of the claim before it; anything else
    /// it says is listed.
    fn nothing(&mut self, clause: &Clause, begin: usize) {
        let mut free = clause.scope.is_some();
        if let (Some(scope), Some(earlier)) = (clause.scope, self.clauses.last_mut())
            && earlier.scope.is_none()
        {
            earlier.scope = Some(scope);
            free = false;
        }
        let only_scope = clause.scope.is_some() && !free && !clause.every && !clause.find;
        let used: Vec<usize> =
            (begin..self.at.min(self.tokens.len())).filter(|i| self.fate[*i] == Fate::Used).collect();
        if !only_scope {
            self.leave_at(&used, NO_RELATION);
        }
    }

    fn finish(mut self) -> Reading {
        let mut unresolved: Vec<Unresolved> = Vec::new();
        for i in 0..self.tokens.len() {
            let (why, blocking) = match &self.fate[i] {
                Fate::Used | Fate::Silent => continue,
                Fate::Open => (NOT_READ, true),
                Fate::Left { why, blocking } => (*why, *blocking),
            };
            let token = &self.tokens[i];
            // A symbol that is no part of any notation used here changes nothing.
            let symbol =
                matches!(token.kind, Kind::Mark(c) if !c.is_ascii() || c == '@' || c == '#' || c == '\\' || c == '$');
            let blocking = blocking && !symbol;
            let joins = i > 0 && !matches!(self.fate[i - 1], Fate::Used | Fate::Silent);
            match unresolved.last_mut() {
                Some(last) if joins && last.why == why && last.blocking == blocking && last.end <= token.start => {
                    last.end = token.end
                }
                _ => unresolved.push(Unresolved {
                    text: String::new(),
                    start: token.start,
                    end: token.end,
                    blocking,
                    why: why.to_owned(),
                }),
            }
        }
        unresolved.sort_by_key(|u| (u.start, u.end));
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
