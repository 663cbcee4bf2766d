//! The contract: what is admitted, what is excluded and why, and a bundle that cannot be forged.

use chartproof_evidence::contract::{Examined, Target, freeze};
use chartproof_evidence::query::{ConceptSpec, Query, Relation, RelationKind, Scope, ScopeLevel, Slot, Term};
use chartproof_evidence::{
    BindingRole, Bundle, Candidate, Context, ContextKind, Coverage, ExclusionReason, Item, Known, ScopeStatus,
    SlotBinding, fact,
};
use chartproof_ingest::{Input, Limits, read_all};
use chartproof_record::{OccurrenceIx, Record};

const ROWS: &str = r#"{"resourceType":"Patient","id":"p"}
{"resourceType":"Patient","id":"q"}
{"resourceType":"Encounter","id":"a","status":"finished","class":{"code":"IMP"},"subject":{"reference":"Patient/p"},"period":{"start":"2031-03-01T06:00:00+00:00","end":"2031-03-04T12:00:00+00:00"}}
{"resourceType":"Condition","id":"in","code":{"text":"Gout"},"subject":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/a"},"recordedDate":"2031-03-02"}
{"resourceType":"Condition","id":"void","verificationStatus":{"coding":[{"code":"entered-in-error"}]},"code":{"text":"Gout"},"subject":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/a"}}
{"resourceType":"Condition","id":"loose","code":{"text":"Gout"},"subject":{"reference":"Patient/p"}}
{"resourceType":"Condition","id":"other","code":{"text":"Gout"},"subject":{"reference":"Patient/q"}}"#;

fn record() -> Record {
    let (record, refused) = read_all([Input::new("rows.ndjson", ROWS)], Limits::standard());
    assert!(refused.is_empty(), "{refused:?}");
    record.expect("a record")
}

fn query(reference: Option<&str>) -> Query {
    let term = Term { text: "gout".into(), ..Term::default() };
    Query {
        want: Default::default(),
        slots: vec![Slot {
            id: "e0".into(),
            concept: ConceptSpec { any_of: vec![term], except: Vec::new() },
            ..Slot::default()
        }],
        relations: vec![Relation { kind: RelationKind::Documented, subject: "e0".into(), object: None, window: None }],
        scope: Scope { level: ScopeLevel::Encounter, reference: reference.map(str::to_owned), assumed: false },
        quantifier: Default::default(),
    }
}

/// The candidate of a row as discovery would hand it over.
fn candidate(record: &Record, known: &Known, id: &str) -> Candidate {
    let ix = known.occurrence(record, id).expect(id);
    let o = &record.occurrences[ix.0 as usize];
    let item = Item {
        id: String::new(),
        patient: record.patients[o.patient.0 as usize].key.to_string(),
        bindings: vec![SlotBinding {
            slot: "e0".into(),
            facts: vec![0],
            matched: "name".into(),
            role: BindingRole::Statement,
        }],
        facts: vec![fact::of_row(record, known, OccurrenceIx(ix.0), &|_, _| Vec::new())],
        context: Context {
            kind: ContextKind::Row,
            text: "Gout".into(),
            note_type: None,
            section: None,
            mentions: Vec::new(),
            copies: Vec::new(),
        },
        citations: vec![record.cite(o.source, "/code/text", &[], None).expect("it is there")],
        scope: ScopeStatus::Unknown,
    };
    Candidate { item }
}

fn frozen(record: &Record, query: &Query, candidates: Vec<Candidate>) -> (Bundle, Vec<(ExclusionReason, String)>) {
    let known = Known::of(record);
    let target = Target { record, known: &known, query, patient: "Patient/p", assessor: "test" };
    let mut examined = Examined::default();
    examined.add(target, candidates);
    let (bundle, excluded) = freeze(target, &examined, Coverage { complete: true, ..Coverage::default() });
    (bundle, excluded.into_iter().map(|e| (e.reason, e.item.facts[0].id.clone())).collect())
}

#[test]
fn each_part_of_the_contract_excludes_with_its_reason() {
    let record = record();
    let known = Known::of(&record);
    let all = |id: &str| candidate(&record, &known, id);
    let mut forged = all("Condition/in#");
    forged.item.citations[0].quote = "Gouts".into();
    let mut invented = all("Condition/in#");
    invented.item.facts[0].id = "Condition/none#".into();
    let candidates = vec![
        all("Condition/in#"),
        all("Condition/void#"),
        all("Condition/loose#"),
        all("Condition/other#"),
        forged,
        invented,
    ];
    let (bundle, excluded) = frozen(&record, &query(Some("Encounter/a")), candidates);
    let admitted: Vec<(&str, ScopeStatus)> = bundle.items().iter().map(|i| (i.facts[0].id.as_str(), i.scope)).collect();
    let mut sorted = admitted.clone();
    sorted.sort();
    assert_eq!(sorted, [("Condition/in#", ScopeStatus::Valid), ("Condition/loose#", ScopeStatus::Unknown)]);
    for expected in [
        (ExclusionReason::OtherPatient, "Condition/other#"),
        (ExclusionReason::Void, "Condition/void#"),
        (ExclusionReason::NoSource, "Condition/in#"),
        (ExclusionReason::Unbound, "Condition/none#"),
    ] {
        assert!(excluded.contains(&(expected.0, expected.1.to_owned())), "{expected:?} in {excluded:?}");
    }
    let (bundle, excluded) = frozen(&record, &query(Some("Encounter/z")), vec![all("Condition/in#")]);
    assert!(bundle.items().is_empty());
    assert_eq!(excluded, [(ExclusionReason::OtherEncounter, "Condition/in#".to_owned())]);
}

#[test]
fn a_bundle_reopens_and_refuses_changes() {
    let record = record();
    let known = Known::of(&record);
    let (bundle, _) = frozen(&record, &query(None), vec![candidate(&record, &known, "Condition/in#")]);
    let json = bundle.to_json();
    assert_eq!(Bundle::open(&json), Ok(bundle));
    assert!(Bundle::open(&json.replace("Gout", "Flu!")).is_err());
    assert!(Bundle::open("{}").is_err());
    assert!(Bundle::open("[1").is_err());
}
