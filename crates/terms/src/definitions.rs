//! Numeric definitions of events, each with its published source. Data only: the assessor carries them out.

/// How the reference value of a rise or fall is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reference {
    /// Lowest value of the 7 days before.
    LowestPrior7d,
    /// Lowest value of the 365 days before.
    LowestPrior365d,
    /// First value of the stay.
    FirstOfStay,
    /// Last value before the anchor event.
    LastBeforeAnchor,
    /// Highest value of the 7 days before (for falls).
    HighestPrior7d,
}

impl Reference {
    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::LowestPrior7d => "lowest_prior_7d",
            Self::LowestPrior365d => "lowest_prior_365d",
            Self::FirstOfStay => "first_of_stay",
            Self::LastBeforeAnchor => "last_before_anchor",
            Self::HighestPrior7d => "highest_prior_7d",
        }
    }

    /// The rule of a name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::LowestPrior7d, Self::LowestPrior365d, Self::FirstOfStay, Self::LastBeforeAnchor, Self::HighestPrior7d]
            .into_iter()
            .find(|r| r.name() == name)
    }
}

/// What the row's number is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Above the number.
    Above(f64),
    /// At least the number.
    AtLeast(f64),
    /// Below the number.
    Below(f64),
    /// Above a multiple of the upper limit of the row's own range.
    AboveUpperLimit(f64),
    /// Below the lower limit of the row's own range.
    BelowLowerLimit,
    /// At least this much above the reference.
    RiseBy(f64),
    /// At least this multiple of the reference.
    RiseTo(f64),
    /// At least this much below the reference.
    FallBy(f64),
    /// More than this fraction below the reference.
    FallFraction(f64),
}

/// One rule that, met, says the event is there by the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Definition {
    /// Preferred name of the event.
    pub event: &'static str,
    /// Preferred name of the analyte.
    pub analyte: &'static str,
    /// Stable id of the rule.
    pub rule: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// Allowed reference rules, the default first; empty where no reference is needed.
    pub references: &'static [Reference],
    /// The threshold.
    pub threshold: Threshold,
    /// Unit of the threshold's number; empty for a ratio.
    pub unit: &'static str,
    /// Hours within which a rise or fall must happen.
    pub within_hours: Option<u32>,
    /// Concepts in whose presence the rule does not speak.
    pub exclusions: &'static [&'static str],
    /// What makes a value doubtful, such as `hemolyzed`.
    pub cautions: &'static [&'static str],
}

/// Least change of an analyte that is called a rise or fall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeRule {
    /// Preferred name of the analyte.
    pub analyte: &'static str,
    /// Least difference, in `unit`.
    pub absolute: f64,
    /// Least fraction of the reference; both must be reached. Zero where the difference alone decides.
    pub fraction: f64,
    /// Unit of the difference.
    pub unit: &'static str,
    /// Default reference.
    pub reference: Reference,
    /// Where the size comes from.
    pub source: &'static str,
}

use Reference as R;
use Threshold as T;

const KDIGO: &str = "KDIGO Clinical Practice Guideline for Acute Kidney Injury, Kidney Int Suppl 2012;2:1-138, 2.1.1";
const CREATININE: &[Reference] = &[R::LowestPrior7d, R::LowestPrior365d, R::FirstOfStay, R::LastBeforeAnchor];
const WINDOW48: &[Reference] = &[R::LowestPrior7d, R::FirstOfStay, R::LastBeforeAnchor];
const FALLS: &[Reference] = &[R::LastBeforeAnchor, R::HighestPrior7d, R::FirstOfStay];
const DIALYSIS: &[&str] = &["end stage renal disease", "dialysis"];
const ERC: &str = "European Resuscitation Council Guidelines 2021, special circumstances (potassium >= 5.5 mmol/L)";
const NATREMIA: &str =
    "Clinical practice guideline on hyponatraemia, Eur J Endocrinol 2014;170:G1-G47 (sodium < 135 mmol/L)";
