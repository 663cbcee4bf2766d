//! Files: kinds of wrapping, what is refused and where, steps, versions across files, completeness.

mod common;

use std::io::Write as _;

use chartproof_ingest::{Input, Limits, Reader, RefusalCode, Step, read_all};
use chartproof_record::{Code, Container, Decode, Record};
use common::{dump, read};

const CONDITION: &str =
    r#"{"resourceType":"Condition","id":"c","code":{"text":"Séance 😀"},"subject":{"reference":"Patient/p"}}"#;
const PATIENT: &str = r#"{"resourceType":"Patient","id":"p"}"#;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

fn one(name: &str, bytes: impl Into<Vec<u8>>) -> (Option<Record>, Vec<chartproof_ingest::Refusal>) {
    read_all([Input::new(name, bytes)], Limits::standard())
}

#[test]
fn wrappings_give_one_record() {
    let rows = |record: &Record| dump(record).into_iter().filter(|l| !l.contains("byte-order")).collect::<Vec<_>>();
    let bundle =
        format!(r#"{{"resourceType":"Bundle","entry":[{{"resource":{PATIENT}}},{{"resource":{CONDITION}}}]}}"#);
    let late = format!(
        r#"{{"entry":[{{"resource":{PATIENT}}},{{"resource":{CONDITION}}}],"type":"batch","resourceType":"Bundle"}}"#
    );
    let nested = format!(r#"{{"resourceType":"Bundle","entry":[{{"resource":{bundle}}}]}}"#);
    let lines = format!("{PATIENT}\n{CONDITION}\n");
    let expected = rows(&read(&[("a.json", &bundle)]).0.expect("a record"));
    let mut with_bom = b"\xEF\xBB\xBF".to_vec();
    with_bom.extend(lines.as_bytes());
    let mut two_members = gzip(PATIENT.as_bytes());
    two_members.extend(gzip(format!("\n{CONDITION}").as_bytes()));
    for (name, bytes) in [
        ("late type", late.into_bytes()),
        ("nested", nested.into_bytes()),
        ("lines", lines.clone().into_bytes()),
        ("CRLF and blank lines", format!("\r\n{PATIENT}\r\n\r\n{CONDITION}").into_bytes()),
        ("BOM", with_bom),
        ("gzip", gzip(bundle.as_bytes())),
        ("gzip of two members", two_members),
        ("a Bundle in a line", format!("{PATIENT}\n{bundle}\n").into_bytes()),
    ] {
        let (record, refusals) = one(name, bytes);
        assert!(refusals.is_empty(), "{name}: {refusals:?}");
        let got: Vec<String> = rows(&record.expect(name)).into_iter().filter(|l| !l.contains("Duplicate")).collect();
        assert_eq!(got, expected, "{name}");
    }
    let (record, _) = read(&[("p.json", PATIENT), ("c.json", CONDITION)]);
    assert_eq!(rows(&record.expect("two files")), expected);
}

#[test]
fn citations_lead_back_to_the_bytes() {
    let text = format!("\n  {PATIENT}\n{CONDITION}\n");
    let (record, _) = one("x.ndjson.gz", gzip(text.as_bytes()));
    let record = record.expect("a record");
    let row = &record.occurrences[0];
    let citation = record.cite(row.source, &row.concept.label_pointer, &[], Some((7, 8))).expect("a citation");
    assert_eq!((&*citation.quote, &*citation.source), ("😀", "Condition/c"));
    assert_eq!(citation.decode, [Decode::Gzip, Decode::Utf8, Decode::JsonString]);
    assert_eq!(citation.reread(&record.files[0].text), Ok(()));
    assert_eq!(record.files[0].container, Container::Gzip);
    assert_eq!(record.files[0].sha256.len(), 64);
}

#[test]
fn offsets_count_a_byte_order_mark() {
    let mut bytes = b"\xEF\xBB\xBF".to_vec();
    bytes.extend(format!("{PATIENT}\n{CONDITION}\n").as_bytes());
    let (record, _) = one("x.ndjson", bytes.clone());
    let record = record.expect("a record");
    let row = &record.occurrences[0];
    let citation = record.cite(row.source, &row.concept.label_pointer, &[], None).expect("a citation");
    let range = citation.locator.byte_start..citation.locator.byte_end;
    assert_eq!(&bytes[range], "\"Séance 😀\"".as_bytes());
    assert_eq!(citation.reread(std::str::from_utf8(&bytes).expect("UTF-8")), Ok(()));
    assert_eq!(citation.reread_in(&record.files[0]), Ok(()));
    assert!(citation.reread(&record.files[0].text).is_err(), "not the text of the load, which has no mark");
}

#[test]
fn refusals_name_the_fault_and_its_place() {
    for (name, bytes, code, location) in [
        ("empty.json", b" \n".to_vec(), RefusalCode::Empty, ""),
        (
            "broken.json",
            b"{\"resourceType\":\"Patient\",\n\"id\":}".to_vec(),
            RefusalCode::BrokenJson,
            "line 2 column 6",
        ),
        (
            "cut.json",
            b"{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":{\"resourceType\":\"Patient\"".to_vec(),
            RefusalCode::BrokenJson,
            "line 1 column 72",
        ),
        ("tail.json", b"{\"resourceType\":\"Bundle\"} x".to_vec(), RefusalCode::BrokenJson, "line 1 column 27"),
        (
            "comment.json",
            b"{ // no\n\"resourceType\":\"Patient\"}".to_vec(),
            RefusalCode::BrokenJson,
            "line 1 column 3",
        ),
        ("other.json", b"{\"a\":1}".to_vec(), RefusalCode::NotFhir, "line 1 column 1"),
        ("list.json", b"[1]".to_vec(), RefusalCode::NotFhir, "line 1 column 1"),
        ("scalar.json", b"7".to_vec(), RefusalCode::NotFhir, "line 1 column 1"),
        (
            "deep.json",
            format!("{{\"resourceType\":\"Basic\",\"a\":{}", "[".repeat(100_000)).into_bytes(),
            RefusalCode::TooDeep,
            "line 1 column 228",
        ),
        (
            "latin.json",
            b"{\"resourceType\":\"Patient\",\n \"id\":\"\xE9\"}".to_vec(),
            RefusalCode::NotUtf8,
            "line 2 column 8",
        ),
        ("wide.json", b"\xFF\xFE{\x00}\x00".to_vec(), RefusalCode::Utf16, ""),
        ("wide2.json", b"{\x00}\x00".to_vec(), RefusalCode::Utf16, ""),
        ("p.xml", b"<Patient xmlns=\"http://hl7.org/fhir\"/>".to_vec(), RefusalCode::FhirXml, ""),
        (
            "d.xml",
            b"<?xml version=\"1.0\"?><ClinicalDocument xmlns=\"urn:hl7-org:v3\"/>".to_vec(),
            RefusalCode::CcdaXml,
            "",
        ),
        ("x.xml", b"<a/>".to_vec(), RefusalCode::Xml, ""),
        ("x.html", b"<!DOCTYPE html><p>".to_vec(), RefusalCode::Html, ""),
        ("t.csv", b"a,b\n1,2".to_vec(), RefusalCode::Csv, ""),
        ("t.txt", b"Patient is well".to_vec(), RefusalCode::PlainText, ""),
        ("t.zip", b"PK\x03\x04aaaa".to_vec(), RefusalCode::Zip, ""),
        ("t.pdf", b"%PDF-1.7".to_vec(), RefusalCode::Pdf, ""),
        ("t.png", b"\x89PNG\r\n".to_vec(), RefusalCode::Binary, ""),
        ("cut.gz", gzip(PATIENT.as_bytes())[..20].to_vec(), RefusalCode::Gzip, ""),
        ("twice.gz", gzip(&gzip(PATIENT.as_bytes())), RefusalCode::Gzip, ""),
        ("lines.ndjson", b"{\"a\":1}\n{\"b\":2}\n".to_vec(), RefusalCode::NotFhir, "line 1 column 1"),
    ] {
        let (record, refusals) = one(name, bytes);
        assert!(record.is_none(), "{name}");
        assert_eq!(refusals.len(), 1, "{name}");
        assert_eq!((refusals[0].code, &*refusals[0].location), (code, location), "{name}: {}", refusals[0]);
    }
}

#[test]
fn a_refused_file_leaves_the_others_alone() {
    let broken = format!(r#"{{"resourceType":"Bundle","entry":[{{"resource":{CONDITION}}},{{"resource":7"#);
    let (record, refusals) = read(&[("p.json", PATIENT), ("broken.json", &broken), ("c.json", CONDITION)]);
    let (expected, _) = read(&[("p.json", PATIENT), ("c.json", CONDITION)]);
    assert_eq!(refusals.len(), 1);
    assert_eq!(dump(&record.expect("a record")), dump(&expected.expect("a record")));
}

#[test]
fn a_broken_line_is_said_and_the_others_read() {
    for text in [
        format!("{PATIENT}\n{{\"resourceType\":\"Cond\n{CONDITION}\n"),
        format!("{{\"resourceType\":\"Cond\n{PATIENT}\n{CONDITION}\n"),
        format!("{PATIENT}\n{CONDITION}\n{{\"a\":1}}"),
    ] {
        let (record, refusals) = one("x.ndjson", text.clone());
        assert!(refusals.is_empty(), "{refusals:?}");
        let record = record.expect("a record");
        assert_eq!(record.occurrences.len(), 1);
        let said: Vec<_> = record.incompleteness().collect();
        assert_eq!(said.len(), 1, "{text}");
        assert!(said[0].code == Code::Malformed && said[0].location.starts_with("line "), "{said:?}");
    }
}

#[test]
fn bombs_are_refused() {
    let zeros = vec![b' '; 40 << 20];
    let bomb = gzip(&zeros);
    let (_, refusals) = one("bomb.json.gz", bomb.clone());
    assert_eq!(refusals[0].code, RefusalCode::Ratio);
    let limits = Limits { max_unpacked_bytes: 1 << 20, ..Limits::standard() };
    let (_, refusals) = read_all([Input::new("bomb.json.gz", bomb.clone())], limits);
    assert_eq!(refusals[0].code, RefusalCode::TooLarge);
    let limits = Limits { max_file_bytes: 100, ..Limits::standard() };
    let (_, refusals) = read_all([Input::new("bomb.json.gz", bomb)], limits);
    assert_eq!(refusals[0].code, RefusalCode::TooLarge);
    let limits = Limits { max_total_bytes: 60, ..Limits::standard() };
    let (record, refusals) = read_all([Input::new("a.json", PATIENT), Input::new("b.json", CONDITION)], limits);
    assert!(record.is_some() && refusals.len() == 1);
}

#[test]
fn steps_are_as_small_as_asked() {
    let text = chartproof_testkit::generate_bundle(1, 300);
    let mut reader = Reader::new(Limits::standard());
    reader.push(Input::new("a.json", text.clone()));
    let (mut steps, mut last) = (0, 0);
    while let Step::Working { done_bytes, total_bytes } = reader.step(10) {
        assert!(done_bytes >= last && done_bytes <= total_bytes);
        last = done_bytes;
        steps += 1;
    }
    assert!(steps >= 30, "{steps} steps");
    let (record, _) = reader.finish();
    let (at_once, _) = one("a.json", text);
    assert_eq!(dump(&record.expect("a record")), dump(&at_once.expect("a record")));
}

#[test]
fn incomplete_results_are_said() {
    let page = |own: &str, next: &str, id: &str| {
        let next = if next.is_empty() { String::new() } else { format!(r#",{{"relation":"next","url":"{next}"}}"#) };
        format!(
            r#"{{"resourceType":"Bundle","type":"searchset","total":2,"link":[{{"relation":"self","url":"{own}"}}{next}],"entry":[{{"resource":{{"resourceType":"Patient","id":"{id}"}},"search":{{"mode":"match"}}}}]}}"#
        )
    };
    let incomplete = |files: &[(&str, &str)]| read(files).0.expect("a record").incompleteness().count();
    let (one, two) = (page("http://x/1", "http://x/2", "a"), page("http://x/2", "", "b"));
    assert_eq!(incomplete(&[("1", &one)]), 1, "a next page is missing");
    assert_eq!(incomplete(&[("1", &one), ("2", &two)]), 0, "all pages are there");
    assert_eq!(incomplete(&[("2", &page("http://x/9", "", "b"))]), 1, "fewer than the total");
    let endless = page("http://x/1", "http://x/1", "a");
    assert_eq!(incomplete(&[("1", &endless)]), 1, "a page that is its own next");
    let subset = r#"{"resourceType":"Condition","id":"s","meta":{"tag":[{"code":"SUBSETTED"}]},"code":{"text":"x"}}"#;
    assert_eq!(incomplete(&[("s", subset)]), 1);
    let outcome = r#"{"resourceType":"Bundle","type":"searchset","entry":[{"resource":{"resourceType":"OperationOutcome","issue":[{"severity":"error"}]}}]}"#;
    assert_eq!(incomplete(&[("o", outcome)]), 1);
}

#[test]
fn urn_references_stay_in_their_bundle() {
    let bundle = |name: &str, id: &str| {
        format!(
            r#"{{"resourceType":"Bundle","type":"transaction","entry":[{{"fullUrl":"urn:uuid:1","resource":{{"resourceType":"Patient"{id},"name":[{{"text":"{name}"}}]}}}},{{"fullUrl":"urn:uuid:{name}","resource":{{"resourceType":"Condition","code":{{"text":"{name}"}},"subject":{{"reference":"urn:uuid:1"}}}}}}]}}"#
        )
    };
    let files = [bundle("a", r#","id":"pa""#), bundle("b", r#","id":"pb""#)];
    let lines = dump(&read(&[("a", &files[0]), ("b", &files[1])]).0.expect("a record"));
    for (name, patient) in [("a", "pa"), ("b", "pb")] {
        let row = lines.iter().find(|l| l.starts_with(&format!("Condition/urn:uuid:{name}#"))).expect(name);
        assert!(row.ends_with(&format!("| Patient/{patient}")), "{row}");
    }
    // Without ids the URN is the key.
    let lines = dump(&read(&[("a", &bundle("a", ""))]).0.expect("a record"));
    assert!(lines.contains(&"patient Patient/urn:uuid:1 Patient/urn:uuid:1".to_owned()), "{lines:?}");
}

#[test]
fn keys_without_ids_are_of_the_content() {
    let text = r#"{"resourceType":"Condition","code":{"text":"x"},"subject":{"reference":"Patient/p"}}"#;
    let lines = dump(&read(&[("a", text), ("b", text)]).0.expect("a record"));
    let rows: Vec<_> = lines.iter().filter(|l| l.starts_with("Condition/sha256:")).collect();
    assert_eq!(rows.len(), 1, "{lines:?}");
    assert_eq!(rows[0].find('#'), Some("Condition/sha256:".len() + 32));
}

#[test]
fn duplicate_keys_are_said_and_the_first_used() {
    let text = r#"{"resourceType":"Condition","id":"c","code":{"text":"first"},"code":{"text":"second"}}"#;
    let record = read(&[("a", text)]).0.expect("a record");
    assert_eq!(&*record.occurrences[0].concept.label, "first");
    assert!(record.diagnostics.iter().any(|d| d.code == Code::DuplicateKey && d.location == "line 1 column 62"));
}

/// A Bundle of a patient, an encounter and a condition, with full URLs where a server is given.
fn chart(server: &str, patient: &str, condition: &str) -> String {
    let entry = |resource: &str, key: &str| {
        let url = if server.is_empty() { String::new() } else { format!(r#""fullUrl":"{server}/{key}","#) };
        format!(r#"{{{url}"resource":{resource}}}"#)
    };
    let patient = format!(r#"{{"resourceType":"Patient","id":"p1"{patient}}}"#);
    let encounter = r#"{"resourceType":"Encounter","id":"e1","status":"finished","class":{"code":"IMP"},"subject":{"reference":"Patient/p1"},"period":{"start":"2024-01-01T08:00:00","end":"2024-01-03T08:00:00"}}"#;
    let row = format!(
        r#"{{"resourceType":"Condition","id":"{condition}","code":{{"text":"x"}},"subject":{{"reference":"Patient/p1"}},"encounter":{{"reference":"Encounter/e1"}}}}"#
    );
    format!(
        r#"{{"resourceType":"Bundle","type":"collection","entry":[{},{},{}]}}"#,
        entry(&patient, "Patient/p1"),
        entry(encounter, "Encounter/e1"),
        entry(&row, &format!("Condition/{condition}"))
    )
}

/// Patient and encounter of a condition.
fn owner(record: &Record, id: &str) -> (String, String) {
    let row = record.occurrences.iter().find(|o| o.id.0.starts_with(id)).expect(id);
    let encounter = row.encounter.encounter().map(|ix| record.encounters[ix.0 as usize].key.to_string());
    (record.patients[row.patient.0 as usize].key.to_string(), encounter.unwrap_or_default())
}

const ADAMS: &str = r#","name":[{"family":"Adams","given":["Ann"]}],"gender":"female","birthDate":"1940-01-01""#;
const BAKER: &str = r#","name":[{"family":"Baker","given":["Bob"]}],"gender":"male","birthDate":"1999-01-01""#;

#[test]
fn one_key_of_two_people_is_two_people() {
    let (a, b) = (chart("", ADAMS, "ca"), chart("", BAKER, "cb"));
    let loose = r#"{"resourceType":"Condition","id":"loose","code":{"text":"x"},"subject":{"reference":"Patient/p1"},"encounter":{"reference":"Encounter/e1"}}"#;
    let record = read(&[("a", &a), ("b", &b), ("c", loose)]).0.expect("a record");
    let (first, second) = (owner(&record, "Condition/ca"), owner(&record, "Condition/cb"));
    assert_ne!(first.0, second.0);
    assert_ne!(first.1, second.1, "each has an encounter of its own");
    let keys = [first.0.as_str(), second.0.as_str()];
    assert!(keys.contains(&"Patient/p1") && keys.iter().any(|k| k.starts_with("Patient/p1@sha256:")), "{keys:?}");
    assert_eq!(owner(&record, "Condition/loose"), (String::new(), String::new()), "nothing tells whose it is");
    assert!(record.diagnostics.iter().any(|d| d.code == Code::NoPatient && d.source == "Condition/loose"));
    assert!(record.diagnostics.iter().any(|d| d.code == Code::VersionConflict && d.source == "Patient/p1"));
    let again = read(&[("c", loose), ("b", &b), ("a", &a)]).0.expect("a record");
    assert_eq!(dump(&record), dump(&again), "in any order");
    let renamed = read(&[("a", &b), ("b", &a)]).0.expect("a record");
    assert_eq!(owner(&renamed, "Condition/ca"), first, "whatever the files are called");
    // The very same row in both files is a row of each.
    let same = read(&[("a", &chart("", ADAMS, "c")), ("b", &chart("", BAKER, "c"))]).0.expect("a record");
    assert_eq!(same.occurrences.iter().filter(|o| o.id.0.starts_with("Condition/c")).count(), 2);
    // Two people of one key in one file: nobody's rows.
    let mixed = format!(
        "{}\n{}",
        a.replace("\"ca\"", "\"m\""),
        format_args!(r#"{{"resourceType":"Patient","id":"p1"{BAKER}}}"#)
    );
    let record = read(&[("mixed.ndjson", &mixed)]).0.expect("a record");
    assert_eq!(owner(&record, "Condition/m").0, "");
}

#[test]
fn one_person_corrected_is_one_person() {
    for (one, other) in [
        (ADAMS, ADAMS.replace("Adams", "Baker")),
        (ADAMS, ADAMS.replace("\"1940-01-01\"", "\"1940\"")),
        (ADAMS, r#","active":true"#.to_owned()),
        (ADAMS, r#","name":[{"text":"Ann Adams"}],"gender":"female""#.to_owned()),
        (
            r#","identifier":[{"system":"mrn","value":"7"}],"birthDate":"1940-01-01""#,
            r#","identifier":[{"system":"mrn","value":"7"}],"birthDate":"1940-10-01""#.to_owned(),
        ),
    ] {
        let (a, b) = (chart("", one, "ca"), chart("", &other, "cb"));
        let record = read(&[("a", &a), ("b", &b)]).0.expect("a record");
        assert_eq!(owner(&record, "Condition/ca"), owner(&record, "Condition/cb"), "{one} {other}");
    }
    let (a, b) = (chart("http://a.org/r4", ADAMS, "ca"), chart("https://a.org/r4", BAKER, "cb"));
    let record = read(&[("a", &a), ("b", &b)]).0.expect("a record");
    assert_eq!(owner(&record, "Condition/ca"), owner(&record, "Condition/cb"), "one server has one person for an id");
}

#[test]
fn servers_are_told_apart() {
    let (a, b) = (chart("http://a.org", "", "ca"), chart("http://b.org", "", "cb"));
    let rows = r#"{"resourceType":"Condition","id":"to-b","code":{"text":"x"},"subject":{"reference":"http://b.org/Patient/p1"},"encounter":{"reference":"http://b.org/Encounter/e1"}}
{"resourceType":"Condition","id":"to-c","code":{"text":"x"},"subject":{"reference":"http://c.org/Patient/p1"}}
"#;
    let record = read(&[("a", &a), ("b", &b), ("c", rows)]).0.expect("a record");
    let (first, second) = (owner(&record, "Condition/ca"), owner(&record, "Condition/cb"));
    assert_eq!((first.0.as_str(), second.0.as_str()), ("Patient/p1", "Patient/p1@b.org"));
    assert_eq!((first.1.as_str(), second.1.as_str()), ("Encounter/e1", "Encounter/e1@b.org"));
    assert_eq!(owner(&record, "Condition/to-b"), second);
    assert_eq!(owner(&record, "Condition/to-c").0, "Patient/p1@c.org", "a server that is not in the load");
    let alone = read(&[("a", &a), ("c", rows)]).0.expect("a record");
    assert_eq!(owner(&alone, "Condition/to-b").0, "Patient/p1@b.org");
    // Nothing in the load says which server it is of, and rows name two.
    let unsaid = read(&[("a", &chart("", "", "ca")), ("c", rows)]).0.expect("a record");
    assert_eq!(owner(&unsaid, "Condition/to-b").0, "Patient/p1@b.org");
}

#[test]
fn contradictory_keys_void_what_turns_on_them() {
    let shapes = [
        (
            "Condition",
            r#""verificationStatus":{"coding":[{"code":"confirmed"}]},"verificationStatus":{"coding":[{"code":"refuted"}]},"code":{"text":"x"}"#,
        ),
        ("Condition", r#""verificationStatus":{"coding":[{"code":"confirmed","code":"refuted"}]},"code":{"text":"x"}"#),
        ("Observation", r#""status":"final","valueBoolean":true,"valueBoolean":false,"code":{"text":"x"}"#),
        (
            "MedicationRequest",
            r#""status":"active","doNotPerform":false,"doNotPerform":true,"medicationCodeableConcept":{"text":"x"}"#,
        ),
        ("Procedure", r#""status":"completed","status":"not-done","code":{"text":"x"}"#),
    ];
    for (kind, body) in shapes {
        let text = format!(r#"{{"resourceType":"{kind}","id":"c","subject":{{"reference":"Patient/p"}},{body}}}"#);
        let record = read(&[("p", PATIENT), ("a", &text)]).0.expect("a record");
        let row = &record.occurrences[0];
        assert_eq!(row.standing, chartproof_record::Standing::Void, "{body}");
        assert_eq!(row.standing_reason.as_ref().map(|r| &*r.word), Some("contradictory keys"), "{body}");
    }
    // Named twice with one value, or where nothing turns on it: the first is used.
    for body in [
        r#""status":"completed","status":"completed","code":{"text":"x"}"#,
        r#""status":"completed","code":{"text":"x"},"code":{"text":"y"}"#,
    ] {
        let text = format!(r#"{{"resourceType":"Procedure","id":"c","subject":{{"reference":"Patient/p"}},{body}}}"#);
        let record = read(&[("p", PATIENT), ("a", &text)]).0.expect("a record");
        assert_eq!(record.occurrences[0].standing, chartproof_record::Standing::Affirmed, "{body}");
    }
}

#[test]
fn unpaired_surrogates_are_said_with_their_place() {
    for (escape, lone) in
        [(r"\ud83d\ude00", 0), (r"\ud83d", 1), (r"\ude00\ud83d", 2), (r"\ud83d\u0041", 1), (r"\uD83D\uD83D\uDE00", 1)]
    {
        let text =
            format!(r#"{{"resourceType":"Condition","id":"c","code":{{"coding":[{{"display":"a {escape}"}}]}}}}"#);
        for (name, text) in [
            ("a.json", text.clone()),
            ("b.json", format!(r#"{{"resourceType":"Bundle","entry":[{{"resource":{text}}}]}}"#)),
        ] {
            let record = read(&[(name, &text)]).0.expect("a record");
            let said: Vec<_> = record.diagnostics.iter().filter(|d| d.code == Code::Encoding).collect();
            assert_eq!(said.len(), lone, "{escape}");
            assert!(
                said.iter().all(|d| d.source == "Condition/c" && d.location == "/code/coding/0/display"),
                "{said:?}"
            );
        }
    }
}
