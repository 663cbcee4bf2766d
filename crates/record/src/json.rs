//! JSON with positions: a flat tape of one value, borrowed from the text, with the byte range of every node.
//!
//! Why not `serde_json`: citations need the byte range of any node and the exact text of numbers, duplicate keys
//! must be seen, and a record of 200 MB may not become a tree of values. `serde_json` is the oracle of the tests.

use std::borrow::Cow;

/// Deepest nesting accepted.
pub const MAX_DEPTH: usize = 200;

/// Why a text is not JSON, with the byte offset of the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// Byte offset in the scanned text.
    pub offset: usize,
    /// What was expected or wrong.
    pub message: &'static str,
}

/// One-based line and column (in code points) of a byte offset.
pub fn line_column(text: &[u8], offset: usize) -> (usize, usize) {
    let upto = &text[..offset.min(text.len())];
    let line = upto.iter().filter(|b| **b == b'\n').count() + 1;
    let start = upto.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let column = upto[start..].iter().filter(|b| **b & 0xC0 != 0x80).count() + 1;
    (line, column)
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, kept as its text.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

#[derive(Clone, Copy, Debug)]
struct Raw {
    start: u32,
    end: u32,
    /// Index of the first node after this subtree.
    next: u32,
    kind: Kind,
    /// A string with escapes.
    escaped: bool,
}

/// The nodes of one value in document order; an object's children alternate key and value.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    nodes: Vec<Raw>,
    duplicate_keys: Vec<u32>,
    lone_surrogates: Vec<u32>,
}

/// Reads values one after another from a text.
#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// Byte offsets of `\\uD800` and its like that stand alone.
    lone_surrogates: Vec<u32>,
}

