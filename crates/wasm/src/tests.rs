//! The boundary as a dedicated worker drives it, in Chromium and Firefox.

use crate::{Core, stop};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

const BUNDLE: &str = r#"{"resourceType":"Bundle","type":"collection","entry":[
 {"fullUrl":"urn:uuid:00000000-0000-4000-8000-000000000001","resource":{"resourceType":"Patient","id":"p"}},
 {"fullUrl":"urn:uuid:00000000-0000-4000-8000-000000000002","resource":{"resourceType":"Condition","id":"c",
  "clinicalStatus":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/condition-clinical","code":"active"}]},
  "code":{"text":"Acute kidney injury"},"subject":{"reference":"Patient/p"},"recordedDate":"2031-03-04"}}]}"#;

/// Steps until the event that ends the operation.
fn run(core: &mut Core) -> String {
    for _ in 0..100_000 {
        match core.step(10) {
            Some(event) if event.starts_with(r#"{"event":"progress""#) => {}
            Some(event) => return event,
            None => panic!("the operation ended without an event"),
        }
    }
    panic!("the operation does not end");
}

fn loaded() -> Core {
    let mut core = Core::new();
    core.add_file("tiny.json".into(), BUNDLE.as_bytes().to_vec(), None);
    core.load();
    let event = run(&mut core);
    assert!(event.starts_with(r#"{"event":"loaded""#), "{event}");
    assert!(event.contains(r#""id":"Patient/p""#), "{event}");
    core
}

fn failed(event: &str, code: &str) {
    assert!(event.starts_with(&format!(r#"{{"event":"failed","code":"{code}""#)), "{event}");
}

#[wasm_bindgen_test]
fn a_bundle_loads_and_answers() {
    let mut core = loaded();
    let ask = r#"{"do":"verify","patient":null,"ask":"Is acute kidney injury documented?","request":null}"#;
    assert_eq!(core.submit(ask), None);
    let event = run(&mut core);
    assert!(event.contains(r#""verdict":"supported""#), "{event}");
    assert!(event.contains(r#""quote":"Acute kidney injury""#), "{event}");
}

#[wasm_bindgen_test]
fn a_cancelled_load_leaves_no_record() {
    let mut core = Core::new();
    core.add_file("tiny.json".into(), BUNDLE.as_bytes().to_vec(), None);
    core.load();
    core.cancel();
    assert_eq!(run(&mut core), r#"{"event":"cancelled"}"#);
    assert_eq!(core.submit(r#"{"do":"timeline","patient":"Patient/p"}"#), None);
    failed(&run(&mut core), "no_record");
}

#[wasm_bindgen_test]
fn dropped_files_are_not_loaded() {
    let mut core = Core::new();
    core.add_file("tiny.json".into(), BUNDLE.as_bytes().to_vec(), None);
    core.drop_files();
    core.load();
    failed(&run(&mut core), "no_files");
}

#[wasm_bindgen_test]
fn what_is_no_command_is_refused_without_quoting_it() {
    let mut core = Core::new();
    for bad in ["", "{", "[]", r#"{"do":"Jane Doe"}"#, r#"{"do":"parse","ask":["Jane Doe"]}"#, "\u{1f9ea}\0"] {
        let event = core.submit(bad).expect("an event");
        failed(&event, "bad_command");
        assert!(!event.contains("Jane"), "{event}");
    }
    assert_eq!(core.step(10), None);
}

#[wasm_bindgen_test]
fn a_stop_names_its_place_and_nothing_else() {
    let said = stop::message(Some(std::panic::Location::caller()));
    assert!(said.starts_with("stopped at ") && said.contains("tests.rs:"), "{said}");
    assert!(!said.contains(stop::UNSAID));
}

#[wasm_bindgen_test]
fn the_version_is_the_package_version() {
    assert_eq!(Core::version(), env!("CARGO_PKG_VERSION"));
}
