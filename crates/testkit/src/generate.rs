//! One synthetic patient of any size.

use base64::Engine as _;

use crate::Rng;
use crate::json::{Json, bundle, coded, ndjson, quantity, reference};

const LOINC: &str = "http://loinc.org";
const RXNORM: &str = "http://www.nlm.nih.gov/research/umls/rxnorm";
const SNOMED: &str = "http://snomed.info/sct";
const ICD: &str = "http://hl7.org/fhir/sid/icd-10-cm";

/// Code, name, unit, typical value times 100, spread times 100.
const LABS: [(&str, &str, &str, u64, u64); 10] = [
    ("2160-0", "Creatinine", "mg/dL", 95, 160),
    ("2823-3", "Potassium", "mmol/L", 410, 130),
    ("2951-2", "Sodium", "mmol/L", 13_900, 900),
    ("718-7", "Hemoglobin", "g/dL", 1_180, 350),
    ("777-3", "Platelets", "10*3/uL", 21_000, 12_000),
    ("6690-2", "Leukocytes", "10*3/uL", 840, 700),
    ("1742-6", "Alanine aminotransferase", "U/L", 3_100, 4_000),
    ("6301-6", "INR", "1", 110, 180),
    ("2524-7", "Lactate", "mmol/L", 140, 260),
    ("20578-1", "Vancomycin", "ug/mL", 1_250, 1_600),
];

/// Code, name, dose.
const DRUGS: [(&str, &str, &str); 8] = [
    ("11124", "vancomycin", "1000"),
    ("4603", "furosemide", "40"),
    ("5224", "heparin", "5000"),
    ("29046", "lisinopril", "10"),
    ("6809", "metformin", "500"),
    ("7052", "morphine", "2"),
    ("83367", "atorvastatin", "20"),
    ("2193", "ceftriaxone", "2000"),
];

const CONDITIONS: [(&str, &str); 8] = [
    ("N17.9", "Acute kidney failure, unspecified"),
    ("I10", "Essential (primary) hypertension"),
    ("E11.9", "Type 2 diabetes mellitus without complications"),
    ("J18.9", "Pneumonia, unspecified organism"),
    ("A41.9", "Sepsis, unspecified organism"),
    ("I50.9", "Heart failure, unspecified"),
    ("D64.9", "Anemia, unspecified"),
    ("E87.5", "Hyperkalemia"),
];

const SENTENCES: [&str; 14] = [
    "Patient seen on rounds, resting comfortably.",
    "Creatinine has risen since yesterday; urine output is falling.",
    "Denies chest pain, dyspnea or fever.",
    "Vancomycin was started for suspected line infection.",
    "No evidence of acute kidney injury at this time.",
    "Acute kidney injury, likely due to vancomycin, was discussed with the team.",
    "Father had diabetes; no known drug allergies.",
    "Continue furosemide 40 mg daily and recheck potassium in the morning.",
    "Wound is clean, dry and intact.",
    "Blood cultures were drawn before antibiotics.",
    "If the lactate rises again, repeat the bolus.",
    "History of pneumonia two years ago, resolved.",
    "Hemoglobin is stable; no signs of bleeding.",
    "Family was updated at the bedside.",
];

/// Minutes since 1970 as a FHIR dateTime.
fn date_time(minutes: i64) -> String {
    let (year, month, day) = chartproof_record::civil::of_days(minutes.div_euclid(1440));
    let of_day = minutes.rem_euclid(1440);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:00-05:00", of_day / 60, of_day % 60)
}

fn period(from: i64, to: i64) -> Json {
    Json::default().text("start", &date_time(from)).text("end", &date_time(to))
}

fn category(system: &str, code: &str) -> String {
    format!(
        "[{}]",
        Json::default()
            .raw("coding", format!("[{}]", Json::default().text("system", system).text("code", code).end()))
            .end()
    )
}

