//! The elements that resources share: concepts, references, times, quantities, standings, annotations.

use std::borrow::Cow;
use std::sync::Arc;

use chartproof_record::json::{Kind as Json, Node};
use chartproof_record::{
    Binding, ClinicalTime, Code, Coding, Comparator, Concept, Decode, Detail, Kind, Link, LinkKind, Note, Occurrence,
    OccurrenceId, PatientIx, Quantity, Severity, SourceIx, Stamp, Standing, StandingReason, TimeRole, Value,
};

use super::{Cx, server_of, tail_of_url};
use crate::load::{Event, NoteRow, RefIx, Reference, Row, Target, first, string};

/// A status code and what it makes of the row.
pub(crate) type Rule = (&'static str, Standing);

/// Why a row's standing is what it is.
pub(crate) type Reason = Option<Box<StandingReason>>;

/// What is said of a period whose end lies before its start.
pub(crate) const INVERTED: &str = "the end lies before the start; neither was used as a time";

/// Words that need no explanation.
const PLAIN: [&str; 7] = ["final", "completed", "active", "finished", "current", "confirmed", "available"];

/// SNOMED CT codes that state an absence.
const ABSENCE_CODES: [&str; 12] = [
    "716186003",
    "160244002",
    "409137002",
    "428607008",
    "429625007",
    "787481004",
    "787482006",
    "716184000",
    "716220001",
    "428197003",
    "1003774007",
    "160245001",
];

/// The more cautious of two standings, with its reason.
pub(crate) fn combine(a: (Standing, Reason), b: (Standing, Reason)) -> (Standing, Reason) {
    let weight = |s: Standing| match s {
        Standing::Void => 3,
        Standing::Negative => 2,
        Standing::Uncertain => 1,
        Standing::Affirmed => 0,
    };
    match weight(b.0).cmp(&weight(a.0)) {
        std::cmp::Ordering::Greater => b,
        std::cmp::Ordering::Less => a,
        std::cmp::Ordering::Equal => (a.0, a.1.or(b.1)),
    }
}

/// Splits a reference text: what it leads to, its normalised text and the type of its target.
pub(crate) fn known_reference(text: &str, scope: u32) -> (Target, Cow<'_, str>, &str) {
    if text.starts_with("urn:") {
        return (Target::Full { scope }, Cow::Borrowed(text), "");
    }
    if let Some((path, query)) = text.split_once('?') {
        let kind = path.rsplit('/').next().unwrap_or(path);
        let identifier = query.split('&').find_map(|p| p.strip_prefix("identifier="));
        let Some(identifier) = identifier else { return (Target::Text, Cow::Borrowed(text), kind) };
        let identifier = identifier.replace("%7C", "|").replace("%7c", "|").replace("%3A", ":").replace("%2F", "/");
        let (system, value) = identifier.split_once('|').unwrap_or(("", &identifier));
        let target = Target::Query { system: system.into(), value: value.into() };
        return (target, Cow::Owned(format!("{kind}?identifier={system}|{value}")), kind);
    }
    let text = text.find("/_history/").map_or(text, |at| &text[..at]);
    match tail_of_url(text).or_else(|| tail_of_url_at_start(text)) {
        Some(tail) => (Target::Key, Cow::Borrowed(tail), tail.split('/').next().unwrap_or("")),
        None => (Target::Full { scope }, Cow::Borrowed(text), ""),
    }
}

fn tail_of_url_at_start(text: &str) -> Option<&str> {
    let (kind, id) = text.split_once('/')?;
    let named = kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.bytes().all(|b| b.is_ascii_alphanumeric());
    (named && !id.is_empty() && !id.contains('/')).then_some(text)
}

impl<'a> Cx<'_, 'a> {
    pub(crate) fn text(&mut self, text: &str) -> Arc<str> {
        self.load.interner.text(text)
    }

    fn event(&mut self, severity: Severity, code: Code, location: String, message: &'static str, counted: bool) {
        self.load.events.push(Event {
            severity,
            code,
            about: Ok(self.draft),
            location,
            message: Cow::Borrowed(message),
            counted,
        });
    }

    /// A remark about this resource at a pointer.
    pub(crate) fn say(&mut self, severity: Severity, code: Code, pointer: &str, message: &'static str) {
        self.event(severity, code, pointer.to_owned(), message, false);
    }

    /// A remark that is counted by resource type; the first is shown with its pointer.
    pub(crate) fn count(&mut self, severity: Severity, code: Code, pointer: &str, message: &'static str) {
        self.event(severity, code, pointer.to_owned(), message, true);
    }

    /// Says that a search result left out parts of this resource.
    pub(super) fn subsetted(&mut self) {
        let tags = self.node.get("meta").and_then(|m| m.get("tag"));
        if tags.is_some_and(|tags| tags.items().any(|t| string(t, "code").as_deref() == Some("SUBSETTED"))) {
            self.count(
                Severity::Warning,
                Code::IncompleteRecord,
                "/meta/tag",
                "marked SUBSETTED: elements were left out by the server",
            );
        }
    }

    /// Whose the resource is.
    pub(super) fn subject(&mut self) -> Option<RefIx> {
        ["subject", "patient", "beneficiary"].iter().find_map(|key| {
            let node = first(self.node.get(key)?)?;
            self.reference(node)
        })
    }

    /// The encounter the resource names.
    pub(super) fn own_encounter(&mut self) -> Option<RefIx> {
        let mut named = None;
        for key in ["encounter", "context"] {
            let Some(node) = self.node.get(key).and_then(first) else { continue };
            let inner = node.get("encounter").and_then(first).unwrap_or(node);
            named = self.reference(inner);
            if named.is_some() {
                break;
            }
        }
        named
    }

    /// A reference that can be looked up; `None` for one with a display alone.
    pub(crate) fn reference(&mut self, node: Node<'_>) -> Option<RefIx> {
        let Some(text) = string(node, "reference") else {
            let identifier = node.get("identifier")?;
            let value = string(identifier, "value")?;
            let system = string(identifier, "system").unwrap_or_default();
            let kind = string(node, "type").unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default();
            let target_type = self.text(kind);
            return Some(self.load.reference(Reference {
                text: format!("{kind}?identifier={system}|{value}").into(),
                target: Target::Query { system: system.as_ref().into(), value: value.as_ref().into() },
                target_type,
                base: None,
            }));
        };
        if let Some(id) = text.strip_prefix('#') {
            let inside = self.contained.iter().find(|c| c.id == id).map(|c| c.draft);
            let own = if id.is_empty() { Some(self.parent.unwrap_or(self.draft)) } else { None };
            let (target, kind) = match inside.or(own) {
                Some(draft) => (Target::Direct(draft), Arc::clone(&self.load.drafts[draft as usize].resource_type)),
                None => (Target::Text, "".into()),
            };
            let text = text.as_ref().into();
            return Some(self.load.reference(Reference { target, text, target_type: kind, base: None }));
        }
        let (target, normal, kind) = known_reference(&text, self.scope);
        let kind = match string(node, "type") {
            Some(stated) if kind.is_empty() => self.text(&stated),
            _ => self.text(kind),
        };
        let base = match target {
            Target::Key => server_of(&text).map(|base| self.text(base)),
            _ => None,
        };
        Some(self.load.reference(Reference { target, text: normal.as_ref().into(), target_type: kind, base }))
    }

    /// The contained resource a reference names, with its pointer relative to this resource.
    pub(crate) fn contained(&self, node: Node<'_>) -> Option<(Node<'a>, String)> {
        if self.parent.is_some() {
            return None;
        }
        let text = string(node, "reference")?;
        let id = text.strip_prefix('#')?;
        let found = self.contained.iter().find(|c| c.id == id)?;
        Some((found.node, format!("/contained/{}", found.position)))
    }

    /// Reads a CodeableConcept, a Coding or a plain text; `None` when it says nothing.
    pub(crate) fn concept(&mut self, node: Node<'_>, pointer: &str) -> Option<Arc<Concept>> {
        let raw = node.raw();
        if let Some(known) = self.load.interner.known_concept(raw, pointer) {
            return Some(known);
        }
        let concept = match node.kind() {
            Json::String => {
                let text = node.as_str().filter(|t| !t.trim().is_empty())?;
                let text = self.text(&text);
                let label_pointer = self.text(pointer);
                Concept { text: Some(Arc::clone(&text)), label: text, label_pointer, ..Concept::default() }
            }
            Json::Object => self.coded(node, pointer)?,
            _ => return None,
        };
        let concept = Arc::new(concept);
        let pointer = self.text(pointer);
        self.load.interner.keep_concept(raw, pointer, &concept);
        Some(concept)
    }

    fn coded(&mut self, node: Node<'_>, pointer: &str) -> Option<Concept> {
        let mut codings = Vec::new();
        let mut shown: Option<(Arc<str>, String)> = None;
        let mut code_shown: Option<(Arc<str>, String)> = None;
        let single = node.get("coding").is_none() && (node.get("code").is_some() || node.get("display").is_some());
        let list: Vec<(String, Node<'_>)> = if single {
            vec![(pointer.to_owned(), node)]
        } else {
            node.get("coding")
                .into_iter()
                .flat_map(Node::items)
                .enumerate()
                .map(|(i, coding)| (format!("{pointer}/coding/{i}"), coding))
                .collect()
        };
        for (at, coding) in list {
            let system = string(coding, "system").unwrap_or_default();
            let code = string(coding, "code").unwrap_or_default();
            let display = string(coding, "display");
            if code.is_empty() && display.is_none() {
                continue;
            }
            let coding = Coding {
                system: self.text(&system),
                code: self.text(&code),
                display: display.as_deref().map(|d| self.text(d)),
            };
            if let (None, Some(display)) = (&shown, &coding.display) {
                shown = Some((Arc::clone(display), format!("{at}/display")));
            }
            if code_shown.is_none() && !coding.code.is_empty() {
                code_shown = Some((Arc::clone(&coding.code), format!("{at}/code")));
            }
            codings.push(coding);
        }
        let text = string(node, "text").filter(|t| !t.trim().is_empty()).map(|t| self.text(&t));
        let stated = text.as_ref().map(|t| (Arc::clone(t), format!("{pointer}/text")));
        let (label, at) = stated.or(shown).or(code_shown)?;
        let label_pointer = self.text(&at);
        Some(Concept { codings, text, label, label_pointer, source: None })
    }

    /// The concept of a member of this resource.
    pub(crate) fn concept_at(&mut self, key: &str) -> Option<Arc<Concept>> {
        let node = self.node.get(key)?;
        if node.kind() == Json::Array {
            let inner = node.items().next()?;
            return self.concept(inner, &format!("/{key}/0"));
        }
        self.concept(node, &format!("/{key}"))
    }

    /// The label of the first concept of a member of this resource.
    pub(crate) fn label_at(&mut self, key: &str) -> Option<Arc<str>> {
        self.concept_at(key).map(|c| Arc::clone(&c.label))
    }

    /// The display of a Reference as a concept to be cited.
    pub(crate) fn display(&mut self, reference: Node<'_>, pointer: &str) -> Option<Arc<Concept>> {
        let node = reference.get("display")?;
        self.concept(node, &format!("{pointer}/display"))
    }

    /// The display of a Reference, else its text: shown until the resource it names gives it a name.
    pub(crate) fn display_or_reference(&mut self, reference: Node<'_>, pointer: &str) -> Option<Arc<Concept>> {
        self.display(reference, pointer).or_else(|| {
            let node = reference.get("reference")?;
            self.concept(node, &format!("{pointer}/reference"))
        })
    }

    /// A time of this resource.
    pub(crate) fn time(&mut self, times: &mut Vec<Stamp>, role: TimeRole, key: &str) {
        if let Some(node) = self.node.get(key) {
            self.time_of(times, role, node, &format!("/{key}"));
        }
    }

    /// A time given as a value.
    pub(crate) fn time_of(&mut self, times: &mut Vec<Stamp>, role: TimeRole, node: Node<'_>, pointer: &str) {
        match node.as_str().and_then(|t| ClinicalTime::parse_iso(&t)) {
            Some(at) => times.push(Stamp::new(role, at, pointer)),
            None => self.say(
                Severity::Warning,
                Code::BadTime,
                pointer,
                "not a time of a known shape; the row was kept without it",
            ),
        }
    }

    /// Start and end of a Period of this resource.
    pub(crate) fn period(&mut self, times: &mut Vec<Stamp>, from: TimeRole, to: TimeRole, key: &str) {
        if let Some(node) = self.node.get(key) {
            self.period_of(times, from, to, node, &format!("/{key}"));
        }
    }

    /// Start and end of a Period given as a value.
    pub(crate) fn period_of(
        &mut self,
        times: &mut Vec<Stamp>,
        from: TimeRole,
        to: TimeRole,
        node: Node<'_>,
        pointer: &str,
    ) {
        let known = times.len();
        if let Some(start) = node.get("start") {
            self.time_of(times, from, start, &format!("{pointer}/start"));
        }
        if let Some(end) = node.get("end") {
            self.time_of(times, to, end, &format!("{pointer}/end"));
        }
        if let [start, end] = &times[known..]
            && end.at.order(&start.at) == chartproof_record::Order::Before
        {
            // Neither can be relied on; both stay in the source.
            times.truncate(known);
            self.say(Severity::Warning, Code::TimeContradiction, pointer, INVERTED);
        }
    }

    /// The code of a status member, with its pointer: a code, a CodeableConcept, or the first of a list.
    pub(crate) fn code_at(&self, key: &str) -> Option<(Cow<'a, str>, String)> {
        let mut node = self.node.get(key)?;
        let mut at = format!("/{key}");
        if node.kind() == Json::Array {
            node = node.items().next()?;
            at.push_str("/0");
        }
        if node.kind() != Json::Object {
            return node.as_str().filter(|s| !s.is_empty()).map(|s| (s, at));
        }
        let coded = node
            .get("coding")
            .into_iter()
            .flat_map(Node::items)
            .enumerate()
            .find_map(|(i, coding)| string(coding, "code").map(|code| (code, format!("{at}/coding/{i}/code"))));
        coded.or_else(|| string(node, "text").map(|text| (text, format!("{at}/text"))))
    }

    /// Where a code of the concept at `base` stands.
    fn code_pointer(&self, base: &str, code: &str) -> Option<String> {
        let mut node = self.node.pointer(base)?;
        let mut at = base.to_owned();
        if node.kind() == Json::Array {
            node = node.items().next()?;
            at.push_str("/0");
        }
        if string(node, "code").as_deref() == Some(code) {
            return Some(format!("{at}/code"));
        }
        let list = node.get("coding")?;
        let found = list.items().position(|coding| string(coding, "code").as_deref() == Some(code))?;
        Some(format!("{at}/coding/{found}/code"))
    }

    /// A status member looked up in rules. Absent or unknown words are said.
    pub(crate) fn status(&mut self, key: &str, rules: &[Rule]) -> (Standing, Reason) {
        let Some((code, pointer)) = self.code_at(key) else {
            self.count(Severity::Info, Code::UnknownStatus, "", "no status recorded; read as stated");
            return (Standing::Affirmed, None);
        };
        match rules.iter().find(|(word, _)| code.eq_ignore_ascii_case(word)) {
            Some((_, Standing::Affirmed)) if PLAIN.contains(&code.as_ref()) => (Standing::Affirmed, None),
            Some((_, standing)) => (*standing, self.reason(&code, &pointer)),
            None => {
                self.count(
                    Severity::Warning,
                    Code::UnknownStatus,
                    &pointer,
                    "a status that is not in the standard; read as uncertain",
                );
                (Standing::Uncertain, self.reason(&code, &pointer))
            }
        }
    }

    pub(crate) fn reason(&mut self, word: &str, pointer: &str) -> Reason {
        let (word, pointer) = (self.text(word), self.text(pointer));
        Some(Box::new(StandingReason { word, pointer }))
    }

    /// An extension of unknown meaning that may change the meaning of the whole resource.
    pub(crate) fn modified(&mut self, standing: (Standing, Reason)) -> (Standing, Reason) {
        let list = self.node.get("modifierExtension");
        let Some(url) = list.and_then(|l| l.items().next()).and_then(|e| string(e, "url")) else {
            return standing;
        };
        self.count(
            Severity::Warning,
            Code::UnknownStatus,
            "/modifierExtension/0",
            "a modifier extension may change the meaning; read as uncertain",
        );
        let url = url.into_owned();
        let reason = self.reason(&url, "/modifierExtension/0/url");
        combine(standing, (Standing::Uncertain, reason))
    }

    /// "No known allergy" and its like: a stated absence; "no information" is no statement at all.
    pub(crate) fn stated_absence(&mut self, concept: &Concept, pointer: &str) -> Option<(Standing, Reason)> {
        for coding in &concept.codings {
            let at = self.code_pointer(pointer, &coding.code).unwrap_or_else(|| concept.label_pointer.to_string());
            if ABSENCE_CODES.contains(&&*coding.code) || coding.code.starts_with("no-known-") {
                return Some((Standing::Negative, self.reason(&coding.code, &at)));
            }
            if coding.code.starts_with("no-") && coding.code.ends_with("-info") {
                return Some((Standing::Void, self.reason(&coding.code, &at)));
            }
        }
        let starts = |text: &str, with: &str| text.get(..with.len()).is_some_and(|t| t.eq_ignore_ascii_case(with));
        let label = concept.label.trim_start();
        let whole = label.trim_end().trim_end_matches('.');
        if ["no known ", "no current problems", "no history of allerg", "no allerg"].iter().any(|w| starts(label, w))
            || ["nka", "nkda", "nkfa", "none known"].iter().any(|w| whole.eq_ignore_ascii_case(w))
        {
            return Some((Standing::Negative, self.reason(label, &concept.label_pointer)));
        }
        if starts(label, "no information about ") {
            return Some((Standing::Void, self.reason(label, &concept.label_pointer)));
        }
        None
    }

    /// A row of this resource, not yet kept.
    pub(crate) fn row(&mut self, kind: Kind, concept: Option<Arc<Concept>>) -> Row {
        let nothing = self.text("");
        let concept = concept.unwrap_or_default();
        Row {
            occurrence: Occurrence {
                id: OccurrenceId(Arc::clone(&nothing)),
                patient: PatientIx(0),
                source: SourceIx(self.draft),
                pointer: nothing,
                kind,
                concept,
                value: None,
                reference_range: None,
                standing: Standing::Affirmed,
                standing_reason: None,
                encounter: Binding::Unknown,
                times: Vec::new(),
                detail: None,
                links: Vec::new(),
            },
            patient: self.patient,
            encounter: self.encounter,
            concept_ref: None,
            specimen: None,
            author: None,
            link_refs: Vec::new(),
        }
    }

    /// Keeps a row; one that says nothing is counted instead.
    pub(crate) fn keep(&mut self, row: Row) {
        if row.occurrence.concept.label.is_empty() && row.concept_ref.is_none() {
            self.count(
                Severity::Info,
                Code::UnusableRow,
                &Arc::clone(&row.occurrence.pointer),
                "no code or text: cannot be an event, kept as a source",
            );
            return;
        }
        self.load.rows.push(row);
    }

    /// Links for every Reference of a list member.
    pub(crate) fn refs(&mut self, row: &mut Row, kind: LinkKind, key: &str) {
        let Some(node) = self.node.get(key) else { return };
        if node.kind() == Json::Array {
            for (i, item) in node.items().enumerate() {
                self.link(row, kind, item, &format!("/{key}/{i}"), None);
            }
        } else {
            self.link(row, kind, node, &format!("/{key}"), None);
        }
    }

    /// A link from a Reference, a CodeableConcept or (R5) a CodeableReference.
    pub(crate) fn link(
        &mut self,
        row: &mut Row,
        kind: LinkKind,
        node: Node<'_>,
        pointer: &str,
        judgement: Option<Arc<str>>,
    ) {
        if node.kind() != Json::Object {
            return;
        }
        let judgement = judgement.unwrap_or_else(|| self.text(""));
        let (reference, reference_pointer, concept) = match (node.get("reference"), node.get("concept")) {
            // R5: {concept, reference: {reference}}
            (inner, concept) if concept.is_some() || inner.is_some_and(|r| r.kind() == Json::Object) => {
                let concept = concept.and_then(|c| self.concept(c, &format!("{pointer}/concept")));
                (inner, format!("{pointer}/reference"), concept)
            }
            (None, _) if node.get("identifier").is_none() && node.get("display").is_none() => {
                (None, String::new(), self.concept(node, pointer))
            }
            (None, _) if node.get("code").is_some() => (None, String::new(), self.concept(node, pointer)),
            _ => (Some(node), pointer.to_owned(), None),
        };
        let target = reference.and_then(|r| self.reference(r));
        let concept = concept.or_else(|| reference.and_then(|r| self.display(r, &reference_pointer)));
        let pointer = match (&target, &concept) {
            (Some(_), _) if reference.is_some_and(|r| r.get("reference").is_some()) => {
                self.text(&format!("{reference_pointer}/reference"))
            }
            (Some(_), _) => self.text(&format!("{reference_pointer}/identifier/value")),
            (None, Some(concept)) => Arc::clone(&concept.label_pointer),
            (None, None) => return,
        };
        if let Some(target) = target {
            row.link_refs.push((row.occurrence.links.len() as u32, target));
        }
        row.occurrence.links.push(Link { kind, target: None, concept, judgement, pointer });
    }

    /// Reasons: R4 `reasonCode` and `reasonReference`, R5 `reason`.
    pub(crate) fn reasons(&mut self, row: &mut Row) {
        for key in ["reasonCode", "reasonReference", "reason", "indication"] {
            self.refs(row, LinkKind::Reason, key);
        }
    }

    /// The author or performer of a row as displayed; else a reference to be looked up.
    pub(crate) fn author(&mut self, row: &mut Row, keys: &[&str]) {
        for key in keys {
            let Some(node) = self.node.get(key).and_then(first) else { continue };
            let actor = node.get("actor").unwrap_or(node);
            let role = node.get("function").or_else(|| node.get("role"));
            let label = role
                .and_then(|r| self.concept(r, ""))
                .or_else(|| self.display(actor, ""))
                .map(|c| Arc::clone(&c.label));
            if label.is_some() {
                detail(row).author = label;
                return;
            }
            row.author = self.reference(actor);
            if row.author.is_some() {
                return;
            }
        }
    }

    /// A Quantity, with its decimal text.
    pub(crate) fn quantity(&mut self, node: Node<'_>, pointer: &str) -> Option<Value> {
        let value = node.get("value")?;
        let at = self.text(&format!("{pointer}/value"));
        let unit = string(node, "unit").or_else(|| string(node, "code")).map(|u| self.text(&u));
        let number = if value.kind() == Json::Number { value.raw().parse::<f64>().ok() } else { None };
        match number.filter(|n| n.is_finite()) {
            Some(number) => {
                let comparator = match string(node, "comparator").as_deref() {
                    Some("<") => Some(Comparator::Below),
                    Some("<=") => Some(Comparator::AtMost),
                    Some(">=") => Some(Comparator::AtLeast),
                    Some(">") => Some(Comparator::Above),
                    _ => None,
                };
                let text = self.text(value.raw());
                Some(Value::Quantity { quantity: Quantity { text, number, comparator, unit }, pointer: at })
            }
            None => {
                let text = value.as_str().map_or_else(|| value.raw().to_owned(), Cow::into_owned);
                Some(Value::Text { text: self.text(&text), pointer: at })
            }
        }
    }

    /// A Quantity as one text, such as `500 mg`.
    pub(crate) fn quantity_text(&mut self, node: Node<'_>) -> Option<Arc<str>> {
        let value = self.quantity(node, "")?;
        let unit = match &value {
            Value::Text { .. } => string(node, "unit").or_else(|| string(node, "code")).map(|u| format!(" {u}")),
            _ => None,
        };
        Some(self.text(&format!("{}{}", value.display(), unit.unwrap_or_default())))
    }

    /// Text of a Range or Ratio of Quantities.
    fn pair_text(&mut self, node: Node<'_>, keys: [&str; 2], between: &str) -> Option<(String, &'static str)> {
        let low = node.get(keys[0]).and_then(|n| self.quantity_text(n));
        let high = node.get(keys[1]).and_then(|n| self.quantity_text(n));
        let at = match (keys[0], low.is_some()) {
            ("low", true) => "/low/value",
            ("low", false) => "/high/value",
            (_, true) => "/numerator/value",
            _ => "/denominator/value",
        };
        match (low, high) {
            (None, None) => None,
            (Some(one), None) => Some((format!("{one}{between}"), at)),
            (None, Some(one)) => Some((format!("{between}{one}"), at)),
            (Some(low), Some(high)) => Some((format!("{low}{between}{high}"), at)),
        }
    }

    /// A member `prefix[x]` of any value type, of `node` at `base`.
    pub(crate) fn value(&mut self, node: Node<'_>, base: &str, prefix: &str) -> Option<Value> {
        for (key, value) in node.members() {
            let Some(kind) = key.strip_prefix(prefix) else { continue };
            let pointer = format!("{base}/{key}");
            let read = match kind {
                "Quantity" | "Age" | "Duration" | "Count" | "SimpleQuantity" => self.quantity(value, &pointer),
                "CodeableConcept" | "Coding" => self.concept(value, &pointer).map(|concept| Value::Coded { concept }),
                "Boolean" => {
                    let pointer = self.text(&pointer);
                    value.as_bool().map(|value| Value::Truth { value, pointer })
                }
                "Integer" | "Decimal" | "PositiveInt" | "UnsignedInt" | "Integer64" => {
                    let text = value.as_str().map_or_else(|| value.raw().to_owned(), Cow::into_owned);
                    let at = self.text(&pointer);
                    match text.parse::<f64>().ok().filter(|n| n.is_finite() && value.kind() == Json::Number) {
                        Some(number) => {
                            let text = self.text(&text);
                            Some(Value::Quantity {
                                quantity: Quantity { text, number, comparator: None, unit: None },
                                pointer: at,
                            })
                        }
                        None => Some(Value::Text { text: self.text(&text), pointer: at }),
                    }
                }
                "String" | "DateTime" | "Time" | "Date" | "Instant" | "Markdown" | "Code" | "Uri" => {
                    let at = self.text(&pointer);
                    value.as_str().filter(|t| !t.is_empty()).map(|t| Value::Text { text: self.text(&t), pointer: at })
                }
                "Range" | "Ratio" => {
                    let range = kind == "Range";
                    let keys = if range { ["low", "high"] } else { ["numerator", "denominator"] };
                    let pair = self.pair_text(value, keys, if range { " - " } else { " : " });
                    pair.map(|(text, at)| Value::Text {
                        text: self.text(&text),
                        pointer: self.text(&format!("{pointer}{at}")),
                    })
                }
                "Period" => {
                    let start = string(value, "start").unwrap_or_default();
                    let end = string(value, "end").unwrap_or_default();
                    let at = if start.is_empty() { "end" } else { "start" };
                    let text = self.text(&format!("{start} - {end}"));
                    let pointer = self.text(&format!("{pointer}/{at}"));
                    (text.len() > 3).then_some(Value::Text { text, pointer })
                }
                "SampledData" => {
                    let at = self.text(&format!("{pointer}/data"));
                    string(value, "data").map(|t| Value::Text { text: t.as_ref().into(), pointer: at })
                }
                "Reference" => self.display(value, &pointer).map(|concept| Value::Coded { concept }),
                _ => None,
            };
            if read.is_some() {
                return read;
            }
        }
        None
    }

    /// A note of this resource whose text is the JSON string at `pointer`.
    pub(crate) fn plain_note(&mut self, row: &Row, text: &str, pointer: &str) {
        let note = Note {
            source: SourceIx(self.draft),
            pointer: self.text(pointer),
            decode: vec![Decode::JsonString],
            text: text.into(),
            patient: PatientIx(0),
            note_type: Arc::clone(&row.occurrence.concept),
            section: None,
            author: row.occurrence.detail.as_ref().and_then(|d| d.author.clone()),
            times: row.occurrence.times.clone(),
            encounter: Binding::Unknown,
            standing: if row.occurrence.standing == Standing::Void { Standing::Void } else { Standing::Affirmed },
            standing_reason: if row.occurrence.standing == Standing::Void {
                row.occurrence.standing_reason.clone()
            } else {
                None
            },
        };
        let (patient, encounter, author) = (row.patient, row.encounter, row.author);
        self.load.notes.push(NoteRow { note, patient, encounter, author, binary: None });
    }

    /// The annotations `note[]` (R4 `comment` where older data have it) of a row.
    pub(crate) fn annotations(&mut self, row: &Row) {
        if let Some(node) = self.node.get("note") {
            for (i, item) in node.items().enumerate() {
                let Some(text) = string(item, "text") else { continue };
                self.plain_note(row, &text, &format!("/note/{i}/text"));
                let mut times = Vec::new();
                if let Some(at) = item.get("time") {
                    self.time_of(&mut times, TimeRole::Documented, at, &format!("/note/{i}/time"));
                }
                let stated = string(item, "authorString").map(|a| self.text(&a));
                let author = stated.or_else(|| {
                    let reference = item.get("authorReference")?;
                    self.display(reference, "").map(|c| Arc::clone(&c.label))
                });
                if let Some(kept) = self.load.notes.last_mut() {
                    if !times.is_empty() {
                        kept.note.times = times;
                    }
                    if author.is_some() {
                        kept.note.author = author;
                    }
                }
            }
        }
        if let Some(text) = string(self.node, "comment") {
            self.plain_note(row, &text, "/comment");
        }
    }

    /// An extension of `node` whose URL ends in one of `names`.
    pub(crate) fn extension(&self, node: Node<'a>, names: &[&str]) -> Option<(usize, Node<'a>)> {
        let list = node.get("extension")?;
        list.items().enumerate().find(|(_, extension)| {
            string(*extension, "url").is_some_and(|url| {
                let tail = url.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
                names.iter().any(|name| tail == *name)
            })
        })
    }
}

/// The detail of a row, made when it is not there.
pub(crate) fn detail(row: &mut Row) -> &mut Detail {
    row.occurrence.detail.get_or_insert_default()
}
