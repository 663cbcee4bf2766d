//! The tables and the rules of label matching.

use chartproof_terms::definitions::{change_rule, definition_for, definitions};
use chartproof_terms::units::{canonical_unit, convert};
use chartproof_terms::{
    LabelReading, MatchBasis, entries, expand, lookup, matches_code, matches_label, near_word, normalise, read_label,
};
use std::collections::BTreeMap;

#[test]
fn words_belong_to_one_entry() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for entry in entries() {
        for word in std::iter::once(entry.canonical).chain(entry.words()) {
            let key = normalise(word);
            assert!(!key.is_empty(), "{word:?}");
            if let Some(other) = seen.insert(key, entry.canonical) {
                assert_eq!(other, entry.canonical, "{word}");
            }
        }
        for member in entry.members() {
            assert!(lookup(member).is_some(), "{member} of {}", entry.canonical);
        }
        let coded = entry.codes().count();
        assert!(coded <= 40, "{}", entry.canonical);
    }
    assert!(entries().len() >= 250);
}

#[test]
fn everything_asked_of_is_known() {
    for word in [
        "AKI",
        "vanc",
        "amio",
        "Coumadin",
        "INR",
        "insulin",
        "bs",
        "Narcan",
        "opioids",
        "digoxin",
        "sertraline",
        "Na",
        "haemoglobin",
        "Hgb",
        "rhabdo",
        "statins",
        "C. diff",
        "DVT",
        "VTE",
        "heparin",
        "Tylenol",
        "lasix",
        "A1c",
        "levofloxacin",
        "carbamazepine",
        "DRESS",
        "clozapine",
        "ANC",
        "contrast",
        "anaphylaxis",
        "CXR",
        "foley",
        "urine cx",
        "vent",
        "SBPs",
        "encephalopathy",
        "transfused",
        "heart attack",
        "liver dz",
        "ABLA",
        "hyperkalaemia",
        "diarrhoea",
        "long lie",
        "DVT ppx",
        "cefazolin",
        "K",
        "creatinine",
        "pneumonia",
    ] {
        assert!(lookup(word).is_some(), "{word}");
    }
    assert!(lookup("flurbitis").is_none());
    assert!(lookup("").is_none());
}

