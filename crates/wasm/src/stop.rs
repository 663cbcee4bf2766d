//! What a panic says to the outside: the place in our code, and nothing of the record.

use std::panic::Location;
use std::sync::Once;

/// The payload of [`crate::Core::trap`], which must never be seen outside.
pub(crate) const UNSAID: &str = "this payload stands for record text";

/// Makes a panic throw an error that names its place. A payload can quote the record (a slice of a text that ends inside
/// a character does), so it is left out.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    // The test runner reports failed assertions by a hook of its own.
    if !cfg!(test) {
        ONCE.call_once(|| {
            std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&message(info.location()))));
        });
    }
}

/// What is thrown.
pub(crate) fn message(place: Option<&Location<'_>>) -> String {
    match place {
        Some(place) => format!("stopped at {}:{}", place.file(), place.line()),
        None => "stopped at an unknown place".to_owned(),
    }
}
