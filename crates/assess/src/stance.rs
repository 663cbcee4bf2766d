//! What one fact says about a slot's event: for it, against it, or neither.

use chartproof_evidence::query::{Slot, SlotKind, SlotState, ValueCondition};
use chartproof_evidence::{ContextKind, Fact, Item};
use chartproof_notes::{
    Asserter as _, Certainty, CueAsserter, Experiencer, GivenCue, Polarity, Temporality, given_cue,
};
use chartproof_record::{ClinicalStatus, Kind, Standing, TimeRole};
use chartproof_terms::{LabelReading, expand, read_label};

use crate::numeric;

/// What a fact says about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// It is stated.
    Affirm,
    /// It is stated not to be.
    Deny,
    /// It is suspected.
    Suspect,
    /// It was, before this course.
    Past,
    /// It says nothing about this patient's event (family, plan, other meaning).
    Silent,
}

/// The exposure ladder, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rung {
    /// No exposure at all.
    None,
    /// Ordered.
    Order,
    /// On a list of what the patient takes.
    Listed,
    /// Dispensed.
    Dispensed,
    /// A note says it was received.
    Told,
    /// A serum level was measured.
    Level,
    /// Given.
    Given,
}

impl Rung {
    /// The word shown.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::None => "not recorded",
            Self::Order => "ordered",
            Self::Listed => "listed as taken",
            Self::Dispensed => "dispensed",
            Self::Told => "received, as a note says",
            Self::Level => "a level was measured",
            Self::Given => "given",
        }
    }
}

/// A fact read for a slot.
#[derive(Clone, Debug)]
pub(crate) struct Reading<'a> {
    /// Its item.
    pub(crate) item: &'a Item,
    /// The fact.
    pub(crate) fact: &'a Fact,
    /// What it says.
    pub(crate) stance: Stance,
    /// The words or code that decided.
    pub(crate) trigger: Option<String>,
    /// Strength of the exposure.
    pub(crate) rung: Rung,
    /// The event was there on arrival.
    pub(crate) on_admission: bool,
    /// It is stated to be over.
    pub(crate) over: bool,
}

/// Whether a slot asks for an exposure.
pub(crate) fn is_exposure(slot: &Slot) -> bool {
    matches!(slot.kind, SlotKind::Given | SlotKind::Exposure)
}

/// Reads a fact of an item for a slot.
pub(crate) fn read<'a>(slot: &Slot, item: &'a Item, at: usize) -> Reading<'a> {
    let fact = &item.facts[at];
    let silent = Reading {
        item,
        fact,
        stance: Stance::Silent,
        trigger: None,
        rung: Rung::None,
        on_admission: false,
        over: false,
    };
    let mut reading = if item.context.kind == ContextKind::Span {
        read_mention(slot, item, at).unwrap_or(silent)
    } else {
        read_row(slot, item, fact)
    };
    if let Some(condition) = &slot.value {
        apply_condition(slot, condition, &mut reading);
    }
    if slot.state == SlotState::Present && reading.stance == Stance::Affirm && reading.over {
        // "Has" asks for what is there still.
        reading.stance = Stance::Deny;
        reading.trigger.get_or_insert_with(|| "resolved".to_owned());
    }
    reading
}

