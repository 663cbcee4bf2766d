//! Icons, drawn here: shape carries the meaning, colour only repeats it.

use crate::dom::{El, svg};
use chartproof_assess::{Polarity, Verdict};

fn icon(class: &str, view_box: &str, path: &str) -> El {
    svg("svg")
        .attr("class", class)
        .attr("viewBox", view_box)
        .attr("aria-hidden", "true")
        .attr("focusable", "false")
        .add(svg("path").attr("d", path))
}

/// Icon of a verdict.
pub(crate) fn verdict(verdict: Verdict) -> El {
    let path = match verdict {
        // A tick.
        Verdict::Supported => "M6 16.5l7 7L26.5 9.5",
        // Two arrows against each other.
        Verdict::Conflicting => "M3 11h11M10 6.5l4.5 4.5-4.5 4.5M29 21H18M22 16.5l-4.5 4.5 4.5 4.5",
        // A cross.
        Verdict::Refuted => "M8 8l16 16M24 8L8 24",
        // An open ring with a gap.
        Verdict::Insufficient => {
            "M16 5a11 11 0 0 1 11 11M27 16a11 11 0 0 1-3.2 7.8M20 26.2A11 11 0 0 1 8.2 23.8M5.8 20A11 11 0 0 1 8.2 8.2"
        }
    };
    icon("icon verdict-icon", "0 0 32 32", path)
}

/// Icon of a polarity.
pub(crate) fn polarity(polarity: Polarity) -> El {
    let path = match polarity {
        Polarity::Supports => "M8 3v10M3 8h10",
        Polarity::Refutes => "M3 8h10",
        Polarity::Neutral => "M6 8h4",
    };
    icon("icon", "0 0 16 16", path)
}

/// A sheet with lines.
pub(crate) fn sheet() -> El {
    icon("icon", "0 0 16 16", "M4 2h5.5L12.5 5v9H4zM6.5 8h4M6.5 11h4")
}

/// A warning sign.
pub(crate) fn warning() -> El {
    icon("icon", "0 0 16 16", "M8 2.5L14.5 13.5h-13zM8 7v3M8 11.7v.6")
}

/// An arrow into a tray.
pub(crate) fn tray() -> El {
    icon("icon tray", "0 0 32 32", "M16 4v15M10 13.5l6 6 6-6M5 20v7h22v-7")
}

/// A cross to close something.
pub(crate) fn close() -> El {
    icon("icon", "0 0 16 16", "M4 4l8 8M12 4l-8 8")
}

/// A padlock.
pub(crate) fn lock() -> El {
    icon("icon", "0 0 16 16", "M4 7.5h8V14H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5")
}

/// The mark: a record line that passes a threshold.
pub(crate) fn mark() -> El {
    icon("icon brand-mark", "0 0 24 24", "M3 17h4l3-9 4 12 2.5-7H21M3 5h18")
}
