//! The graph holds edges of four kinds and nothing else; reasons, causes and suspects are no edges.

use chartproof_graph::{EdgeKind, build};
use chartproof_ingest::{Input, Limits, read_all};
use chartproof_record::Record;

fn read(rows: &[&str]) -> Record {
    let (record, refused) = read_all([Input::new("rows.ndjson", rows.join("\n"))], Limits::standard());
    assert!(refused.is_empty(), "{refused:?}");
    record.expect("a record")
}

const PATIENT: &str = r#"{"resourceType":"Patient","id":"p"}"#;
const STAY_A: &str = r#"{"resourceType":"Encounter","id":"a","status":"finished","class":{"code":"IMP"},"subject":{"reference":"Patient/p"},"period":{"start":"2031-03-01T06:00:00+00:00","end":"2031-03-04T12:00:00+00:00"}}"#;
const STAY_B: &str = r#"{"resourceType":"Encounter","id":"b","status":"finished","class":{"code":"IMP"},"subject":{"reference":"Patient/p"},"period":{"start":"2031-05-01T06:00:00+00:00","end":"2031-05-04T12:00:00+00:00"}}"#;

fn lab(id: &str, encounter: &str, at: &str) -> String {
    format!(
        r#"{{"resourceType":"Observation","id":"{id}","status":"final","category":[{{"coding":[{{"code":"laboratory"}}]}}],"code":{{"coding":[{{"system":"http://loinc.org","code":"2160-0"}}],"text":"Creatinine"}},"subject":{{"reference":"Patient/p"}},"encounter":{{"reference":"Encounter/{encounter}"}},"effectiveDateTime":"{at}","valueQuantity":{{"value":1.0,"unit":"mg/dL"}}}}"#
    )
}

#[test]
fn edges_are_of_the_four_kinds_between_the_right_events() {
    let labs = [
        lab("l1", "a", "2031-03-01T08:00:00+00:00"),
        lab("l2", "a", "2031-03-02T08:00:00+00:00"),
        lab("l3", "b", "2031-05-01T08:00:00+00:00"),
    ];
    let order = r#"{"resourceType":"MedicationRequest","id":"o","status":"active","intent":"order","medicationCodeableConcept":{"text":"Vancomycin"},"subject":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/a"},"authoredOn":"2031-03-01T09:00:00+00:00","reasonReference":[{"reference":"Condition/c"}]}"#;
    let given = r#"{"resourceType":"MedicationAdministration","id":"g","status":"completed","medicationCodeableConcept":{"text":"Vancomycin"},"subject":{"reference":"Patient/p"},"context":{"reference":"Encounter/a"},"effectiveDateTime":"2031-03-01T10:00:00+00:00","request":{"reference":"MedicationRequest/o"}}"#;
    let condition = r#"{"resourceType":"Condition","id":"c","code":{"text":"Cellulitis"},"subject":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/a"},"onsetDateTime":"2031-03-01T07:00:00+00:00"}"#;
    let void = r#"{"resourceType":"Condition","id":"v","verificationStatus":{"coding":[{"code":"entered-in-error"}]},"code":{"text":"Gout"},"subject":{"reference":"Patient/p"},"encounter":{"reference":"Encounter/a"},"onsetDateTime":"2031-03-01T07:30:00+00:00"}"#;
    let mut rows = vec![PATIENT, STAY_A, STAY_B, order, given, condition, void];
    rows.extend(labs.iter().map(String::as_str));
    let record = read(&rows);
    let exported = build(&record).export(&record);
    let has = |a: &str, b: &str, kind: EdgeKind| {
        let (a, b) = (format!("{a}#"), format!("{b}#"));
        exported.edges.iter().any(|(x, y, k)| *k == kind && ((*x == a && *y == b) || (*x == b && *y == a)))
    };
    assert!(has("Condition/c", "Observation/l1", EdgeKind::TimeAdj), "{exported:#?}");
    assert!(has("Observation/l1", "MedicationRequest/o", EdgeKind::TimeAdj));
    assert!(has("Observation/l2", "Observation/l3", EdgeKind::EncAdj));
    assert!(has("Observation/l1", "Observation/l2", EdgeKind::SameConcept));
    assert!(has("Observation/l2", "Observation/l3", EdgeKind::SameConcept));
    assert!(has("MedicationAdministration/g", "MedicationRequest/o", EdgeKind::RecordedRef));
    // The order's reason is evidence, not an edge; a void row is no node.
    let touches = |a: &str, b: &str| EdgeKind::ALL.iter().any(|k| *k != EdgeKind::TimeAdj && has(a, b, *k));
    assert!(!touches("MedicationRequest/o", "Condition/c"));
    assert!(exported.nodes.iter().all(|n| n.id != "Condition/v#"));
    assert!(exported.edges.iter().all(|(a, b, _)| a != b));
}

#[test]
fn order_of_rows_does_not_matter() {
    let labs: Vec<String> =
        (1..=5).map(|n| lab(&format!("l{n}"), "a", &format!("2031-03-0{}T08:00:00+00:00", n.min(3)))).collect();
    let mut rows = vec![PATIENT, STAY_A];
    rows.extend(labs.iter().map(String::as_str));
    let record = read(&rows);
    rows.reverse();
    let again = read(&rows);
    assert_eq!(build(&record).export(&record), build(&again).export(&again));
}