const WHO_HB: &str = "WHO/NMH/NHD/MNM/11.1, haemoglobin concentrations for the diagnosis of anaemia, 2011 (women < 12 g/dL, men < 13 g/dL; the lower is used)";
const BARC: &str = "ISTH definition of major bleeding, J Thromb Haemost 2005;3:692-694 (fall of haemoglobin >= 2 g/dL)";
const CTCAE: &str = "NCI Common Terminology Criteria for Adverse Events v5.0, 2017";
const FOUR_T: &str = "4Ts score, Lo et al., J Thromb Haemost 2006;4:759-765 (platelet fall > 50 %)";
const ADA: &str = "American Diabetes Association, Standards of Care in Diabetes, glycaemic targets (level 1 hypoglycaemia < 70 mg/dL)";
const ADA_HIGH: &str =
    "American Diabetes Association, Standards of Care in Diabetes, hospital care (hyperglycaemia > 140 mg/dL)";
const ACC_VKA: &str =
    "ACCP Antithrombotic Guidelines, Chest 2012;141(2 Suppl):e152S (INR above the range; 5 as the marked level)";
const SEPSIS3: &str = "Sepsis-3, JAMA 2016;315:801-810 (lactate > 2 mmol/L)";
const UDMI: &str = "Fourth Universal Definition of Myocardial Infarction, Circulation 2018;138:e618-e651 (above the 99th percentile: the row's own upper limit)";
const DILI: &str = "International consensus on drug-induced liver injury, Clin Pharmacol Ther 2011;89:806-815 (ALT >= 5 x ULN); Hy's law screening at 3 x ULN, FDA guidance 2009";

#[rustfmt::skip]
const fn d(event: &'static str, analyte: &'static str, rule: &'static str, source: &'static str, threshold: Threshold, unit: &'static str) -> Definition {
    Definition { event, analyte, rule, source, references: &[], threshold, unit, within_hours: None, exclusions: &[], cautions: &[] }
}

const fn rise(base: Definition, references: &'static [Reference], within_hours: u32) -> Definition {
    Definition { references, within_hours: Some(within_hours), ..base }
}

/// All definitions, by event.
#[rustfmt::skip]
static DEFINITIONS: &[Definition] = &[
    Definition { exclusions: DIALYSIS, ..rise(d("acute kidney injury", "creatinine", "kdigo_rise_48h", KDIGO, T::RiseBy(0.3), "mg/dL"), WINDOW48, 48) },
    Definition { exclusions: DIALYSIS, ..rise(d("acute kidney injury", "creatinine", "kdigo_ratio_7d", KDIGO, T::RiseTo(1.5), ""), CREATININE, 168) },
    d("agranulocytosis", "neutrophils", "anc_below_0_5", CTCAE, T::Below(0.5), "10*3/uL"),
    d("anemia", "hemoglobin", "who_anemia", WHO_HB, T::Below(12.0), "g/dL"),
    rise(d("bleeding", "hemoglobin", "hb_drop_2", BARC, T::FallBy(2.0), "g/dL"), FALLS, 168),
    d("drug induced liver injury", "alanine aminotransferase", "alt_5x_uln", DILI, T::AboveUpperLimit(5.0), ""),
    d("drug induced liver injury", "alanine aminotransferase", "alt_3x_uln", DILI, T::AboveUpperLimit(3.0), ""),
    d("drug induced liver injury", "aspartate aminotransferase", "ast_5x_uln", DILI, T::AboveUpperLimit(5.0), ""),
    d("drug induced liver injury", "aspartate aminotransferase", "ast_3x_uln", DILI, T::AboveUpperLimit(3.0), ""),
    rise(d("hemoglobin drop", "hemoglobin", "hb_drop_2", BARC, T::FallBy(2.0), "g/dL"), FALLS, 168),
    rise(d("heparin induced thrombocytopenia", "platelets", "platelet_fall_50", FOUR_T, T::FallFraction(0.5), ""), &[R::HighestPrior7d, R::FirstOfStay, R::LastBeforeAnchor], 336),
    d("hyperglycemia", "glucose", "ada_hyperglycemia", ADA_HIGH, T::Above(140.0), "mg/dL"),
    Definition { cautions: &["hemolyzed", "haemolysed"], ..d("hyperkalemia", "potassium", "k_5_5", ERC, T::AtLeast(5.5), "mmol/L") },
    d("hypernatremia", "sodium", "na_145", CTCAE, T::Above(145.0), "mmol/L"),
    d("hypoglycemia", "glucose", "ada_level_1", ADA, T::Below(70.0), "mg/dL"),
    d("hypokalemia", "potassium", "k_3_5", CTCAE, T::Below(3.5), "mmol/L"),
    d("hyponatremia", "sodium", "na_135", NATREMIA, T::Below(135.0), "mmol/L"),
    d("lactic acidosis", "lactate", "lactate_2", SEPSIS3, T::Above(2.0), "mmol/L"),
    d("myocardial infarction", "troponin", "troponin_p99", UDMI, T::AboveUpperLimit(1.0), ""),
    d("neutropenia", "neutrophils", "anc_below_1_5", CTCAE, T::Below(1.5), "10*3/uL"),
    d("supratherapeutic inr", "international normalized ratio", "inr_5", ACC_VKA, T::Above(5.0), ""),
    d("thrombocytopenia", "platelets", "platelets_150", CTCAE, T::Below(150.0), "10*3/uL"),
];