#[test]
fn labels() {
    let yes = [
        ("vancomycin", "Vancomycin 1 g IV"),
        ("vancomycin", "vancomycin hydrochloride 1000 MG Injection"),
        ("vancomycin", "IV vancomycin"),
        ("vancomycin", "VANCOMYCIN"),
        ("vancomycin", "Vancomycin [Mass/volume] in Serum or Plasma"),
        ("heparin", "1 ML heparin sodium, porcine 5000 UNT/ML Injection"),
        ("hydrocodone", "Acetaminophen 325 MG / Hydrocodone Bitartrate 7.5 MG Oral Tablet"),
        ("acetaminophen", "Acetaminophen 325 MG Oral Tablet [Tylenol]"),
        ("amoxicillin", "amoxicillin-clavulanate 875 mg"),
        ("statin", "Simvastatin 20 MG Oral Tablet"),
        ("opioid", "HYDROmorphone (Dilaudid)"),
        ("creatinine", "Creatinine [Mass/volume] in Serum or Plasma"),
        ("creatinine", "Creatinine, Serum"),
        ("creatinine", "Serum creatinine level"),
        ("creatinine", "Creatinine (mg/dL)"),
        ("haemoglobin", "Hemoglobin [Mass/volume] in Blood"),
        ("INR", "INR(PT)"),
        ("INR", "INR in Platelet poor plasma by Coagulation assay"),
        ("platelets", "Platelet Count"),
        ("neutrophils", "Absolute Neutrophil Count"),
        ("neutrophils", "Neutrophils [#/volume] in Blood by Automated count"),
        ("sbp", "Non Invasive Blood Pressure systolic"),
        ("A1c", "Hemoglobin A1c/Hemoglobin.total in Blood"),
        ("troponin", "Troponin T.cardiac [Mass/volume] in Serum or Plasma"),
        ("urine culture", "Bacteria identified in Urine by Culture"),
        ("AKI", "Acute kidney failure, unspecified"),
        ("AKI", "Acute kidney injury (disorder)"),
        ("AKI", "Acute renal failure with tubular necrosis"),
        ("pneumonia", "Aspiration pneumonia"),
        ("pneumonia", "Pneumonia due to Klebsiella pneumoniae"),
        ("pneumonia", "Pneumonia, unspecified organism"),
        ("MI", "Non-ST elevation (NSTEMI) myocardial infarction"),
        ("MI", "NSTEMI"),
        ("liver disease", "Cirrhosis of liver"),
        ("foley", "Insertion of Foley catheter"),
        ("diarrhoea", "Diarrhea"),
        ("wound dehiscence", "Wound dehiscence, abdominal"),
        ("flurbitis", "Acute flurbitis of the hand"),
        ("hypertension", "Essential hypertension (disorder)"),
        ("hypertension", "Hypertension complicating pregnancy"),
        ("pulmonary hypertension", "Pulmonary hypertension (disorder)"),
        ("heat stroke", "Heat stroke"),
        ("gestational diabetes", "Gestational diabetes mellitus"),
        ("fever", "Fever, unspecified"),
        ("hay fever", "Hay fever"),
        ("penicillin", "penicillin V potassium 250 MG Oral Tablet"),
        ("penicillin", "penicillin G benzathine"),
        ("penicillin G", "Penicillin G Potassium 1000000 UNT/ML Injection"),
        ("penicillin V", "Penicillin V Potassium 500 MG Oral Tablet"),
        ("antibiotic", "Penicillin V Potassium 500 MG Oral Tablet"),
        ("vancomycin", "vancomycin 1000 MG Injection"),
        ("amoxicillin", "Amoxicillin 250 MG / Clavulanate 125 MG Oral Tablet"),
        ("clavulanate", "Amoxicillin 250 MG / Clavulanate 125 MG Oral Tablet"),
        ("codeine", "Acetaminophen 300 MG / Codeine Phosphate 15 MG Oral Tablet"),
        ("acetaminophen", "Acetaminophen 300 MG / Codeine Phosphate 15 MG Oral Tablet"),
        ("pneumonia", "Pneumonia associated with AIDS"),
        ("retinopathy", "Retinopathy due to type 2 diabetes mellitus (disorder)"),
        ("nephropathy", "HIV-associated nephropathy"),
        ("anemia", "Anemia in chronic kidney disease"),
        ("colonoscopy", "Colonoscopy (procedure)"),
        ("chronic sinusitis (disorder)", "Chronic sinusitis (disorder)"),
        ("chronic sinusitis", "Chronic sinusitis (disorder)"),
        ("hydrocortisone 10 MG/ML Topical Cream", "Hydrocortisone 10 MG/ML Topical Cream"),
    ];
    let missed: Vec<_> = yes.iter().filter(|(asked, label)| matches_label(&expand(asked), label).is_none()).collect();
    assert!(missed.is_empty(), "should match: {missed:?}");
    let no = [
        ("vancomycin", "Vancomycin-resistant enterococcus"),
        ("vancomycin", "Infection due to vancomycin resistant enterococcus"),
        ("vancomycin", "Vancomycin allergy"),
        ("vancomycin", "Allergy to vancomycin"),
        ("carbamazepine", "Oxcarbazepine 300 MG Oral Tablet"),
        ("naloxone", "Buprenorphine 8 MG / Naloxone 2 MG Sublingual Film"),
        ("opioid", "buprenorphine-naloxone"),
        ("heparin", "Heparin induced thrombocytopenia"),
        ("AKI", "kidney injury prevention"),
        ("AKI", "Acute kidney injury prevention bundle"),
        ("heart", "Heart failure"),
        ("creatinine", "Creatinine clearance"),
        ("creatinine", "Urine creatinine"),
        ("creatinine", "Creatinine [Mass/volume] in Urine"),
        ("creatinine", "Microalbumin/Creatinine ratio"),
        ("creatinine", "Albumin/Creatinine, Urine"),
        ("hemoglobin", "Hemoglobin A1c"),
        ("hemoglobin", "Fetal hemoglobin"),
        ("lactate", "Lactate dehydrogenase"),
        ("neutrophils", "Neutrophils/100 leukocytes in Blood"),
        ("potassium", "Potassium, Urine"),
        ("potassium", "Potassium chloride 20 MEQ Oral Tablet"),
        ("glucose", "Glucose tolerance test"),
        ("glucose", "Glucose, Ascites"),
        ("pneumonia", "Pneumonia vaccination"),
        ("pneumonia", "Pneumococcal pneumonia vaccine"),
        ("sepsis", "Sepsis screening"),
        ("pneumonia", "Family history of pneumonia"),
        ("pneumonia", "History of pneumonia (situation)"),
        ("pneumonia", "Suspected pneumonia"),
        ("DVT", "No evidence of deep vein thrombosis"),
        ("DVT", "At risk of deep vein thrombosis"),
        ("STEMI", "Non-ST elevation (NSTEMI) myocardial infarction"),
        ("c diff", "Clostridium difficile toxin A"),
        ("encephalopathy", "Altered mental status"),
        ("acute blood loss anemia", "Anemia"),
        ("digoxin", "Digoxin toxicity"),
        ("hypertension", "Pulmonary hypertension"),
        ("hypertension", "Pulmonary arterial hypertension (disorder)"),
        ("hypertension", "Hypertension, pulmonary"),
        ("hypertension", "Portal hypertension"),
        ("hypertension", "Gestational hypertension"),
        ("hypertension", "Benign intracranial hypertension"),
        ("stroke", "Heat stroke"),
        ("diabetes", "Gestational diabetes mellitus"),
        ("diabetes", "Diabetes insipidus"),
        ("diabetes", "Prediabetes"),
        ("fever", "Hay fever"),
        ("fever", "Acute rheumatic fever"),
        ("asthma", "Cardiac asthma"),
        ("depression", "Respiratory depression"),
        ("penicillin G", "penicillin V"),
        ("penicillin G", "Penicillin V Potassium 250 MG Oral Tablet"),
        ("penicillin V", "penicillin G benzathine"),
        ("penicillin G", "penicillin"),
        ("vancomycin", "Vancomycin level measurement"),
        ("vancomycin", "Vancomycin monitoring"),
        ("warfarin", "Warfarin education"),
        ("warfarin", "Education about anticoagulation and warfarin"),
        ("heparin", "Heparin prophylaxis planning"),
        ("AKI", "Planning for acute kidney injury"),
        ("tuberculosis", "Tuberculosis treatment plan"),
        ("tuberculosis", "Tuberculosis screening"),
        ("dialysis", "Referral to dialysis service"),
        ("dialysis", "Dialysis education (procedure)"),
        ("colonoscopy", "Referral for colonoscopy"),
        ("DVT", "Deep vein thrombosis prophylaxis"),
        ("asthma", "Education about asthma"),
        ("type 2 diabetes", "Retinopathy due to type 2 diabetes mellitus (disorder)"),
        ("diabetes", "Disorder of kidney due to diabetes mellitus (disorder)"),
        ("sepsis", "Disorder caused by sepsis"),
        ("HIV", "HIV-associated nephropathy"),
        ("chronic kidney disease", "Anemia in chronic kidney disease"),
        ("stroke", "Hemiplegia following stroke"),
        ("foley", "Urinary tract infection associated with Foley catheter"),
        ("MI", "Old myocardial infarction"),
        ("naloxone", "buprenorphine / naloxone"),
        ("buprenorphine", "buprenorphine / naloxone"),
        ("opioid", "buprenorphine / naloxone"),
        ("naloxone", "buprenorphine 8 MG / naloxone 2 MG Sublingual Film"),
    ];
    let taken: Vec<_> = no.iter().filter(|(asked, label)| matches_label(&expand(asked), label).is_some()).collect();
    assert!(taken.is_empty(), "should not match: {taken:?}");
    let read = |asked: &str, label: &str| read_label(&expand(asked), label);
    assert_eq!(read("MI", "History of myocardial infarction (situation)"), Some(LabelReading::History));
    assert_eq!(read("pneumonia", "Family history of pneumonia"), Some(LabelReading::Family));
    for old in [
        "Old myocardial infarction",
        "History of MI",
        "Prior myocardial infarction",
        "Myocardial infarction, old",
        "Healed myocardial infarction (disorder)",
    ] {
        assert_eq!(read("MI", old), Some(LabelReading::History), "{old}");
    }
    assert_eq!(read("pneumonia", "Suspected pneumonia"), Some(LabelReading::Suspected));
    assert_eq!(read("DVT", "No deep vein thrombosis"), Some(LabelReading::Absent));
    assert_eq!(read("DVT", "DVT ruled out"), Some(LabelReading::Absent));
    assert_eq!(matches_label(&expand("AKI"), "AKI"), Some(MatchBasis::Whole));
    assert_eq!(matches_label(&expand("statin"), "Lipitor 20 mg"), Some(MatchBasis::Member("atorvastatin")));
}

