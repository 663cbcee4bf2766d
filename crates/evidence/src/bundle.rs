//! The frozen bundle `B_c = (c, I_c)`: admitted items, coverage, and nothing of the search.

use chartproof_record::InOrder as _;
use chartproof_record::sha256_hex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::item::Item;
use crate::query::Query;

/// Version of the bundle format.
pub const BUNDLE_VERSION: u32 = 1;

/// What the record holds on the query, by counting: absence is judged against it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// By slot.
    pub slots: Vec<SlotCoverage>,
    /// Whether every matching occurrence of the record is among the items.
    pub complete: bool,
    /// The limit that was reached, when not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<Truncated>,
    /// Why the record is known to be incomplete; empty when it is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<String>,
    /// Rows by kind that the record holds for the patient, inside the scope.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableCoverage>,
}

/// A limit that was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truncated {
    /// Name of the limit.
    pub what: String,
    /// The limit.
    pub limit: usize,
    /// How many there were.
    pub seen: usize,
}

/// Coverage of one slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotCoverage {
    /// Slot id.
    pub slot: String,
    /// Occurrences and statements of the patient that match its concept.
    pub matched: usize,
    /// Of these, in admitted items.
    pub admitted: usize,
    /// Of these, excluded, by reason.
    pub excluded: Vec<(ExclusionReason, usize)>,
}

/// What a table of the record covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCoverage {
    /// Kind of row, such as `medication_given`, or `note`.
    pub table: String,
    /// How many rows.
    pub rows: usize,
    /// First time, as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Last time, as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// Why an item is not evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExclusionReason {
    /// It belongs to another patient, or to none.
    OtherPatient,
    /// It lies outside the scope of the query.
    OtherEncounter,
    /// Entered in error, draft, superseded, planned or cancelled.
    Void,
    /// A citation does not re-read.
    NoSource,
    /// It names an occurrence the record does not hold, or binds none.
    Unbound,
}

/// An item that was not admitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excluded {
    /// Why.
    pub reason: ExclusionReason,
    /// In words.
    pub detail: String,
    /// The item.
    pub item: Item,
}

/// A frozen bundle. Fields are private: the only constructors are [`crate::contract::freeze`] and
/// [`Bundle::open`], which checks the digest of an exported one.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    content: Content,
    digest: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Content {
    version: u32,
    assessor: String,
    patient: String,
    query: Query,
    items: Vec<Item>,
    coverage: Coverage,
}

/// Why an exported bundle is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BundleError {
    /// Not JSON of this shape.
    Shape(String),
    /// Another format version.
    Version(u32),
    /// The content does not have the stated digest.
    Digest,
}

impl std::fmt::Display for BundleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shape(message) => write!(f, "not an evidence bundle: {message}"),
            Self::Version(version) => write!(f, "bundle version {version} is not read, only {BUNDLE_VERSION}"),
            Self::Digest => f.write_str("the bundle's content does not have the digest it states: it was changed"),
        }
    }
}

impl std::error::Error for BundleError {}

impl Bundle {
    pub(crate) fn new(assessor: &str, patient: &str, query: Query, mut items: Vec<Item>, coverage: Coverage) -> Self {
        items.order_by(|a, b| a.id.cmp(&b.id));
        items.dedup_by(|a, b| a.id == b.id);
        let content = Content {
            version: BUNDLE_VERSION,
            assessor: assessor.to_owned(),
            patient: patient.to_owned(),
            query,
            items,
            coverage,
        };
        let digest = digest(&content);
        Self { content, digest }
    }

    /// The query.
    pub fn query(&self) -> &Query {
        &self.content.query
    }

    /// Admitted items, sorted by id.
    pub fn items(&self) -> &[Item] {
        &self.content.items
    }

    /// What the record holds on the query.
    pub fn coverage(&self) -> &Coverage {
        &self.content.coverage
    }

    /// Source key of the patient.
    pub fn patient(&self) -> &str {
        &self.content.patient
    }

    /// Version of the assessor the bundle was frozen for.
    pub fn assessor(&self) -> &str {
        &self.content.assessor
    }

    /// SHA-256 over the canonical JSON without locators.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Canonical JSON: sorted keys, no white space, locators and digest included.
    pub fn to_json(&self) -> String {
        let mut value = value_of(&self.content);
        if let Value::Object(map) = &mut value {
            map.insert("digest".into(), Value::String(self.digest.clone()));
        }
        canonical(&value)
    }

    /// Opens an exported bundle and checks its digest.
    ///
    /// # Errors
    /// When it is not a bundle of this version, or its content was changed.
    pub fn open(json: &str) -> Result<Self, BundleError> {
        let shape = |e: serde_json::Error| BundleError::Shape(e.to_string());
        let mut value: Value = serde_json::from_str(json).map_err(shape)?;
        let version = value.get("version").and_then(Value::as_u64);
        if let Some(version) = version.filter(|v| *v != u64::from(BUNDLE_VERSION)) {
            return Err(BundleError::Version(u32::try_from(version).unwrap_or(u32::MAX)));
        }
        let stated = value
            .as_object_mut()
            .and_then(|m| m.remove("digest"))
            .and_then(|d| d.as_str().map(str::to_owned))
            .ok_or_else(|| BundleError::Shape("no digest".into()))?;
        let content: Content = serde_json::from_value(value).map_err(shape)?;
        let digest = digest(&content);
        if digest == stated { Ok(Self { content, digest }) } else { Err(BundleError::Digest) }
    }
}

fn digest(content: &Content) -> String {
    digest_of(content)
}

/// SHA-256 over the canonical JSON of a value, without locators.
pub(crate) fn digest_of(value: &impl Serialize) -> String {
    let mut value = value_of(value);
    strip_locators(&mut value);
    sha256_hex(canonical(&value).as_bytes())
}

/// A value as JSON. By way of its text: a second serialiser for every type would cost more wasm than the detour
/// costs time.
fn value_of(value: &impl Serialize) -> Value {
    serde_json::to_string(value).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn strip_locators(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("locator");
            map.remove("decode");
            map.values_mut().for_each(strip_locators);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_locators),
        _ => {}
    }
}

/// JSON with sorted keys and no white space.
pub fn canonical(value: &Value) -> String {
    fn write(value: &Value, out: &mut String) {
        match value {
            Value::Object(map) => {
                let mut keys: Vec<&String> = map.keys().collect();
                keys.order();
                out.push('{');
                for (n, key) in keys.into_iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    out.push_str(&Value::String(key.clone()).to_string());
                    out.push(':');
                    if let Some(member) = map.get(key) {
                        write(member, out);
                    }
                }
                out.push('}');
            }
            Value::Array(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    write(item, out);
                }
                out.push(']');
            }
            other => out.push_str(&other.to_string()),
        }
    }
    let mut out = String::new();
    write(value, &mut out);
    out
}
