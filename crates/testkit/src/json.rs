//! Resources built in a line or two.

use std::fmt::Write as _;

/// A JSON object under construction; members keep their order.
#[derive(Clone, Debug, Default)]
pub struct Json(String);

impl Json {
    /// A resource of a type with an id.
    pub fn resource(kind: &str, id: &str) -> Self {
        Self::default().text("resourceType", kind).text("id", id)
    }

    /// A member whose value is JSON already.
    #[must_use]
    pub fn raw(mut self, key: &str, json: impl AsRef<str>) -> Self {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(&quoted(key));
        self.0.push(':');
        self.0.push_str(json.as_ref());
        self
    }

    /// A member with a text.
    #[must_use]
    pub fn text(self, key: &str, text: &str) -> Self {
        let text = quoted(text);
        self.raw(key, text)
    }

    /// A member with an object.
    #[must_use]
    pub fn object(self, key: &str, object: &Self) -> Self {
        let object = object.end();
        self.raw(key, object)
    }

    /// The object as JSON.
    pub fn end(&self) -> String {
        format!("{{{}}}", self.0)
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A CodeableConcept with one code and a text.
pub fn coded(system: &str, code: &str, display: &str) -> Json {
    let coding = Json::default().text("system", system).text("code", code).text("display", display);
    Json::default().raw("coding", format!("[{}]", coding.end())).text("text", display)
}

/// A Reference.
pub fn reference(to: &str) -> Json {
    Json::default().text("reference", to)
}

/// A Quantity; the decimal text is kept.
pub fn quantity(value: &str, unit: &str) -> Json {
    Json::default().raw("value", value).text("unit", unit)
}

/// A collection Bundle of resources.
pub fn bundle(resources: impl IntoIterator<Item = Json>) -> String {
    let mut out = String::from(r#"{"resourceType":"Bundle","type":"collection","entry":["#);
    for (i, resource) in resources.into_iter().enumerate() {
        let _ = write!(out, "{}{{\"resource\":{}}}", if i == 0 { "" } else { "," }, resource.end());
    }
    out.push_str("]}");
    out
}

/// Resources one a line.
pub fn ndjson(resources: impl IntoIterator<Item = Json>) -> String {
    let mut out = String::new();
    for resource in resources {
        out.push_str(&resource.end());
        out.push('\n');
    }
    out
}