#[test]
fn codes() {
    let aki = expand("AKI");
    assert!(matches_code(&aki, "http://hl7.org/fhir/sid/icd-10-cm", "N17.9"));
    assert!(matches_code(&aki, "urn:oid:2.16.840.1.113883.6.90", "N179"));
    assert!(matches_code(&aki, "http://hl7.org/fhir/sid/icd-9-cm", "584.9"));
    assert!(!matches_code(&aki, "http://hl7.org/fhir/sid/icd-10-cm", "N18.3"));
    assert!(matches_code(&aki, "http://snomed.info/sct", "14669001"));
    assert!(!matches_code(&aki, "", "N17.9"));
    assert!(matches_code(&expand("creatinine"), "http://loinc.org", "2160-0"));
    assert!(matches_code(&expand("opioid"), "http://www.nlm.nih.gov/research/umls/rxnorm", "7052"));
}

#[test]
fn conversions() {
    let near = |analyte: &str, n: f64, from: &str, to: &str, want: f64| {
        let got = convert(analyte, n, from, to).unwrap_or_else(|| panic!("{analyte} {from} {to}"));
        assert!((got.number - want).abs() <= want.abs() * 2e-3, "{got:?} want {want}");
        got.shown
    };
    assert_eq!(near("creatinine", 110.0, "umol/L", "mg/dL", 1.244), "110 umol/L / 88.4 = 1.244 mg/dL");
    near("creatinine", 110.0, "µmol/L", "mg/dl", 1.244);
    near("cr", 110.0, "mcmol/L", "mg/dL", 1.244);
    near("glucose", 40.0, "mg/dL", "mmol/L", 2.22);
    near("BUN", 28.0, "mg/dL", "mmol/L", 10.0);
    near("bilirubin", 1.0, "mg/dL", "umol/L", 17.1);
    near("sodium", 135.0, "mEq/L", "mmol/L", 135.0);
    near("calcium", 10.0, "mg/dL", "mmol/L", 2.495);
    near("calcium", 5.0, "mEq/L", "mmol/L", 2.5);
    near("haemoglobin", 13.5, "g/dL", "g/L", 135.0);
    near("Hb", 8.38, "mmol/L", "g/dL", 13.5);
    near("ANC", 500.0, "/uL", "10*9/L", 0.5);
    near("platelets", 150.0, "K/uL", "10^9/L", 150.0);
    near("platelets", 150_000.0, "/mm3", "10*3/uL", 150.0);
    near("platelets", 150.0, "x10E3/uL", "/uL", 150_000.0);
    near("troponin", 0.04, "ng/mL", "ng/L", 40.0);
    near("A1c", 7.0, "%", "mmol/mol", 53.0);
    near("A1c", 75.0, "mmol/mol", "%", 9.01);
    near("digoxin", 3.1, "ng/mL", "nmol/L", 3.97);
    near("lactate", 18.0, "mg/dL", "mmol/L", 2.0);
    near("vancomycin level", 20.0, "mg/L", "mcg/mL", 20.0);
    near("temp", 38.0, "C", "F", 100.4);
    assert_eq!(convert("sodium", 1.3, "mol/L", "mmol/L").map(|c| c.number), Some(1300.0));
    assert_eq!(convert("creatinine", 1.0, "mg/dL", "K/uL"), None);
    assert_eq!(convert("albumin", 1.0, "g/dL", "mmol/L"), None);
    assert_eq!(convert("creatinine", f64::NAN, "mg/dL", "umol/L"), None);
    assert_eq!(canonical_unit("10³/µL"), Some("10*3/uL"));
    assert_eq!(canonical_unit("furlong"), None);
}

#[test]
fn definitions_are_well_formed() {
    assert!(definitions().windows(2).all(|w| w[0].event <= w[1].event));
    assert_eq!(definition_for("AKI").len(), 2);
    assert_eq!(definition_for("AKI")[0].references[0].name(), "lowest_prior_7d");
    assert!(definition_for("hives").is_empty());
    for d in definitions() {
        assert!(lookup(d.analyte).is_some_and(|e| e.canonical == d.analyte), "{}", d.analyte);
        assert!(canonical_unit(d.unit).is_some(), "{}", d.unit);
        assert!(d.source.len() > 10);
    }
    assert_eq!(change_rule("Cr").map(|c| c.absolute), Some(0.3));
    assert!(change_rule("hives").is_none());
}

#[test]
fn typos() {
    assert_eq!(near_word("vancomicin"), Some("vancomycin"));
    assert_eq!(near_word("amiodorone"), Some("amiodarone"));
    assert_eq!(near_word("creatnine"), None, "creatinine or creatine");
    assert_eq!(near_word("table"), None);
    assert_eq!(near_word("statin5"), None);
}