impl<'a> Scanner<'a> {
    /// Starts at byte `at` of `text`. Texts of 4 GiB and more are refused by [`Scanner::value`].
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, lone_surrogates: Vec::new() }
    }

    /// The byte offset reached.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Skips white space and returns the next byte without taking it.
    pub fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b) = bytes.get(self.at) {
            match b {
                b' ' => {
                    self.at += 1;
                    // Indentation comes in runs.
                    while bytes.get(self.at..self.at + 8) == Some(b"        ") {
                        self.at += 8;
                    }
                }
                b'\n' | b'\r' | b'\t' => self.at += 1,
                _ => return Some(*b),
            }
        }
        None
    }

    /// Takes `byte` after white space.
    pub fn expect(&mut self, byte: u8, message: &'static str) -> Result<(), JsonError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.fault(message))
        }
    }

    /// Takes a comma or the closing byte: `true` when another item follows.
    pub fn more(&mut self, close: u8) -> Result<bool, JsonError> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(b) if b == close => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.fault("expected a comma or the end of the list")),
        }
    }

    fn fault(&self, message: &'static str) -> JsonError {
        JsonError { offset: self.at, message }
    }

    /// Takes one string and returns its decoded text.
    pub fn key(&mut self) -> Result<Cow<'a, str>, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.fault("expected a key in quotes"));
        }
        let start = self.at;
        self.string()?;
        Ok(unescape(&self.text[start + 1..self.at - 1]))
    }

    /// Reads one value into `tape`, which is cleared first.
    pub fn value(&mut self, tape: &mut Tape) -> Result<(), JsonError> {
        tape.nodes.clear();
        tape.duplicate_keys.clear();
        tape.lone_surrogates.clear();
        self.lone_surrogates.clear();
        if u32::try_from(self.text.len()).is_err() {
            return Err(self.fault("a text of 4 GiB or more is not read"));
        }
        // Open containers: index of the node, and a small filter over its keys (objects only).
        let mut open: Vec<(usize, u64)> = Vec::new();
        loop {
            // A value is expected here.
            let byte = self.peek().ok_or(self.fault("the text ends where a value is expected"))?;
            let start = self.at;
            match byte {
                b'{' | b'[' => {
                    if open.len() >= MAX_DEPTH {
                        return Err(self.fault("nested deeper than 200 levels"));
                    }
                    let kind = if byte == b'{' { Kind::Object } else { Kind::Array };
                    self.at += 1;
                    open.push((tape.nodes.len(), 0));
                    tape.push(start, start, kind);
                    let close = if byte == b'{' { b'}' } else { b']' };
                    if self.peek() == Some(close) {
                        self.at += 1;
                        tape.close(&mut open, self.at);
                    } else {
                        if byte == b'{' {
                            self.object_key(tape, &mut open)?;
                        }
                        continue;
                    }
                }
                b'"' => {
                    let escaped = self.string()?;
                    tape.push_string(start, self.at, escaped);
                }
                b't' => self.word("true", Kind::Bool, tape)?,
                b'f' => self.word("false", Kind::Bool, tape)?,
                b'n' => self.word("null", Kind::Null, tape)?,
                b'-' | b'0'..=b'9' => {
                    self.number()?;
                    tape.push(start, self.at, Kind::Number);
                }
                _ => return Err(self.fault("expected a value")),
            }
            // A value has ended: close containers until one goes on.
            loop {
                let Some((index, _)) = open.last() else {
                    tape.lone_surrogates.append(&mut self.lone_surrogates);
                    return Ok(());
                };
                let object = tape.nodes[*index].kind == Kind::Object;
                if self.more(if object { b'}' } else { b']' })? {
                    if object {
                        self.object_key(tape, &mut open)?;
                    }
                    break;
                }
                tape.close(&mut open, self.at);
            }
        }
    }

    fn object_key(&mut self, tape: &mut Tape, open: &mut [(usize, u64)]) -> Result<(), JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.fault("expected a key in quotes"));
        }
        let start = self.at;
        let escaped = self.string()?;
        let raw = &self.text.as_bytes()[start..self.at];
        if let Some((index, filter)) = open.last_mut() {
            let spread = raw.iter().fold(raw.len() as u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(*b)));
            let bit = 1_u64 << (spread % 64);
            if *filter & bit != 0 && tape.has_key(*index, raw, self.text.as_bytes()) {
                tape.duplicate_keys.push(start as u32);
            }
            *filter |= bit;
        }
        tape.push_string(start, self.at, escaped);
        self.expect(b':', "expected a colon after the key")
    }

    fn word(&mut self, word: &'static str, kind: Kind, tape: &mut Tape) -> Result<(), JsonError> {
        let start = self.at;
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            tape.push(start, self.at, kind);
            Ok(())
        } else {
            Err(self.fault("expected true, false or null"))
        }
    }

    /// Takes a string; says whether it has escapes.
    fn string(&mut self) -> Result<bool, JsonError> {
        let bytes = self.text.as_bytes();
        let mut escaped = false;
        self.at += 1;
        loop {
            self.at = plain_run(bytes, self.at);
            match bytes.get(self.at) {
                None => return Err(self.fault("the text ends inside a string")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    match bytes.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
                        Some(b'u') => {
                            let hex = bytes.get(self.at + 2..self.at + 6);
                            if !hex.is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit)) {
                                return Err(self.fault("\\u needs four hexadecimal digits"));
                            }
                            self.at = self.after_unit(hex);
                        }
                        _ => return Err(self.fault("unknown escape in a string")),
                    }
                }
                Some(b) if *b < 0x20 => return Err(self.fault("a control character inside a string")),
                Some(_) => self.at += 1,
            }
        }
    }

    /// The end of the escape `\\u` here, and of the second of a pair of surrogates; notes one that stands alone.
    fn after_unit(&mut self, hex: Option<&[u8]>) -> usize {
        let surrogate = |hex: Option<&[u8]>| match hex {
            Some([b'd' | b'D', second, ..]) => match second.to_ascii_uppercase() {
                b'8'..=b'B' => Some(true),
                b'C'..=b'F' => Some(false),
                _ => None,
            },
            _ => None,
        };
        let next = self.at + 6;
        let Some(high) = surrogate(hex) else { return next };
        let bytes = self.text.as_bytes();
        let low = bytes.get(next + 2..next + 6).filter(|h| h.iter().all(u8::is_ascii_hexdigit));
        if high && bytes.get(next..next + 2) == Some(b"\\u") && surrogate(low) == Some(false) {
            return next + 6;
        }
        self.lone_surrogates.push(self.at as u32);
        next
    }

    fn number(&mut self) -> Result<(), JsonError> {
        let bytes = self.text.as_bytes();
        let digits = |at: &mut usize| {
            let start = *at;
            while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
                *at += 1;
            }
            *at > start
        };
        let mut at = self.at;
        if bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        let whole = at;
        let mut good = digits(&mut at) && (bytes[whole] != b'0' || at == whole + 1);
        if good && bytes.get(at) == Some(&b'.') {
            at += 1;
            good = digits(&mut at);
        }
        if good && matches!(bytes.get(at), Some(b'e' | b'E')) {
            at += 1;
            if matches!(bytes.get(at), Some(b'+' | b'-')) {
                at += 1;
            }
            good = digits(&mut at);
        }
        self.at = at;
        if good { Ok(()) } else { Err(self.fault("not a JSON number")) }
    }
}

