//! Code systems, by the many names records give them.

/// A code system of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodeSystem {
    /// ICD-10-CM; a code here is a prefix of the recorded one.
    Icd10Cm,
    /// ICD-9-CM; a code here is a prefix of the recorded one.
    Icd9Cm,
    /// SNOMED CT.
    Snomed,
    /// LOINC.
    Loinc,
    /// RxNorm ingredients.
    RxNorm,
}

impl CodeSystem {
    /// The system a recorded URI, OID or name stands for.
    pub fn of(recorded: &str) -> Option<Self> {
        let text = recorded.trim().to_ascii_lowercase();
        let oid = text.strip_prefix("urn:oid:").unwrap_or(&text);
        match oid {
            "2.16.840.1.113883.6.90" => return Some(Self::Icd10Cm),
            "2.16.840.1.113883.6.103" => return Some(Self::Icd9Cm),
            "2.16.840.1.113883.6.96" => return Some(Self::Snomed),
            "2.16.840.1.113883.6.1" => return Some(Self::Loinc),
            "2.16.840.1.113883.6.88" => return Some(Self::RxNorm),
            _ => {}
        }
        // ICD-10 of other countries shares the first three characters and titles, so it is read as the same system.
        if text.contains("icd-10") || text.contains("icd10") {
            (!text.contains("pcs")).then_some(Self::Icd10Cm)
        } else if text.contains("icd-9") || text.contains("icd9") {
            (!text.contains("proc")).then_some(Self::Icd9Cm)
        } else if text.contains("snomed") || text == "sct" {
            Some(Self::Snomed)
        } else if text.contains("loinc") {
            Some(Self::Loinc)
        } else if text.contains("rxnorm") {
            Some(Self::RxNorm)
        } else {
            None
        }
    }

    /// The FHIR URI.
    pub fn uri(self) -> &'static str {
        match self {
            Self::Icd10Cm => "http://hl7.org/fhir/sid/icd-10-cm",
            Self::Icd9Cm => "http://hl7.org/fhir/sid/icd-9-cm",
            Self::Snomed => "http://snomed.info/sct",
            Self::Loinc => "http://loinc.org",
            Self::RxNorm => "http://www.nlm.nih.gov/research/umls/rxnorm",
        }
    }

    /// Whether a code of the table stands for every code that begins with it.
    pub fn by_prefix(self) -> bool {
        matches!(self, Self::Icd10Cm | Self::Icd9Cm)
    }

    pub(crate) fn tag(letter: &str) -> Option<Self> {
        Some(match letter {
            "10" => Self::Icd10Cm,
            "9" => Self::Icd9Cm,
            "S" => Self::Snomed,
            "L" => Self::Loinc,
            "R" => Self::RxNorm,
            _ => return None,
        })
    }
}

/// A code of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConceptCode {
    /// Its system.
    pub system: CodeSystem,
    /// The code, without dots for ICD.
    pub code: &'static str,
}

impl ConceptCode {
    /// Whether the recorded code is this one or, for ICD, lies under it.
    pub fn covers(&self, recorded: &str) -> bool {
        if !self.system.by_prefix() {
            return recorded.trim() == self.code;
        }
        let mut rest = recorded.chars().filter(|c| !matches!(c, '.' | ' ')).map(|c| c.to_ascii_uppercase());
        self.code.chars().all(|c| rest.next() == Some(c))
    }
}