struct Maker {
    rng: Rng,
    out: Vec<Json>,
    events: usize,
    goal: usize,
    next: usize,
}

impl Maker {
    fn id(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}-{}", self.next)
    }

    fn add(&mut self, resource: Json) {
        self.events += 1;
        self.out.push(resource);
    }

    fn full(&self) -> bool {
        self.events >= self.goal
    }

    fn bound(kind: &str, id: &str, encounter: &str) -> Json {
        Json::resource(kind, id)
            .object("subject", &reference("Patient/generated"))
            .object("encounter", &reference(&format!("Encounter/{encounter}")))
    }

    fn encounter(&mut self, class: &str, from: i64, to: i64, outer: Option<&str>) -> String {
        let id = self.id("enc");
        let class =
            Json::default().text("system", "http://terminology.hl7.org/CodeSystem/v3-ActCode").text("code", class);
        let mut resource = Json::resource("Encounter", &id)
            .text("status", "finished")
            .object("class", &class)
            .object("subject", &reference("Patient/generated"))
            .object("period", &period(from, to));
        if let Some(outer) = outer {
            resource = resource.object("partOf", &reference(&format!("Encounter/{outer}")));
        }
        self.add(resource);
        id
    }

    fn lab(&mut self, encounter: &str, at: i64) {
        let (code, name, unit, typical, spread) = *self.rng.pick(&LABS);
        let value = typical - spread / 4 + self.rng.below(spread);
        let id = self.id("lab");
        let value = quantity(&format!("{}.{:02}", value / 100, value % 100), unit);
        let range = Json::default()
            .object(
                "low",
                &quantity(&format!("{}.{:02}", (typical - spread / 4) / 100, (typical - spread / 4) % 100), unit),
            )
            .object(
                "high",
                &quantity(&format!("{}.{:02}", (typical + spread / 4) / 100, (typical + spread / 4) % 100), unit),
            );
        let resource = Self::bound("Observation", &id, encounter)
            .text("status", "final")
            .raw("category", category("http://terminology.hl7.org/CodeSystem/observation-category", "laboratory"))
            .object("code", &coded(LOINC, code, name))
            .text("effectiveDateTime", &date_time(at))
            .text("issued", &date_time(at + 45))
            .object("valueQuantity", &value)
            .raw("referenceRange", format!("[{}]", range.end()));
        self.add(resource);
    }

    fn pressure(&mut self, encounter: &str, at: i64) {
        let id = self.id("vital");
        let part = |code: &str, name: &str, value: u64| {
            let value = quantity(&value.to_string(), "mm[Hg]");
            Json::default().object("code", &coded(LOINC, code, name)).object("valueQuantity", &value).end()
        };
        let systolic = part("8480-6", "Systolic blood pressure", 90 + self.rng.below(80));
        let diastolic = part("8462-4", "Diastolic blood pressure", 50 + self.rng.below(50));
        let resource = Self::bound("Observation", &id, encounter)
            .text("status", "final")
            .raw("category", category("http://terminology.hl7.org/CodeSystem/observation-category", "vital-signs"))
            .object("code", &coded(LOINC, "85354-9", "Blood pressure panel"))
            .text("effectiveDateTime", &date_time(at))
            .raw("component", format!("[{systolic},{diastolic}]"));
        self.add(resource);
    }

    /// An order and the doses given for it.
    fn course(&mut self, encounter: &str, from: i64, to: i64) {
        let (code, name, dose) = *self.rng.pick(&DRUGS);
        let drug = coded(RXNORM, code, name);
        let order = self.id("order");
        let resource = Self::bound("MedicationRequest", &order, encounter)
            .text("status", if self.rng.one_in(12) { "cancelled" } else { "completed" })
            .text("intent", "order")
            .object("medicationCodeableConcept", &drug)
            .text("authoredOn", &date_time(from));
        self.add(resource);
        let mut at = from + 20 + self.rng.below(40) as i64;
        while at < to && !self.full() {
            let id = self.id("given");
            let amount = Json::default()
                .object("route", &coded(SNOMED, "47625008", "Intravenous"))
                .object("dose", &quantity(dose, "mg"));
            let resource = Json::resource("MedicationAdministration", &id)
                .text("status", if self.rng.one_in(15) { "not-done" } else { "completed" })
                .object("medicationCodeableConcept", &drug)
                .object("subject", &reference("Patient/generated"))
                .object("context", &reference(&format!("Encounter/{encounter}")))
                .text("effectiveDateTime", &date_time(at))
                .object("request", &reference(&format!("MedicationRequest/{order}")))
                .object("dosage", &amount);
            self.add(resource);
            at += 480 + self.rng.below(240) as i64;
            if self.rng.one_in(6) {
                break;
            }
        }
    }

    fn condition(&mut self, encounter: &str, at: i64) {
        let (code, name) = *self.rng.pick(&CONDITIONS);
        let id = self.id("dx");
        let status = *self.rng.pick(&["confirmed", "confirmed", "confirmed", "provisional", "refuted"]);
        let verification = Json::default().raw("coding", format!("[{}]", Json::default().text("code", status).end()));
        let resource = Self::bound("Condition", &id, encounter)
            .object("verificationStatus", &verification)
            .raw(
                "category",
                category("http://terminology.hl7.org/CodeSystem/condition-category", "encounter-diagnosis"),
            )
            .object("code", &coded(ICD, code, name))
            .text("onsetDateTime", &date_time(at))
            .text("recordedDate", &date_time(at + 90));
        self.add(resource);
    }

    fn note(&mut self, encounter: &str, at: i64, kind: (&str, &str)) {
        let sentences = 4 + self.rng.below(12);
        let mut text = format!("{}\n\n", kind.1);
        for _ in 0..sentences {
            let sentence: &&str = self.rng.pick(&SENTENCES);
            text.push_str(sentence);
            text.push(if self.rng.one_in(4) { '\n' } else { ' ' });
        }
        let id = self.id("note");
        let resource = self.document(&id, encounter, at, kind, &text);
        self.add(resource);
    }

    fn document(&self, id: &str, encounter: &str, at: i64, kind: (&str, &str), text: &str) -> Json {
        let data = base64::engine::general_purpose::STANDARD.encode(text);
        let attachment = Json::default().text("contentType", "text/plain; charset=utf-8").text("data", &data);
        let content = Json::default().object("attachment", &attachment);
        let context =
            Json::default().raw("encounter", format!("[{}]", reference(&format!("Encounter/{encounter}")).end()));
        Json::resource("DocumentReference", id)
            .text("status", "current")
            .object("type", &coded(LOINC, kind.0, kind.1))
            .object("subject", &reference("Patient/generated"))
            .text("date", &date_time(at))
            .raw("author", format!("[{}]", Json::default().text("display", "Attending physician").end()))
            .raw("content", format!("[{}]", content.end()))
            .object("context", &context)
    }

    /// Emergency department, admission, an ICU part of it, and all that happens there.
    fn admission(&mut self, start: i64) -> i64 {
        let door = start + 60 + self.rng.below(300) as i64;
        let days = 2 + self.rng.below(7) as i64;
        let end = door + days * 1440;
        let emergency = self.encounter("EMER", start, door, None);
        self.lab(&emergency, start + 30);
        self.pressure(&emergency, start + 15);
        let ward = self.encounter("IMP", door + 5, end, None);
        let (icu_from, icu_to) = (door + 600, door + 600 + 720 + self.rng.below(720) as i64);
        let icu = self.encounter("ACUTE", icu_from, icu_to, Some(&ward));
        self.note(&ward, door + 60, ("34117-2", "History and physical note"));
        for _ in 0..=self.rng.below(3) {
            let at = door + self.rng.below(1440) as i64;
            self.condition(&ward, at);
        }
        for _ in 0..=1 + self.rng.below(3) {
            let from = door + 30 + self.rng.below(1440) as i64;
            self.course(&ward, from, end);
        }
        let mut at = door + 60;
        while at < end && !self.full() {
            let place = if at >= icu_from && at < icu_to { icu.clone() } else { ward.clone() };
            for _ in 0..6 {
                let drawn = at + self.rng.below(20) as i64;
                self.lab(&place, drawn);
            }
            self.pressure(&place, at + 10);
            if self.rng.one_in(2) {
                self.note(&place, at + 120, ("11506-3", "Progress note"));
            }
            at += 480;
        }
        self.note(&ward, end - 30, ("18842-5", "Discharge summary"));
        end
    }

    fn visit(&mut self, start: i64) -> i64 {
        let end = start + 30;
        let id = self.encounter("AMB", start, end, None);
        self.pressure(&id, start + 5);
        self.lab(&id, start + 10);
        if self.rng.one_in(2) {
            self.condition(&id, start + 12);
        }
        self.note(&id, end, ("34131-3", "Outpatient progress note"));
        end
    }
}