/// The first place from `at` on, or one at most seven bytes before the end of `bytes`, that may hold a quote, a
/// backslash or a control character: eight bytes at a time.
fn plain_run(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const QUOTES: u64 = ONES * b'"' as u64;
    const SLASHES: u64 = ONES * b'\\' as u64;
    const SPACES: u64 = ONES * b' ' as u64;
    while let Some(Ok(eight)) = bytes.get(at..at + 8).map(<[u8; 8]>::try_from) {
        let word = u64::from_le_bytes(eight);
        let (quote, slash) = (word ^ QUOTES, word ^ SLASHES);
        // The lowest set high bit is exact; those above it may be borrows.
        let hit = (quote.wrapping_sub(ONES) & !quote)
            | (slash.wrapping_sub(ONES) & !slash)
            | (word.wrapping_sub(SPACES) & !word);
        match (hit & HIGH).trailing_zeros() {
            64 => at += 8,
            bit => return at + bit as usize / 8,
        }
    }
    at
}

/// The text of a JSON string's inside, escapes resolved; an unpaired surrogate becomes U+FFFD.
pub fn unescape(inside: &str) -> Cow<'_, str> {
    let Some(first) = inside.find('\\') else { return Cow::Borrowed(inside) };
    let mut out = String::with_capacity(inside.len());
    out.push_str(&inside[..first]);
    let mut rest = &inside[first..];
    let unit = |hex: &str| u32::from_str_radix(hex, 16).ok();
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes().get(at + 1).copied().unwrap_or(b'\\');
        let mut used = at + 2;
        match escape {
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'u' => {
                let high = rest.get(at + 2..at + 6).and_then(unit).unwrap_or(0xFFFD);
                used = at + 6;
                let low = (0xD800..0xDC00)
                    .contains(&high)
                    .then(|| rest.get(used..used + 2).filter(|s| *s == "\\u").and(rest.get(used + 2..used + 6)))
                    .flatten()
                    .and_then(unit)
                    .filter(|low| (0xDC00..0xE000).contains(low));
                let code = match low {
                    Some(low) => {
                        used += 6;
                        0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
                    }
                    None => high,
                };
                out.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
            }
            other => out.push(char::from(other)),
        }
        rest = rest.get(used..).unwrap_or("");
    }
    out.push_str(rest);
    Cow::Owned(out)
}

