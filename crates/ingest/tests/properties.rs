//! What holds for any bytes and any order.

mod common;

use chartproof_ingest::{Input, Limits, read_all};
use common::{dump, read};
use proptest::prelude::*;

const SMALL: &str = r##"{"resourceType":"Bundle","type":"collection","link":[{"relation":"next","url":"x"}],"entry":[
{"fullUrl":"urn:uuid:1","resource":{"resourceType":"Patient","id":"p"}},
{"resource":{"resourceType":"Observation","id":"o","contained":[{"resourceType":"Specimen","id":"s"}],"status":"final","code":{"coding":[{"system":"l","code":"1","display":"\u00e9\ud83d\ude00"}]},"subject":{"reference":"urn:uuid:1"},"specimen":{"reference":"#s"},"effectiveDateTime":"2024-01-01T10:00:00Z","valueQuantity":{"value":1.0e0,"unit":"mg"},"component":[{"code":{"text":"a"},"valueBoolean":true}],"note":[{"text":"n"}]}},
{"resource":{"resourceType":"DocumentReference","id":"d","status":"current","subject":{"reference":"Patient/p"},"content":[{"attachment":{"contentType":"text/plain","data":"aGVsbG8="}}]}}]}"##;

#[test]
fn a_file_cut_off_anywhere_never_panics() {
    for end in 0..SMALL.len() {
        if SMALL.is_char_boundary(end) {
            let (_, refusals) = read(&[("cut.json", &SMALL[..end])]);
            assert_eq!(refusals.len(), 1, "cut at {end}");
        }
    }
    assert!(read(&[("whole.json", SMALL)]).1.is_empty());
}

