//! Every response header the server sends, in one table.
//!
//! | kind | files | what its policy is for |
//! |---|---|---|
//! | [`Kind::Page`] | `.html`, and every error | what the page may load and run |
//! | [`Kind::Script`] | `.js`, `.mjs` | what a **worker** started from this file may do |
//! | [`Kind::Asset`] | all the rest | nothing at all, should somebody open it by itself |
//!
//! A worker gets no policy from the page that starts it: the policy on the response of its own script is the only one it
//! has. A page ignores a policy on a script it loads, so every script carries the worker's policy, not only the one
//! script meant to be a worker. The realm that holds the record can therefore send nothing, whichever file it is started
//! from.

/// The page: own scripts, wasm, styles and images; requests to its own origin alone; frames of its own origin alone; no
/// string becomes a script unless the policy `chartproof` made it.
pub const PAGE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types chartproof";

/// A worker: own modules and wasm, and not one request.
pub const WORKER_POLICY: &str =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'; require-trusted-types-for 'script'";

/// Anything else, opened by itself: inert.
pub const ASSET_POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// Device and tracking features the page never needs. Writing to the clipboard stays allowed: a person copies quotes.
pub const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

/// What a file is to the browser, as far as headers go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A document: `.html`, a folder's index, an error.
    Page,
    /// A script, which the page may load and which may become a worker.
    Script,
    /// Everything else: wasm, styles, images, data.
    Asset,
}

impl Kind {
    /// The kind of a file, by the extension of its name.
    #[must_use]
    pub fn of(file_name: &str) -> Self {
        match extension(file_name) {
            "html" => Self::Page,
            "js" | "mjs" => Self::Script,
            _ => Self::Asset,
        }
    }

    /// The content security policy of this kind.
    #[must_use]
    pub const fn policy(self) -> &'static str {
        match self {
            Self::Page => PAGE_POLICY,
            Self::Script => WORKER_POLICY,
            Self::Asset => ASSET_POLICY,
        }
    }

    /// All headers of this kind but the content type, as (lower-case name, value).
    ///
    /// `no-cache` makes the browser ask each time (and get a short 304): a page never runs with parts of two builds.
    #[must_use]
    pub const fn headers(self) -> [(&'static str, &'static str); 6] {
        [
            ("content-security-policy", self.policy()),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("permissions-policy", PERMISSIONS),
            ("cross-origin-opener-policy", "same-origin-allow-popups"),
            ("cache-control", "no-cache"),
        ]
    }
}

/// The media type of a file, by the extension of its name. Unknown files are bytes, never guessed.
#[must_use]
pub fn content_type(file_name: &str) -> &'static str {
    match extension(file_name) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "ndjson" => "application/x-ndjson",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webmanifest" => "application/manifest+json",
        "txt" | "md" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "xml" => "application/xml",
        // A pack is data to us: without `content-encoding` the browser hands it over as it is.
        "gz" => "application/gzip",
        _ => "application/octet-stream",
    }
}

fn extension(file_name: &str) -> &str {
    file_name.rsplit_once('.').map_or("", |(_, ext)| ext)
}