impl Tape {
    /// Reads the one value of `text` from byte `at` on; anything but white space after it is an error.
    pub fn of(text: &str, at: usize) -> Result<Self, JsonError> {
        let mut tape = Self::default();
        let mut scanner = Scanner::new(text, at);
        scanner.value(&mut tape)?;
        match scanner.peek() {
            None => Ok(tape),
            Some(_) => Err(scanner.fault("more text after the end of the value")),
        }
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Raw { start: start as u32, end: end as u32, next, kind, escaped: false });
    }

    fn push_string(&mut self, start: usize, end: usize, escaped: bool) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Raw { start: start as u32, end: end as u32, next, kind: Kind::String, escaped });
    }

    fn close(&mut self, open: &mut Vec<(usize, u64)>, end: usize) {
        if let Some((index, _)) = open.pop() {
            let next = self.nodes.len() as u32;
            let node = &mut self.nodes[index];
            node.end = end as u32;
            node.next = next;
        }
    }

    fn has_key(&self, object: usize, key: &[u8], text: &[u8]) -> bool {
        let mut at = object + 1;
        while at + 1 < self.nodes.len() {
            let node = &self.nodes[at];
            if text.get(node.start as usize..node.end as usize) == Some(key) {
                return true;
            }
            at = self.nodes[at + 1].next as usize;
        }
        false
    }

    /// Byte offsets of keys that an object of this value names a second time.
    pub fn duplicate_keys(&self) -> &[u32] {
        &self.duplicate_keys
    }

    /// Byte offsets of escapes of surrogates that stand alone: their text was read as U+FFFD.
    pub fn lone_surrogates(&self) -> &[u32] {
        &self.lone_surrogates
    }

    /// The value itself; `text` must be the text that was scanned.
    pub fn root<'a>(&'a self, text: &'a str) -> Node<'a> {
        Node { tape: self, text, index: 0 }
    }
}

/// A value inside a tape.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    tape: &'a Tape,
    text: &'a str,
    index: u32,
}

impl<'a> Node<'a> {
    fn raw_node(self) -> Raw {
        self.tape.nodes[self.index as usize]
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        self.raw_node().kind
    }

    /// Byte range in the scanned text, quotes and brackets included.
    pub fn range(self) -> (usize, usize) {
        let raw = self.raw_node();
        (raw.start as usize, raw.end as usize)
    }

    /// Pointer of the member, relative to this value, whose text covers a byte offset of the scanned text.
    pub fn pointer_at(self, offset: usize) -> String {
        let mut out = String::new();
        let mut node = self;
        let covers = |node: &Node<'_>| (node.range().0..node.range().1).contains(&offset);
        loop {
            let item = node.items().enumerate().find(|(_, item)| covers(item));
            if let Some((i, item)) = item {
                out.push_str(&format!("/{i}"));
                node = item;
                continue;
            }
            let Some((key, value)) = node.members().find(|(_, value)| covers(value)) else { return out };
            out.push('/');
            out.push_str(&key.replace('~', "~0").replace('/', "~1"));
            node = value;
        }
    }

    /// Byte offsets of escapes at or below this value of surrogates that stand alone.
    pub fn lone_surrogates(self) -> impl Iterator<Item = usize> {
        let (start, end) = self.range();
        self.tape.lone_surrogates.iter().map(|at| *at as usize).filter(move |at| (start..end).contains(at))
    }

    /// Whether an object at or below this value names a key twice.
    pub fn repeats_keys(self) -> bool {
        let (start, end) = self.range();
        self.tape.duplicate_keys.iter().any(|at| (start..end).contains(&(*at as usize)))
    }

