//! Laboratory units and conversions.
//!
//! Factors: unit prefixes are exact. Between mass and amount of substance the factor is the molar mass of the analyte
//! (IUPAC standard atomic weights): creatinine 113.12, glucose 180.16, urea nitrogen (two N) 28.014, bilirubin 584.66,
//! calcium 40.078, magnesium 24.305, phosphate as phosphorus 30.974, lactate as lactic acid 90.08, digoxin 780.94,
//! vancomycin 1449.3, lithium 6.94. Haemoglobin in mmol/L is per monomer, 16114.5 g/mol (ICSH). HbA1c between per cent
//! (NGSP) and mmol/mol (IFCC) by the master equation NGSP = 0.09148 IFCC + 2.152.

#[derive(Clone, Copy, Debug, PartialEq)]
enum Dimension {
    /// Grams in a litre.
    Mass,
    /// Moles in a litre.
    Moles,
    /// Equivalents in a litre.
    Equivalents,
    /// Cells in a litre.
    Cells,
    /// Enzyme units in a litre.
    Activity,
    /// Parts of a hundred.
    Percent,
    /// Millimoles in a mole.
    MillimolePerMole,
    /// Fraction of one.
    Fraction,
    /// A bare ratio.
    Ratio,
    /// Pressure in mmHg.
    Pressure,
    /// Degrees Celsius or Fahrenheit.
    Celsius,
    Fahrenheit,
    /// Kilograms.
    Weight,
    /// Per minute.
    PerMinute,
    /// Millilitres of urine and the like.
    Volume,
}

use Dimension as D;

/// Spelling key of a unit, its dimension, its size in the base of the dimension, and how it is shown.
#[rustfmt::skip]
const UNITS: &[(&str, Dimension, f64, &str)] = &[
    ("g/dl", D::Mass, 10.0, "g/dL"), ("gm/dl", D::Mass, 10.0, "g/dL"), ("g%", D::Mass, 10.0, "g/dL"), ("g/l", D::Mass, 1.0, "g/L"),
    ("mg/dl", D::Mass, 0.01, "mg/dL"), ("mg%", D::Mass, 0.01, "mg/dL"), ("mg/l", D::Mass, 1e-3, "mg/L"),
    ("mg/ml", D::Mass, 1.0, "mg/mL"), ("ug/ml", D::Mass, 1e-3, "ug/mL"), ("ug/dl", D::Mass, 1e-5, "ug/dL"), ("ug/l", D::Mass, 1e-6, "ug/L"),
    ("ng/ml", D::Mass, 1e-6, "ng/mL"), ("ng/dl", D::Mass, 1e-8, "ng/dL"), ("ng/l", D::Mass, 1e-9, "ng/L"),
    ("pg/ml", D::Mass, 1e-9, "pg/mL"),
    ("mol/l", D::Moles, 1.0, "mol/L"), ("mmol/l", D::Moles, 1e-3, "mmol/L"), ("mm", D::Moles, 1e-3, "mmol/L"), ("umol/l", D::Moles, 1e-6, "umol/L"),
    ("um", D::Moles, 1e-6, "umol/L"), ("nmol/l", D::Moles, 1e-9, "nmol/L"), ("pmol/l", D::Moles, 1e-12, "pmol/L"),
    ("eq/l", D::Equivalents, 1.0, "Eq/L"), ("meq/l", D::Equivalents, 1e-3, "mEq/L"),
    ("/ul", D::Cells, 1e6, "/uL"), ("cells/ul", D::Cells, 1e6, "/uL"), ("/mm3", D::Cells, 1e6, "/uL"), ("cells/mm3", D::Cells, 1e6, "/uL"),
    ("#/ul", D::Cells, 1e6, "/uL"),
    ("k/ul", D::Cells, 1e9, "10*3/uL"), ("10*3/ul", D::Cells, 1e9, "10*3/uL"), ("k/mm3", D::Cells, 1e9, "10*3/uL"), ("10*3/mm3", D::Cells, 1e9, "10*3/uL"),
    ("thou/ul", D::Cells, 1e9, "10*3/uL"), ("thousand/ul", D::Cells, 1e9, "10*3/uL"), ("th/ul", D::Cells, 1e9, "10*3/uL"),
    ("10*9/l", D::Cells, 1e9, "10*9/L"), ("g/l(cells)", D::Cells, 1e9, "10*9/L"),
    ("10*6/ul", D::Cells, 1e12, "10*6/uL"), ("m/ul", D::Cells, 1e12, "10*6/uL"), ("mil/ul", D::Cells, 1e12, "10*6/uL"), ("10*12/l", D::Cells, 1e12, "10*12/L"),
    ("u/l", D::Activity, 1.0, "U/L"), ("iu/l", D::Activity, 1.0, "U/L"), ("units/l", D::Activity, 1.0, "U/L"), ("[iu]/l", D::Activity, 1.0, "U/L"),
    ("miu/l", D::Activity, 1e-3, "mIU/L"), ("uiu/ml", D::Activity, 1e-3, "uIU/mL"), ("u/ml", D::Activity, 1e3, "U/mL"),
    ("%", D::Percent, 1.0, "%"), ("percent", D::Percent, 1.0, "%"), ("pct", D::Percent, 1.0, "%"),
    ("mmol/mol", D::MillimolePerMole, 1.0, "mmol/mol"), ("fraction", D::Fraction, 1.0, "fraction"),
    ("ratio", D::Ratio, 1.0, ""), ("{ratio}", D::Ratio, 1.0, ""), ("inr", D::Ratio, 1.0, ""), ("{inr}", D::Ratio, 1.0, ""), ("1", D::Ratio, 1.0, ""), ("", D::Ratio, 1.0, ""),
    ("mmhg", D::Pressure, 1.0, "mmHg"), ("mm[hg]", D::Pressure, 1.0, "mmHg"), ("kpa", D::Pressure, 7.500_615_8, "kPa"),
    ("c", D::Celsius, 1.0, "Cel"), ("cel", D::Celsius, 1.0, "Cel"), ("degc", D::Celsius, 1.0, "Cel"),
    ("f", D::Fahrenheit, 1.0, "[degF]"), ("degf", D::Fahrenheit, 1.0, "[degF]"), ("[degf]", D::Fahrenheit, 1.0, "[degF]"),
    ("kg", D::Weight, 1.0, "kg"), ("lb", D::Weight, 0.453_592_37, "lb"), ("lbs", D::Weight, 0.453_592_37, "lb"), ("[lb_av]", D::Weight, 0.453_592_37, "lb"),
    ("bpm", D::PerMinute, 1.0, "/min"), ("/min", D::PerMinute, 1.0, "/min"), ("breaths/min", D::PerMinute, 1.0, "/min"), ("beats/min", D::PerMinute, 1.0, "/min"), ("insp/min", D::PerMinute, 1.0, "/min"),
    ("ml", D::Volume, 1.0, "mL"), ("cc", D::Volume, 1.0, "mL"), ("l", D::Volume, 1000.0, "L"),
];

