//! Browser tests of the page: it is driven by the events a core would send, and looked at in the document.

use std::sync::Arc;

use chartproof_engine::wire::{Command, Event, Verified};
use js_sys::{Function, Object, Reflect};
use leptos::prelude::*;
use leptos::task::tick;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, KeyboardEvent, KeyboardEventInit};

use crate::codec::{read_event, write_command};
use crate::layout::axis::Axis;
use crate::layout::chain::{gap, length};
use crate::layout::civil::{civil, month_start};
use crate::panels::quotation;
use crate::state::{Looked, Opening, Reading, Room};
use crate::text::{cut, percent, thousands, two_places};
use crate::{Handle, mount};

wasm_bindgen_test_configure!(run_in_browser);

macro_rules! fixture {
    ($name:literal) => {
        serde_json::from_str::<Event>(include_str!(concat!("../tests/gallery/fixtures/", $name, ".json")))
            .expect(concat!("the fixture ", $name, " is an event"))
    };
}

struct Page {
    root: HtmlElement,
    handle: Handle,
}

impl Page {
    fn new() -> Self {
        let root: HtmlElement = document().create_element("section").unwrap().unchecked_into();
        document().body().unwrap().append_child(&root).unwrap();
        let port = Object::new();
        Reflect::set(&port, &"postMessage".into(), &Function::new_no_args("")).unwrap();
        let handle = mount(root.clone(), port.into(), JsValue::UNDEFINED);
        Self { root, handle }
    }

    fn room(&self) -> Room {
        self.handle.room
    }

    /// A page with the record of the fixtures open.
    async fn open() -> Self {
        let page = Self::new();
        let Event::Loaded { summary } = fixture!("loaded") else { panic!("not loaded") };
        let room = page.room();
        let patient = summary.patients[0].id.clone();
        room.summary.set(Some(Arc::new(*summary)));
        room.opening.set(Opening::Open);
        room.choose_patient(patient);
        tick().await;
        page
    }

    fn all(&self, selector: &str) -> Vec<Element> {
        let list = self.root.query_selector_all(selector).unwrap();
        (0..list.length()).filter_map(|i| list.get(i)?.dyn_into().ok()).collect()
    }

    fn one(&self, selector: &str) -> Element {
        self.root.query_selector(selector).unwrap().unwrap_or_else(|| panic!("nothing matches {selector}"))
    }

    fn text(&self, selector: &str) -> String {
        self.one(selector).text_content().unwrap_or_default()
    }

    async fn answer(&self, event: Event) {
        let Event::Verified { verified } = event else { panic!("not an answer") };
        let Verified::Answered { answers, unresolved } = *verified else { panic!("not answered") };
        self.room().outcome.set(Some(Arc::new((answers, unresolved))));
        tick().await;
    }

    fn close(self) {
        let Self { root, handle } = self;
        handle.unmount();
        root.remove();
    }
}

#[wasm_bindgen_test]
async fn mounts_into_a_section_and_leaves_it_empty() {
    let page = Page::new();
    tick().await;
    assert_eq!(page.all("h1").len(), 1);
    assert_eq!(page.all(".drop").len(), 1);
    let root = page.root.clone();
    page.close();
    assert_eq!(root.child_element_count(), 0);
}

#[wasm_bindgen_test]
async fn each_verdict_has_its_word_its_icon_and_two_meters() {
    let page = Page::open().await;
    let cases = [
        (fixture!("verified-supported"), "Supported", "0.94"),
        (fixture!("verified-conflicting"), "Conflicting", "0.78"),
        (fixture!("verified-refuted"), "Refuted", "0.10"),
        (fixture!("verified-insufficient"), "Insufficient evidence", "0.31"),
    ];
    for (event, word, support) in cases {
        page.answer(event).await;
        assert_eq!(page.text(".verdict-word").trim(), word);
        assert_eq!(page.all(".verdict-word svg").len(), 1);
        let meters = page.all(".axes [role=meter]");
        assert_eq!(meters.len(), 2);
        assert_eq!(meters[0].get_attribute("aria-valuenow").as_deref(), Some(support));
    }
    page.close();
}

#[wasm_bindgen_test]
async fn a_reason_leads_to_the_row_it_rests_on() {
    let page = Page::open().await;
    page.answer(fixture!("verified-supported")).await;
    page.one(".reason .ref").unchecked_ref::<HtmlElement>().click();
    assert_eq!(document().active_element().unwrap().id(), "cp-e-0-0");
    page.close();
}

fn looked(event: Event) -> Looked {
    let Event::Source { view } = event else { panic!("not a source") };
    let Event::Verified { verified } = fixture!("verified-supported") else { panic!("not an answer") };
    let Verified::Answered { answers, .. } = *verified else { panic!("not answered") };
    let line = &answers[0].evidence[0];
    Looked {
        citation: line.citations[0].clone(),
        origin: line.origin.clone(),
        times: line.times.clone(),
        view: Some(Ok(Arc::new(view))),
    }
}

#[wasm_bindgen_test]
async fn a_quotation_after_emoji_is_highlighted_exactly() {
    let page = Page::open().await;
    page.room().looked.set(Some(looked(fixture!("source-note"))));
    tick().await;
    assert_eq!(page.text("mark"), "Acute kidney injury 🫘 developed on day 4 of vancomycin");
    page.close();
}