fn resources(seed: u64, events: usize) -> Vec<Json> {
    let mut maker = Maker { rng: Rng::new(seed), out: Vec::new(), events: 0, goal: events, next: 0 };
    let patient = Json::resource("Patient", "generated")
        .raw("name", r#"[{"family":"Testperson","given":["Invented"]}]"#)
        .text("gender", "female")
        .text("birthDate", "1950-02-11");
    maker.out.push(patient);
    // 2000-01-01, in minutes.
    let mut now: i64 = 10_957 * 1440;
    while !maker.full() {
        now += 1440 + maker.rng.below(20 * 1440) as i64;
        now = if maker.rng.one_in(3) { maker.visit(now) } else { maker.admission(now) };
    }
    maker.out.truncate(events + 1);
    maker.out
}

/// One synthetic patient with `events` resources that are events or documents, as NDJSON: emergency visits that
/// lead to admissions with a nested ICU part, labs, blood pressures, orders with their doses (some not given), diagnoses
/// (some provisional or refuted) and base64 notes.
pub fn generate(seed: u64, events: usize) -> Vec<u8> {
    ndjson(resources(seed, events)).into_bytes()
}

/// The same patient as [`generate`], as one collection Bundle.
pub fn generate_bundle(seed: u64, events: usize) -> Vec<u8> {
    bundle(resources(seed, events)).into_bytes()
}

/// A patient with one admission and one note of a million characters and more, as NDJSON.
pub fn one_megabyte_note(seed: u64) -> Vec<u8> {
    let mut maker = Maker { rng: Rng::new(seed), out: Vec::new(), events: 0, goal: usize::MAX, next: 0 };
    maker.out.push(Json::resource("Patient", "generated").text("gender", "male"));
    let start = 18_000 * 1440;
    let stay = maker.encounter("IMP", start, start + 5 * 1440, None);
    let mut text = String::with_capacity(1 << 20);
    while text.len() < 1 << 20 {
        let sentence: &&str = maker.rng.pick(&SENTENCES);
        text.push_str(sentence);
        text.push(if maker.rng.one_in(5) { '\n' } else { ' ' });
    }
    let resource = maker.document("long", &stay, start + 600, ("34133-9", "Summary of episode note"), &text);
    maker.add(resource);
    ndjson(maker.out).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_one_record() {
        let a = generate(7, 1_000);
        assert_eq!(a, generate(7, 1_000));
        assert_ne!(a, generate(8, 1_000));
        assert_eq!(a.iter().filter(|b| **b == b'\n').count(), 1_001);
        assert_eq!(date_time(10_957 * 1440 + 61), "2000-01-01T01:01:00-05:00");
        assert!(one_megabyte_note(1).len() > 1 << 20);
    }
}