fn read_row<'a>(slot: &Slot, item: &'a Item, fact: &'a Fact) -> Reading<'a> {
    let mut stance = match fact.standing {
        Standing::Affirmed => Stance::Affirm,
        Standing::Negative => Stance::Deny,
        Standing::Uncertain => Stance::Suspect,
        Standing::Void => Stance::Silent,
    };
    let mut trigger = fact.standing_word.clone();
    let told =
        matches!(fact.kind, Kind::Condition | Kind::Finding | Kind::AdverseEvent | Kind::Report | Kind::Procedure);
    if told && (fact.value.is_none() || fact.kind == Kind::Finding) {
        let readings = slot.concept.any_of.iter().filter_map(|t| read_label(&expand(&t.text), &fact.label));
        let said = match readings.into_iter().next() {
            Some(LabelReading::History) => Some(Stance::Past),
            Some(LabelReading::Suspected) => Some(Stance::Suspect),
            Some(LabelReading::Family) => Some(Stance::Silent),
            Some(LabelReading::Absent) => {
                // "No AKI", entered as refuted, is not a double negation: it stays a denial.
                Some(Stance::Deny)
            }
            Some(LabelReading::Named(_)) | None => None,
        };
        if let Some(said) = said.filter(|_| stance != Stance::Silent && stance != Stance::Deny) {
            stance = said;
            trigger = Some(fact.label.clone());
        }
    }
    let rung = match fact.kind {
        Kind::MedicationGiven | Kind::Immunization => Rung::Given,
        Kind::Procedure if is_exposure(slot) => Rung::Given,
        Kind::Lab if is_exposure(slot) => Rung::Level,
        Kind::MedicationDispense => Rung::Dispensed,
        Kind::MedicationStatement => Rung::Listed,
        Kind::MedicationOrder | Kind::ServiceOrder => Rung::Order,
        _ => Rung::None,
    };
    // A dose or a statement refused or not taken denies; an order that was never to be carried out says nothing of
    // the dose.
    if stance == Stance::Deny && rung == Rung::Order && slot.kind == SlotKind::Given {
        stance = Stance::Silent;
    }
    if trigger.is_none() && matches!(fact.clinical_status, Some(ClinicalStatus::Resolved)) {
        trigger = Some("resolved".to_owned());
    }
    let over = matches!(fact.clinical_status, Some(ClinicalStatus::Resolved | ClinicalStatus::Inactive))
        || fact.times.iter().any(|t| t.role == TimeRole::Abated);
    Reading { item, fact, stance, trigger, rung, on_admission: fact.on_admission == Some(true), over }
}

fn read_mention<'a>(slot: &Slot, item: &'a Item, at: usize) -> Option<Reading<'a>> {
    let fact = &item.facts[at];
    let mention = item.context.mentions.iter().find(|m| m.fact == at)?;
    let target = (mention.start, mention.end);
    let assertion = CueAsserter.assert(&item.context.text, target, item.context.section.as_deref());
    let mut trigger = (!assertion.triggers.is_empty())
        .then(|| assertion.triggers.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(", "));
    let stance = match &assertion {
        a if a.experiencer != Experiencer::Patient => Stance::Silent,
        a if a.temporality == Temporality::Hypothetical => Stance::Silent,
        // "Unlikely" is no rule-out.
        a if a.certainty == Certainty::Uncertain => Stance::Suspect,
        // "No prior AKI" and "no AKI on arrival" deny another time than the one they are told in.
        a if a.polarity == Polarity::Negated && (a.temporality == Temporality::Historical || a.on_admission) => {
            Stance::Silent
        }
        a if a.polarity == Polarity::Negated => Stance::Deny,
        a if a.temporality == Temporality::Historical => Stance::Past,
        _ => Stance::Affirm,
    };
    let mut reading = Reading {
        item,
        fact,
        stance,
        trigger: None,
        rung: Rung::None,
        on_admission: assertion.on_admission,
        over: assertion.resolved,
    };
    if is_exposure(slot) {
        let told = given_cue(&item.context.text, target);
        reading.stance = match (stance, told) {
            (Stance::Silent, _) => Stance::Silent,
            (_, Some(GivenCue::NotGiven | GivenCue::Refused)) => Stance::Deny,
            // What is held back now may have been given before, and what is planned may never be.
            (_, Some(GivenCue::Planned | GivenCue::Held)) => Stance::Silent,
            (Stance::Affirm | Stance::Past, Some(GivenCue::Given)) => stance,
            (Stance::Deny, _) => Stance::Deny,
            // A drug that is only named (in an allergy, a level to be drawn) is no exposure.
            _ => Stance::Silent,
        };
        if reading.stance == Stance::Affirm {
            reading.rung = Rung::Told;
        }
    } else if slot.kind == SlotKind::Order {
        reading.stance = Stance::Silent;
    }
    if trigger.is_none() && reading.stance == Stance::Silent {
        trigger = Some("named without a statement that it happened".to_owned());
    }
    reading.trigger = trigger;
    Some(reading)
}

/// A value condition: met affirms, not met denies, undecidable suspects; a row without a value is silent.
fn apply_condition(slot: &Slot, condition: &ValueCondition, reading: &mut Reading<'_>) {
    if reading.stance != Stance::Affirm {
        return;
    }
    if reading.item.context.kind == ContextKind::Span {
        // A value quoted in a note is second to the row; it is shown and decides nothing.
        reading.stance = Stance::Silent;
        return;
    }
    let check = numeric::check(slot, condition, reading.fact);
    reading.stance = match check.met {
        Some(true) => Stance::Affirm,
        Some(false) => Stance::Deny,
        None if reading.fact.value.is_none() => Stance::Silent,
        None => Stance::Suspect,
    };
    reading.trigger = check.shown;
}