    /// Members of this object that are named again with another value: the first of each, by pointer.
    pub fn contradictions(self) -> Vec<String> {
        let mut out = Vec::new();
        let mut open = vec![(self, String::new())];
        while let Some((node, at)) = open.pop() {
            if !node.repeats_keys() {
                continue;
            }
            let mut seen: Vec<(Cow<'a, str>, Node<'a>)> = Vec::new();
            for (key, value) in node.members() {
                let here = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                match seen.iter().find(|(known, _)| *known == key) {
                    Some((_, first)) if first.raw() != value.raw() => out.push(here),
                    Some(_) => {}
                    None => {
                        open.push((value, here));
                        seen.push((key, value));
                    }
                }
            }
            for (i, item) in node.items().enumerate() {
                open.push((item, format!("{at}/{i}")));
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The text as written.
    pub fn raw(self) -> &'a str {
        let (start, end) = self.range();
        &self.text[start..end]
    }

    /// The decoded text of a string.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let raw = self.raw_node();
        (raw.kind == Kind::String).then(|| {
            let inside = &self.text[raw.start as usize + 1..raw.end as usize - 1];
            if raw.escaped { unescape(inside) } else { Cow::Borrowed(inside) }
        })
    }

    /// The truth value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// The items of an array; none for anything else.
    pub fn items(self) -> impl Iterator<Item = Node<'a>> {
        let raw = self.raw_node();
        let end = if raw.kind == Kind::Array { raw.next } else { 0 };
        let mut at = self.index + 1;
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let node = Node { index: at, ..self };
                at = node.raw_node().next;
                node
            })
        })
    }

    /// The members of an object; none for anything else.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Node<'a>)> {
        let raw = self.raw_node();
        let end = if raw.kind == Kind::Object { raw.next } else { 0 };
        let mut at = self.index + 1;
        std::iter::from_fn(move || {
            (at + 1 < end).then(|| {
                let key = Node { index: at, ..self };
                let value = Node { index: at + 1, ..self };
                at = value.raw_node().next;
                (key.as_str().unwrap_or_default(), value)
            })
        })
    }

    /// The first member of that name.
    pub fn get(self, key: &str) -> Option<Node<'a>> {
        let raw = self.raw_node();
        if raw.kind != Kind::Object {
            return None;
        }
        let mut at = self.index + 1;
        while at + 1 < raw.next {
            let named = self.tape.nodes[at as usize];
            let value = Node { index: at + 1, ..self };
            let length = (named.end - named.start) as usize - 2;
            if length == key.len() || named.escaped {
                let inside = &self.text[named.start as usize + 1..named.end as usize - 1];
                if inside == key || (named.escaped && unescape(inside) == key) {
                    return Some(value);
                }
            }
            at = value.raw_node().next;
        }
        None
    }

    /// Follows a JSON pointer (RFC 6901).
    pub fn pointer(self, pointer: &str) -> Option<Node<'a>> {
        let mut node = self;
        for part in pointer.split('/').skip(1) {
            node = match node.kind() {
                Kind::Object => node.get(&part.replace("~1", "/").replace("~0", "~"))?,
                Kind::Array => node.items().nth(part.parse().ok()?)?,
                _ => return None,
            };
        }
        (pointer.is_empty() || pointer.starts_with('/')).then_some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nodes_know_where_they_are() {
        let text = r#" {"a": [1.0, "x\u00e9\ud83d\ude00"], "b~/": {"c": null}, "a": 2} "#;
        let tape = Tape::of(text, 0).expect("valid");
        let root = tape.root(text);
        assert_eq!(root.pointer("/a/0").map(Node::raw), Some("1.0"));
        assert_eq!(root.pointer("/a/1").and_then(Node::as_str).as_deref(), Some("xé😀"));
        assert_eq!(root.pointer("/b~0~1/c").map(Node::kind), Some(Kind::Null));
        assert_eq!(root.pointer("/b~0~1/d").map(Node::kind), None);
        assert_eq!(tape.duplicate_keys().len(), 1);
        assert_eq!(root.members().count(), 3);
    }

    #[test]
    fn faults_have_a_place() {
        for (text, offset) in [
            ("{\"a\":1,}", 7),
            ("[1 2]", 3),
            ("{\"a\" 1}", 5),
            ("\"\\x\"", 1),
            ("01", 2),
            ("[", 1),
            ("nul", 0),
            ("1 1", 2),
        ] {
            assert_eq!(Tape::of(text, 0).expect_err(text).offset, offset, "{text}");
        }
        assert!(Tape::of(&"[".repeat(100_000), 0).is_err());
        assert_eq!(line_column("aé\nbé😀x".as_bytes(), 11), (2, 4));
    }

    proptest! {
        #[test]
        fn agrees_with_serde_json(text in r#"[\[\]{}:,"\\ 0-9.eEtruefalsn\-+a\n]{0,24}"#) {
            prop_assert_eq!(Tape::of(&text, 0).is_ok(), serde_json::from_str::<serde_json::Value>(&text).is_ok()
                // serde_json refuses numbers beyond f64 and lone surrogates; those are kept here
                || serde_json::from_str::<Box<serde_json::value::RawValue>>(&text).is_ok());
        }
    }
}