const RCV: &str = "reference change value, 95 %: 2.77 x sqrt(within-person^2 + analytical^2), within-person variation from the EFLM Biological Variation Database, rounded";

const fn c(
    analyte: &'static str,
    absolute: f64,
    fraction: f64,
    unit: &'static str,
    source: &'static str,
) -> ChangeRule {
    ChangeRule { analyte, absolute, fraction, unit, reference: R::LastBeforeAnchor, source }
}

/// Change rules. For haemoglobin a 1 g/dL change is the usual least response to one unit of red cells.
#[rustfmt::skip]
static CHANGES: &[ChangeRule] = &[
    c("alanine aminotransferase", 5.0, 0.30, "U/L", RCV),
    c("aspartate aminotransferase", 5.0, 0.30, "U/L", RCV),
    c("bilirubin", 0.3, 0.60, "mg/dL", RCV),
    c("blood urea nitrogen", 4.0, 0.40, "mg/dL", RCV),
    c("creatinine", 0.3, 0.0, "mg/dL", KDIGO),
    c("glucose", 20.0, 0.15, "mg/dL", RCV),
    c("hemoglobin", 1.0, 0.0, "g/dL", RCV),
    c("hemoglobin a1c", 0.5, 0.0, "%", "NICE NG28 and NGSP: a difference of 0.5 % (5.5 mmol/mol) is meaningful"),
    c("international normalized ratio", 0.5, 0.15, "", RCV),
    c("lactate", 0.5, 0.20, "mmol/L", RCV),
    c("neutrophils", 0.5, 0.40, "10*3/uL", RCV),
    c("platelets", 20.0, 0.25, "10*3/uL", RCV),
    c("potassium", 0.5, 0.0, "mmol/L", RCV),
    c("sodium", 4.0, 0.0, "mmol/L", RCV),
    c("troponin", 0.0, 0.20, "", UDMI),
    c("troponin i", 0.0, 0.20, "", UDMI),
    c("troponin t", 0.0, 0.20, "", UDMI),
    c("white blood cells", 2.0, 0.30, "10*3/uL", RCV),
];

/// The definitions of an event, by its preferred name or any of its words.
pub fn definition_for(event: &str) -> &'static [Definition] {
    let name = crate::lookup(event).map_or(event, |e| e.canonical);
    let first = DEFINITIONS.partition_point(|d| d.event < name);
    let count = DEFINITIONS[first..].partition_point(|d| d.event <= name);
    &DEFINITIONS[first..first + count]
}

/// The least change of an analyte that counts, by its preferred name or any of its words.
pub fn change_rule(analyte: &str) -> Option<&'static ChangeRule> {
    let name = crate::lookup(analyte).map_or(analyte, |e| e.canonical);
    CHANGES.iter().find(|rule| rule.analyte == name)
}

/// Every definition.
pub fn definitions() -> &'static [Definition] {
    DEFINITIONS
}