/// Any JSON of FHIR's words in the wrong places.
fn odd_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1.50".to_owned()),
        Just("-0".to_owned()),
        Just("\"2024-01\"".to_owned()),
        Just("\"#x\"".to_owned()),
        Just("\"Patient/p\"".to_owned()),
        Just("\"final\"".to_owned()),
        Just("\"no-known-x\"".to_owned()),
        Just("\"active\"".to_owned()),
        Just("\"http://x/condition-dueTo\"".to_owned()),
        Just("\"\"".to_owned()),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let key = prop::sample::select(vec![
            "code",
            "coding",
            "text",
            "status",
            "subject",
            "reference",
            "contained",
            "id",
            "resourceType",
            "component",
            "valueQuantity",
            "value",
            "period",
            "start",
            "end",
            "location",
            "diagnosis",
            "condition",
            "reaction",
            "note",
            "section",
            "content",
            "attachment",
            "data",
            "url",
            "identifier",
            "display",
            "concept",
            "specimen",
            "class",
            "category",
            "extension",
            "suspectEntity",
            "meta",
            "entry",
            "resource",
            "medicationReference",
            "partOf",
            "clinicalStatus",
            "verificationStatus",
            "evidence",
            "detail",
            "manifestation",
            "onset",
            "instance",
            "basedOn",
            "interpretation",
            "dataAbsentReason",
            "collection",
            "collectedDateTime",
            "effectiveDateTime",
            "type",
            "name",
            "reasonCode",
            "reasonReference",
            "medication",
            "medicationCodeableConcept",
            "device",
            "valueString",
            "use",
            "modifierExtension",
            "hospitalization",
            "admitSource",
            "bodySite",
            "vaccineCode",
            "event",
            "resultingCondition",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((key, inner), 0..6).prop_map(|members| {
                let members: Vec<String> = members.into_iter().map(|(k, v)| format!("\"{k}\":{v}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

const TYPES: [&str; 24] = [
    "Encounter",
    "EpisodeOfCare",
    "Condition",
    "AllergyIntolerance",
    "AdverseEvent",
    "Procedure",
    "Immunization",
    "Device",
    "DeviceUseStatement",
    "Observation",
    "DiagnosticReport",
    "Specimen",
    "ServiceRequest",
    "Medication",
    "MedicationRequest",
    "MedicationAdministration",
    "MedicationDispense",
    "MedicationStatement",
    "DocumentReference",
    "Composition",
    "ClinicalImpression",
    "Communication",
    "Patient",
    "Bundle",
];

fn nudge(order: &mut [String], seed: u64) {
    let mut rng = chartproof_testkit::Rng::new(seed);
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i as u64 + 1) as usize);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_all([Input::new("x", bytes)], Limits::standard());
    }

    #[test]
    fn any_well_formed_resource_reads(kind in prop::sample::select(TYPES.to_vec()), body in odd_json()) {
        let members = body.strip_prefix('{').and_then(|b| b.strip_suffix('}')).unwrap_or("").to_owned();
        let comma = if members.is_empty() { "" } else { "," };
        let text = format!("{{\"resourceType\":\"{kind}\"{comma}{members}}}");
        let (record, refusals) = read(&[("x.json", &text)]);
        prop_assert!(refusals.is_empty(), "{text}: {refusals:?}");
        let record = record.expect("a record");
        // Every row can be cited.
        for row in &record.occurrences {
            let source = row.concept.source.unwrap_or(row.source);
            let cited = record.cite(source, &row.concept.label_pointer, &[], None);
            prop_assert_eq!(cited.map(|c| c.quote.to_string()).ok(), Some(row.concept.label.to_string()), "{}", text);
            if let Some(value) = &row.value {
                prop_assert!(record.cite(row.source, value.pointer(), &[], None).is_ok(), "{}", text);
            }
            let mut pointers: Vec<&str> = row.links.iter().map(|l| &*l.pointer).collect();
            pointers.extend(row.standing_reason.as_ref().map(|r| &*r.pointer));
            if let Some(detail) = &row.detail {
                pointers.extend(detail.clinical_status.as_ref().map(|s| &*s.1));
                pointers.extend(detail.on_admission.as_ref().map(|s| &*s.1));
                pointers.extend(detail.admit_source.as_ref().map(|c| &*c.label_pointer));
                pointers.extend(detail.interpretation.as_ref().map(|c| &*c.label_pointer));
            }
            for pointer in pointers {
                prop_assert!(record.cite(row.source, pointer, &[], None).is_ok(), "{} {}", pointer, text);
            }
            for stamp in &row.times {
                let cited = record.cite(stamp.source.unwrap_or(row.source), &stamp.pointer, &[], None);
                prop_assert_eq!(cited.map(|c| c.quote.to_string()).ok(), Some(stamp.at.text.to_string()));
            }
        }
        for note in &record.notes {
            let cited = record.cite(note.source, &note.pointer, &note.decode, None);
            prop_assert_eq!(cited.map(|c| c.quote.to_string()).ok(), Some(note.text.to_string()));
        }
    }

    #[test]
    fn order_does_not_matter(seed in any::<u64>(), split in 1_usize..60) {
        let text = String::from_utf8(chartproof_testkit::generate(seed % 3, 60)).expect("UTF-8");
        let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
        for extra in SHARED {
            rows.push((*extra).to_owned());
        }
        let (expected, _) = read(&[("all.ndjson", &rows.join("\n"))]);
        nudge(&mut rows, seed);
        let (a, b) = rows.split_at(split);
        let bundle = |rows: &[String]| {
            let entries: Vec<String> = rows.iter().map(|r| format!("{{\"resource\":{r}}}")).collect();
            format!("{{\"resourceType\":\"Bundle\",\"entry\":[{}]}}", entries.join(","))
        };
        let (shuffled, _) = read(&[("b.json", &bundle(b)), ("a.ndjson", &a.join("\n"))]);
        prop_assert_eq!(dump(&expected.expect("a record")), dump(&shuffled.expect("a record")));
    }
}

/// Conflicting versions, cycles, duplicates and rows of several patients.
const SHARED: &[&str] = &[
    r#"{"resourceType":"Condition","id":"v","code":{"text":"one"},"subject":{"reference":"Patient/generated"}}"#,
    r#"{"resourceType":"Condition","id":"v","code":{"text":"two"},"subject":{"reference":"Patient/generated"}}"#,
    r#"{"resourceType":"Condition","id":"v","code":{"text":"two"},"subject":{"reference":"Patient/generated"}}"#,
    r#"{"resourceType":"Condition","id":"v","meta":{"versionId":"2"},"code":{"text":"two"},"subject":{"reference":"Patient/x"}}"#,
    r#"{"resourceType":"Condition","id":"v","meta":{"versionId":"1"},"code":{"text":"three"}}"#,
    r#"{"resourceType":"Encounter","id":"l1","status":"finished","class":{"code":"AMB"},"subject":{"reference":"Patient/x"},"partOf":{"reference":"Encounter/l2"}}"#,
    r#"{"resourceType":"Encounter","id":"l2","status":"finished","class":{"code":"AMB"},"subject":{"reference":"Patient/x"},"partOf":{"reference":"Encounter/l3"}}"#,
    r#"{"resourceType":"Encounter","id":"l3","status":"finished","class":{"code":"AMB"},"subject":{"reference":"Patient/x"},"partOf":{"reference":"Encounter/l1"}}"#,
    r#"{"resourceType":"Procedure","status":"completed","code":{"text":"no id"},"encounter":{"reference":"Encounter/l1"}}"#,
    r##"{"resourceType":"MedicationRequest","id":"m","contained":[{"resourceType":"Medication","id":"a","code":{"text":"one"}},{"resourceType":"Medication","id":"a","code":{"text":"two"}}],"status":"active","intent":"order","medicationReference":{"reference":"#a"},"subject":{"reference":"Patient/x"}}"##,
];