/// Grams in a mole; and the charge where equivalents are usual.
const MOLAR: &[(&str, f64, f64)] = &[
    ("creatinine", 113.12, 0.0),
    ("glucose", 180.16, 0.0),
    ("fingerstick glucose", 180.16, 0.0),
    ("blood urea nitrogen", 28.014, 0.0),
    ("bilirubin", 584.66, 0.0),
    ("sodium", 22.990, 1.0),
    ("potassium", 39.098, 1.0),
    ("chloride", 35.45, 1.0),
    ("bicarbonate", 61.017, 1.0),
    ("calcium", 40.078, 2.0),
    ("magnesium", 24.305, 2.0),
    ("phosphate", 30.974, 0.0),
    ("lactate", 90.08, 1.0),
    ("hemoglobin", 16114.5, 0.0),
    ("digoxin level", 780.94, 0.0),
    ("digoxin", 780.94, 0.0),
    ("vancomycin level", 1449.3, 0.0),
    ("vancomycin trough", 1449.3, 0.0),
    ("vancomycin", 1449.3, 0.0),
    ("lithium level", 6.94, 1.0),
    ("lithium", 6.94, 1.0),
];

/// A number in another unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// The number.
    pub number: f64,
    /// The conversion in words, such as `110 umol/L / 88.4 = 1.244 mg/dL`.
    pub shown: String,
}

fn key(unit: &str) -> String {
    let mut out = String::with_capacity(unit.len());
    for c in unit.trim().chars() {
        match c {
            'µ' | 'μ' => out.push('u'),
            '^' => out.push('*'),
            '³' => out.push_str("*3"),
            '⁹' => out.push_str("*9"),
            '°' | ' ' | '{' | '}' => {}
            c => out.extend(c.to_lowercase()),
        }
    }
    for (from, to) in [
        ("mcmol", "umol"),
        ("micromol", "umol"),
        ("mcg", "ug"),
        ("x10*", "10*"),
        ("x10e", "10*"),
        ("10e", "10*"),
        ("10*03", "10*3"),
        ("10*09", "10*9"),
        ("mcl", "ul"),
        ("microl", "ul"),
        ("cumm", "mm3"),
        ("mm*3", "mm3"),
        ("litre", "l"),
        ("liter", "l"),
    ] {
        if out.contains(from) {
            out = out.replace(from, to);
        }
    }
    if let Some(rest) = out.strip_prefix("x10*") {
        out = format!("10*{rest}");
    }
    out
}

fn unit(text: &str) -> Option<(Dimension, f64, &'static str)> {
    let key = key(text);
    UNITS.iter().find(|u| u.0 == key).map(|u| (u.1, u.2, u.3))
}

/// The one spelling of a unit of the table; `None` for a unit that is not in it.
pub fn canonical_unit(text: &str) -> Option<&'static str> {
    unit(text).map(|u| u.2)
}

