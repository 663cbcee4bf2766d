//! Headings of notes and what they say about everything under them.

use crate::text::lower;

/// What a heading says about the statements under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Default {
    /// Nothing.
    Plain,
    /// Of the patient's past.
    Past,
    /// Of relatives.
    Family,
    /// What may happen.
    Hypothetical,
    /// Asked about, not established.
    Asked,
}

/// Known headings in lower case, with what they imply.
const SECTIONS: &[(&str, Default)] = &[
    ("past medical history", Default::Past),
    ("past medical/surgical history", Default::Past),
    ("past medical and surgical history", Default::Past),
    ("past history", Default::Past),
    ("past medical hx", Default::Past),
    ("past obstetric history", Default::Past),
    ("resolved problems", Default::Past),
    ("history of past illness", Default::Past),
    ("medical history", Default::Past),
    ("prior medical history", Default::Past),
    ("past surgical history", Default::Past),
    ("surgical history", Default::Past),
    ("past psychiatric history", Default::Past),
    ("pmh", Default::Past),
    ("pmhx", Default::Past),
    ("psh", Default::Past),
    ("pmh/psh", Default::Past),
    ("allergies", Default::Past),
    ("allergies and intolerances", Default::Past),
    ("adverse drug reactions", Default::Past),
    ("drug allergies", Default::Past),
    ("allergy", Default::Past),
    ("family history", Default::Family),
    ("family medical history", Default::Family),
    ("family hx", Default::Family),
    ("family health history", Default::Family),
    ("family histories", Default::Family),
    ("family history of", Default::Family),
    ("fh", Default::Family),
    ("fhx", Default::Family),
    ("return precautions", Default::Hypothetical),
    ("discharge instructions", Default::Hypothetical),
    ("patient instructions", Default::Hypothetical),
    ("instructions", Default::Hypothetical),
    ("warning signs", Default::Hypothetical),
    ("patient education", Default::Hypothetical),
    ("education", Default::Hypothetical),
    ("follow-up instructions", Default::Hypothetical),
    ("follow up instructions", Default::Hypothetical),
    ("after visit instructions", Default::Hypothetical),
    ("discharge patient instructions", Default::Hypothetical),
    ("when to seek care", Default::Hypothetical),
    ("when to seek help", Default::Hypothetical),
    ("when to call", Default::Hypothetical),
    ("risks", Default::Hypothetical),
    ("contingency", Default::Hypothetical),
    ("indication", Default::Asked),
    ("indications", Default::Asked),
    ("reason for exam", Default::Asked),
    ("reason for examination", Default::Asked),
    ("reason for study", Default::Asked),
    ("reason for test", Default::Asked),
    ("reason for testing", Default::Asked),
    ("reason for imaging", Default::Asked),
    ("reason for scan", Default::Asked),
    ("reason for order", Default::Asked),
    ("reason for this examination", Default::Asked),
    ("study indication", Default::Asked),
    ("indication for study", Default::Asked),
    ("indication for exam", Default::Asked),
    ("indication for procedure", Default::Asked),
    ("indications for procedure", Default::Asked),
    ("differential diagnoses", Default::Asked),
    ("rule out", Default::Asked),
    ("clinical question", Default::Asked),
    ("clinical indication", Default::Asked),
    ("differential diagnosis", Default::Asked),
    ("differential", Default::Asked),
    ("ddx", Default::Asked),
    ("history of present illness", Default::Plain),
    ("hpi", Default::Plain),
    ("history", Default::Plain),
    ("interval history", Default::Plain),
    ("chief complaint", Default::Plain),
    ("presenting complaint", Default::Plain),
    ("reason for admission", Default::Plain),
    ("reason for visit", Default::Plain),
    ("reason for consultation", Default::Plain),
    ("subjective", Default::Plain),
    ("objective", Default::Plain),
    ("overnight events", Default::Plain),
    ("events", Default::Plain),
    ("social history", Default::Plain),
    ("sh", Default::Plain),
    ("review of systems", Default::Plain),
    ("ros", Default::Plain),
    ("physical exam", Default::Plain),
    ("physical examination", Default::Plain),
    ("exam", Default::Plain),
    ("examination", Default::Plain),
    ("vital signs", Default::Plain),
    ("vitals", Default::Plain),
    ("general", Default::Plain),
    ("medications", Default::Plain),
    ("home medications", Default::Plain),
    ("current medications", Default::Plain),
    ("medications on admission", Default::Plain),
    ("discharge medications", Default::Plain),
    ("laboratory data", Default::Plain),
    ("laboratory", Default::Plain),
    ("labs", Default::Plain),
    ("results", Default::Plain),
    ("data", Default::Plain),
    ("imaging", Default::Plain),
    ("radiology", Default::Plain),
    ("studies", Default::Plain),
    ("findings", Default::Plain),
    ("impression", Default::Plain),
    ("comparison", Default::Plain),
    ("technique", Default::Plain),
    ("assessment", Default::Plain),
    ("assessment and plan", Default::Plain),
    ("assessment & plan", Default::Plain),
    ("assessment/plan", Default::Plain),
    ("a/p", Default::Plain),
    ("a&p", Default::Plain),
    ("plan", Default::Plain),
    ("recommendations", Default::Plain),
    ("hospital course", Default::Plain),
    ("brief hospital course", Default::Plain),
    ("hospital course by problem", Default::Plain),
    ("icu course", Default::Plain),
    ("ed course", Default::Plain),
    ("emergency department course", Default::Plain),
    ("procedures", Default::Plain),
    ("procedure", Default::Plain),
    ("complications", Default::Plain),
    ("diagnoses", Default::Plain),
    ("diagnosis", Default::Plain),
    ("admission diagnosis", Default::Plain),
    ("admitting diagnosis", Default::Plain),
    ("admission diagnoses", Default::Plain),
    ("discharge diagnosis", Default::Plain),
    ("discharge diagnoses", Default::Plain),
    ("final diagnosis", Default::Plain),
    ("principal diagnosis", Default::Plain),
    ("secondary diagnoses", Default::Plain),
    ("problem list", Default::Plain),
    ("active problems", Default::Plain),
    ("disposition", Default::Plain),
    ("condition on discharge", Default::Plain),
    ("discharge condition", Default::Plain),
    ("follow up", Default::Plain),
    ("follow-up", Default::Plain),
    ("addendum", Default::Plain),
    ("course", Default::Plain),
    ("summary", Default::Plain),
];

/// What a heading says; `None` when it is not a known one.
pub(crate) fn default_of(name: &str) -> Option<Default> {
    if name.len() > 64 {
        return None;
    }
    let name: String =
        name.trim().trim_start_matches(['#', '*', ' ']).trim_end_matches([':', '*', ' ']).chars().map(lower).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    SECTIONS.iter().find(|(known, _)| *known == name).map(|(_, default)| *default)
}

/// Whether it is a known heading.
pub(crate) fn known(name: &str) -> bool {
    default_of(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(default_of("PAST  MEDICAL HISTORY:"), Some(Default::Past));
        assert_eq!(default_of("Family history"), Some(Default::Family));
        assert_eq!(default_of("Hospital Course"), Some(Default::Plain));
        assert_eq!(default_of("Transfusion"), None);
    }
}
