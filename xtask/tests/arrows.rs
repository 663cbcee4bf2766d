//! Which package may know which: the arrows of the architecture, checked against what cargo says.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The arrows: a package may depend on those listed, and on what those may depend on. Dev-dependencies are exempt.
const ARROWS: [(&str, &[&str]); 21] = [
    ("chartproof-record", &[]),
    ("chartproof-terms", &["chartproof-record"]),
    ("chartproof-notes", &["chartproof-record", "chartproof-terms"]),
    ("chartproof-ingest", &["chartproof-record", "chartproof-terms", "chartproof-notes"]),
    ("chartproof-graph", &["chartproof-record"]),
    ("chartproof-evidence", &["chartproof-record"]),
    ("chartproof-parse", &["chartproof-evidence", "chartproof-terms"]),
    ("chartproof-privacy", &["chartproof-record", "chartproof-terms"]),
    ("chartproof-assess", &["chartproof-evidence", "chartproof-notes", "chartproof-terms"]),
    ("chartproof-discovery", &["chartproof-graph", "chartproof-evidence", "chartproof-terms"]),
    ("chartproof-forecast", &["chartproof-graph", "chartproof-evidence", "chartproof-terms", "chartproof-notes"]),
    (
        "chartproof-engine",
        &[
            "chartproof-assess",
            "chartproof-discovery",
            "chartproof-forecast",
            "chartproof-ingest",
            "chartproof-parse",
            "chartproof-privacy",
        ],
    ),
    ("chartproof-wasm", &["chartproof-engine"]),
    ("chartproof-cli", &["chartproof-engine"]),
    ("chartproof-eval", &["chartproof-engine"]),
    ("chartproof-tests", &["chartproof-engine"]),
    ("chartproof-testkit", &["chartproof-record"]),
    ("chartproof-host", &[]),
    ("chartproof-proxy", &["chartproof-evidence", "chartproof-host"]),
    ("xtask", &["chartproof-host"]),
    // The page knows the types of what it sends and gets; the engine itself runs in the other module.
    ("chartproof", &["chartproof-engine"]),
];

/// Crates that only the named packages may depend on.
const RESERVED: [(&str, &[&str]); 11] = [
    ("leptos", &["chartproof"]),
    ("gloo-net", &["chartproof"]),
    ("web-sys", &["chartproof", "chartproof-wasm"]),
    ("wasm-bindgen", &["chartproof", "chartproof-wasm"]),
    ("js-sys", &["chartproof", "chartproof-wasm"]),
    ("wasm-bindgen-futures", &["chartproof", "chartproof-wasm"]),
    ("serde-wasm-bindgen", &["chartproof", "chartproof-wasm"]),
    ("tokio", &["chartproof-host", "chartproof-proxy", "chartproof-cli", "chartproof-eval", "xtask"]),
    ("hyper", &["chartproof-host", "chartproof-proxy", "chartproof-cli", "chartproof-eval", "xtask"]),
    ("ureq", &["chartproof-proxy", "chartproof-cli", "chartproof-eval"]),
    ("reqwest", &["chartproof-proxy", "chartproof-cli", "chartproof-eval"]),
];

/// The verdict's package, and what it must never reach: search does not decide.
const ASSESS: &str = "chartproof-assess";
const SEARCH: [&str; 4] = ["chartproof-discovery", "chartproof-graph", "chartproof-forecast", "chartproof-engine"];

/// Dependencies without the dev ones, by package name, for the native target and for wasm together.
struct Workspace {
    members: BTreeSet<String>,
    /// Also of packages from elsewhere. Several versions of one crate count as one.
    needs: BTreeMap<String, BTreeSet<String>>,
}

impl Workspace {
    fn read() -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo).args(["metadata", "--format-version", "1", "--locked"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let names: BTreeMap<String, String> = metadata["packages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|package| (text(&package["id"]), text(&package["name"])))
            .collect();
        let members =
            metadata["workspace_members"].as_array().unwrap().iter().map(|id| names[&text(id)].clone()).collect();
        let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for node in metadata["resolve"]["nodes"].as_array().unwrap() {
            let of = needs.entry(names[&text(&node["id"])].clone()).or_default();
            for dependency in node["deps"].as_array().unwrap() {
                let normal = dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null());
                if normal {
                    of.insert(names[&text(&dependency["pkg"])].clone());
                }
            }
        }
        Self { members, needs }
    }

    /// Everything a package reaches.
    fn reach(&self, from: &str) -> BTreeSet<String> {
        closure(from, |name| self.needs.get(name).into_iter().flatten().map(String::as_str).collect())
    }
}

fn closure<'a>(from: &'a str, next: impl Fn(&str) -> Vec<&'a str>) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = next(from);
    while let Some(name) = open.pop() {
        if seen.insert(name.to_owned()) {
            open.extend(next(name));
        }
    }
    seen
}

fn allowed(package: &str) -> BTreeSet<String> {
    closure(package, |name| {
        ARROWS.iter().filter(|(from, _)| *from == name).flat_map(|(_, to)| to.iter().copied()).collect()
    })
}

#[test]
fn every_package_of_the_workspace_has_its_arrows() {
    for member in Workspace::read().members {
        assert!(ARROWS.iter().any(|(name, _)| *name == member), "{member} is not in the table of arrows");
    }
}

#[test]
fn packages_depend_along_the_arrows_only() {
    let workspace = Workspace::read();
    let mut wrong = Vec::new();
    for member in &workspace.members {
        let allowed = allowed(member);
        for needed in workspace.needs[member].intersection(&workspace.members) {
            if !allowed.contains(needed) {
                wrong.push(format!("{member} -> {needed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "against the arrows: {wrong:?}");
}

#[test]
fn reserved_crates_are_known_where_they_belong() {
    let workspace = Workspace::read();
    let mut wrong = Vec::new();
    for member in &workspace.members {
        for (reserved, owners) in RESERVED {
            if workspace.needs[member].contains(reserved) && !owners.contains(&member.as_str()) {
                wrong.push(format!("{member} -> {reserved}"));
            }
        }
    }
    assert!(wrong.is_empty(), "not theirs: {wrong:?}");
}

/// Nothing of a browser comes into the core by way of a third crate either.
#[test]
fn the_core_reaches_no_browser_crate() {
    let workspace = Workspace::read();
    for core in workspace.members.intersection(&allowed("chartproof-wasm")) {
        let reach = workspace.reach(core);
        for foreign in ["leptos", "web-sys", "js-sys", "wasm-bindgen", "gloo-net", "tokio"] {
            assert!(!reach.contains(foreign), "{core} reaches {foreign}");
        }
    }
}

#[test]
fn search_never_reaches_the_verdict() {
    let workspace = Workspace::read();
    if !workspace.members.contains(ASSESS) {
        return;
    }
    let reach = workspace.reach(ASSESS);
    for search in SEARCH {
        assert!(!reach.contains(search), "{ASSESS} reaches {search}");
        assert!(!allowed(ASSESS).contains(search), "the table lets {ASSESS} reach {search}");
    }
}