#[wasm_bindgen_test]
async fn a_citation_that_does_not_reread_highlights_nothing_and_says_so() {
    let page = Page::open().await;
    page.room().looked.set(Some(looked(fixture!("source-unverified"))));
    tick().await;
    assert!(page.all("mark").is_empty());
    assert!(page.text(".source [role=alert]").contains("does not re-read"));
    page.close();
}

#[wasm_bindgen_test]
fn a_copied_quotation_names_its_note_and_time_and_no_verdict() {
    let text = quotation(&looked(fixture!("source-note")));
    assert_eq!(
        text,
        "“Acute kidney injury 🫘 developed on day 4 of vancomycin”\nNephrology consult, Dr. A. Quist, Assessment, \
         Documented 2025-03-21 11:20, DocumentReference/neph"
    );
}

#[wasm_bindgen_test]
async fn a_blocked_parse_shows_its_words_and_asks() {
    let page = Page::open().await;
    let Event::Parsed { parsed, statements, not_executable } = fixture!("parsed-blocked") else {
        panic!("not a parse")
    };
    let room = page.room();
    room.request.set(parsed.query.clone());
    room.reading.set(Some(Arc::new(Reading { ask: String::new(), parsed, statements, not_executable })));
    room.drawn.update(|n| *n += 1);
    tick().await;
    assert_eq!(page.text(".reading .notice .words"), "despite adequate hydration");
    assert_eq!(page.text(".reading .notice button"), "Run without these");
    assert!(page.one("details.form").has_attribute("open"));
    assert!(room.outcome.get_untracked().is_none());
    page.close();
}

#[wasm_bindgen_test]
async fn the_arrow_keys_walk_the_timeline() {
    let page = Page::open().await;
    let Event::Timeline { rows, .. } = fixture!("timeline") else { panic!("not a timeline") };
    page.room().timeline.set(Some(Arc::new(rows)));
    tick().await;
    let svg = page.one(".lanes-svg");
    for key in ["ArrowRight", "ArrowRight", "ArrowLeft"] {
        let init = KeyboardEventInit::new();
        init.set_key(key);
        init.set_bubbles(true);
        init.set_cancelable(true);
        let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).unwrap();
        svg.dispatch_event(&event).unwrap();
        tick().await;
    }
    assert_eq!(svg.get_attribute("aria-activedescendant").as_deref(), Some("cp-mark-0"));
    assert_eq!(page.all(".lanes-svg [aria-selected=true]").len(), 1);
    page.close();
}

/// The page's own reader and the derived one agree on every fixture; the commands it writes read back.
#[wasm_bindgen_test]
fn the_reader_of_the_page_agrees_with_the_derived_one() {
    macro_rules! agree {
        ($($name:literal),*) => {$({
            let json = include_str!(concat!("../tests/gallery/fixtures/", $name, ".json"));
            let derived: Event = serde_json::from_str(json).unwrap();
            assert!(read_event(json) == Some(derived), $name);
        })*};
    }
    agree!(
        "loaded",
        "loaded-incomplete",
        "timeline",
        "parsed",
        "parsed-blocked",
        "parsed-refused",
        "parsed-not-executable",
        "verified-supported",
        "verified-conflicting",
        "verified-refuted",
        "verified-insufficient",
        "verified-blocked",
        "source-note",
        "source-json",
        "source-unverified",
        "failed"
    );
    for broken in
        ["", "[]", "{}", r#"{"event":"loaded"}"#, r#"{"event":"source","view":{"key":1}}"#, r#"{"event":"x"}"#]
    {
        assert!(read_event(broken).is_none(), "{broken}");
    }
    let Event::Parsed { parsed, .. } = fixture!("parsed-blocked") else { panic!("not a parse") };
    let commands = [
        Command::Verify {
            patient: Some("Patient/\u{1}\"".into()),
            ask: None,
            request: parsed.query,
            accept_unresolved: true,
        },
        Command::Source { citation: looked(fixture!("source-note")).citation },
        Command::Parse { ask: "tab\t, newline\n, back\\slash 🫘".into() },
        Command::Forget,
    ];
    for command in commands {
        assert!(serde_json::from_str::<Command>(&write_command(&command)).unwrap() == command);
    }
}

#[wasm_bindgen_test]
fn a_long_text_is_cut_around_the_quotation() {
    let text = format!("{}🙂quoted🙂{}", "é".repeat(9_000), "x".repeat(9_000));
    let found = cut(&text, (9_001, 9_007), false).unwrap();
    assert_eq!(found.quote, "quoted");
    assert!(found.more_before && found.more_after);
    assert_eq!(found.before.chars().count(), 1_500);
    assert!(cut(&text, (9_001, 99_007), false).is_none());
    assert_eq!(cut(&text, (9_001, 9_007), true).unwrap().before.chars().count(), 9_001);
}

#[wasm_bindgen_test]
fn numbers_and_times_are_written_plainly() {
    assert_eq!(two_places(0.995), "1.00");
    assert_eq!(two_places(0.094), "0.09");
    assert_eq!(percent(7.05), "7.05%");
    assert_eq!(thousands(1_234_567), "1,234,567");
    assert_eq!(length(52 * 3_600_000), "2\u{a0}d 4\u{a0}h");
    assert_eq!(gap((0, 10), (5, 20)), None);
    let leap = month_start(2024, 3);
    assert_eq!((civil(leap - 1).month, civil(leap - 1).day), (2, 29));
    let axis = Axis::around([(0, 86_400_000), (i64::MIN, 1)].into_iter()).unwrap();
    assert!(axis.from < 0 && axis.to > 86_400_000);
    assert!(!axis.ticks(8).is_empty());
}