/// The unit in which a threshold is meant when a question names none.
pub fn usual_unit(analyte: &str) -> Option<&'static str> {
    let name = crate::lookup(analyte).map_or(analyte, |e| e.canonical);
    Some(match name {
        "creatinine"
        | "glucose"
        | "fingerstick glucose"
        | "blood urea nitrogen"
        | "bilirubin"
        | "calcium"
        | "magnesium"
        | "phosphate" => "mg/dL",
        "sodium" | "potassium" | "chloride" | "bicarbonate" | "lactate" | "lithium level" => "mmol/L",
        "hemoglobin" | "albumin" => "g/dL",
        "platelets" | "white blood cells" | "neutrophils" | "eosinophils" => "10*3/uL",
        "hemoglobin a1c" | "hematocrit" | "oxygen saturation" => "%",
        "international normalized ratio" | "arterial ph" => "",
        "digoxin level" => "ng/mL",
        "vancomycin level" | "vancomycin trough" | "phenytoin level" => "ug/mL",
        "alanine aminotransferase"
        | "aspartate aminotransferase"
        | "alkaline phosphatase"
        | "creatine kinase"
        | "lipase"
        | "lactate dehydrogenase" => "U/L",
        "systolic blood pressure" | "diastolic blood pressure" | "mean arterial pressure" => "mmHg",
        "heart rate" | "respiratory rate" => "/min",
        "body temperature" => "Cel",
        "body weight" => "kg",
        _ => return None,
    })
}

/// Converts a number of an analyte between units; `None` when the units are unknown or do not measure the same.
pub fn convert(analyte: &str, number: f64, from: &str, to: &str) -> Option<Conversion> {
    if !number.is_finite() {
        return None;
    }
    let name = crate::lookup(analyte).map_or(analyte, |e| e.canonical);
    let ((from_d, from_k, from_shown), (to_d, to_k, to_shown)) = (unit(from)?, unit(to)?);
    let plain = |number: f64, how: String| {
        let result = format!("{} {}", decimal(number), to_shown);
        Some(Conversion { number, shown: format!("{how} = {}", result.trim()) })
    };
    let said = format!("{} {from_shown}", decimal(number));
    let said = said.trim();
    if from_d == to_d {
        if from_k == to_k {
            let shown = if from_shown == to_shown {
                said.to_owned()
            } else {
                format!("{said} = {} {to_shown}", decimal(number))
            };
            return Some(Conversion { number, shown });
        }
        return scaled(number, said, from_k, to_k, plain);
    }
    match (from_d, to_d) {
        (D::Percent, D::MillimolePerMole) if name == "hemoglobin a1c" => {
            return plain((number - 2.152) / 0.09148, format!("({said} - 2.152) / 0.09148"));
        }
        (D::MillimolePerMole, D::Percent) if name == "hemoglobin a1c" => {
            return plain(number * 0.09148 + 2.152, format!("{said} x 0.09148 + 2.152"));
        }
        (D::Percent, D::Fraction) => return plain(number / 100.0, format!("{said} / 100")),
        (D::Fraction, D::Percent) => return plain(number * 100.0, format!("{said} x 100")),
        (D::Celsius, D::Fahrenheit) => return plain(number * 1.8 + 32.0, format!("{said} x 1.8 + 32")),
        (D::Fahrenheit, D::Celsius) => return plain((number - 32.0) / 1.8, format!("({said} - 32) / 1.8")),
        _ => {}
    }
    let (_, grams, charge) = *MOLAR.iter().find(|m| m.0 == name)?;
    let base = |d: Dimension, k: f64| match d {
        D::Mass => Some(k / grams),
        D::Moles => Some(k),
        D::Equivalents if charge > 0.0 => Some(k / charge),
        _ => None,
    };
    scaled(number, said, base(from_d, from_k)?, base(to_d, to_k)?, plain)
}

fn scaled<T>(number: f64, said: &str, from: f64, to: f64, plain: impl Fn(f64, String) -> Option<T>) -> Option<T> {
    // Multiply by a factor of at least one, else divide by its inverse: both read as a person would write them.
    if from >= to {
        let factor = tidy(from / to);
        plain(tidy(number * factor), format!("{said} x {}", decimal(factor)))
    } else {
        let factor = tidy(to / from);
        plain(tidy(number / factor), format!("{said} / {}", decimal(factor)))
    }
}

/// Takes the last binary digits off a product, so that 1.3 x 1000 is 1300.
fn tidy(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

/// A number to four significant digits, without an exponent for usual sizes; whole numbers stay whole.
fn decimal(number: f64) -> String {
    if number == number.trunc() && number.abs() < 1e15 {
        return format!("{number:.0}");
    }
    let mut places = 3usize;
    let mut size = number.abs();
    while size >= 10.0 && places > 0 {
        size /= 10.0;
        places -= 1;
    }
    while size < 1.0 && places < 12 {
        size *= 10.0;
        places += 1;
    }
    let text = format!("{number:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
