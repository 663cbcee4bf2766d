//! The cue lexicon: one row a phrase, with a sentence that shows it at work (`[target]` marked).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::text::{Tok, phrase_words};

/// Changes whenever a row or a rule of reading changes.
pub const LEXICON_VERSION: &str = "3";

/// What a cue says about the mentions in its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// It is not so.
    Negated,
    /// It is probably not so.
    Unlikely,
    /// It may be so.
    Uncertain,
    /// It was so in the past.
    Historical,
    /// It might come to be.
    Hypothetical,
    /// A relative has it.
    Family,
    /// Someone else has it.
    Other,
    /// It is over.
    Resolved,
    /// It was there when the patient came.
    OnAdmission,
    /// Looks like a cue and is none.
    Nothing,
    /// Ends the scope of cues on both sides.
    Stop,
    /// A verb of a new statement: ends the scope of all but conditions and arrivals.
    Turn,
}

/// Where its target stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The target follows, up to the end of the clause and through lists.
    Ahead,
    /// The target follows within a few words.
    Near,
    /// The target follows at once.
    Next,
    /// The target precedes, up to the begin of the clause.
    Behind,
    /// The target precedes, a comma or colon apart at most.
    Just,
    /// The target precedes at once, and the phrase is the noun it stands before.
    Noun,
    /// Either side.
    Around,
}

/// A row of the lexicon.
pub(crate) struct Row {
    pub(crate) phrase: &'static str,
    pub(crate) says: Says,
    pub(crate) side: Side,
    /// A sentence with the target in brackets.
    #[cfg(test)]
    pub(crate) example: &'static str,
}

macro_rules! rows {
    ($($says:ident $side:ident { $($phrase:literal => $example:literal,)* })*) => {
        &[$($(Row {
            phrase: $phrase,
            says: Says::$says,
            side: Side::$side,
            #[cfg(test)]
            example: $example,
        },)*)*]
    };
}

pub(crate) const ROWS: &[Row] = rows! {
    Negated Ahead {
        "no" => "There is no fever or [rash].",
        "no known" => "No known [allergies].",
        "denies" => "She denies cough, wheeze, dyspnea or [chest pain].",
        "denied" => "He denied [melena].",
        "denying" => "Seen today, denying any [hematuria].",
        "without" => "Walked the ward without [dizziness].",
        "w/o" => "CT w/o [hydronephrosis].",
        "negative for" => "Cultures negative for [MRSA].",
        "-ve for" => "ROS is -ve for [melena].",
        "not believe" => "I do not believe this to be a [stroke].",
        "neg for" => "Screen neg for [opioids].",
        "free of" => "Remains free of [pain].",
        "absence of" => "In the absence of [bleeding], restart heparin.",
        "lack of" => "Noted lack of [edema].",
        "no evidence of" => "No evidence of [hydronephrosis] on ultrasound.",
        "no evidence for" => "There is no evidence for [obstruction].",
        "no evidence to suggest" => "No evidence to suggest [sepsis].",
        "no sign of" => "No sign of [infection].",
        "no signs of" => "No signs of [infection] or abscess.",
        "not demonstrate" => "The scan does not demonstrate [stones].",
        "not show" => "The film did not show [effusion].",
        "not reveal" => "Imaging did not reveal [abscess].",
        "not have" => "She does not have [asthma].",
        "not had" => "He has not had any [seizures].",
        "not develop" => "She does not develop [rash].",
        "did not develop" => "She did not develop [AKI].",
        "never developed" => "He never developed [AKI].",
        "never had" => "She never had [DVT].",
        "not experience" => "He did not experience [nausea].",
        "not complain of" => "She does not complain of [headache].",
        "not appreciate" => "I do not appreciate [crackles].",
        "not see" => "We did not see [bleeding].",
        "not exhibit" => "She does not exhibit [tremor].",
        "failed to develop" => "She failed to develop [AKI].",
        "fails to develop" => "She fails to develop [AKI].",
        "failed to show" => "CT failed to show [abscess].",
        "fails to show" => "CT fails to show [abscess].",
        "failed to demonstrate" => "Imaging failed to demonstrate [stones].",
        "fails to demonstrate" => "Imaging fails to demonstrate [stones].",
        "failed to identify" => "Workup failed to identify [infection].",
        "failed to meet criteria for" => "She failed to meet criteria for [sepsis].",
        "not meet criteria for" => "She does not meet criteria for [sepsis].",
        "false that" => "It is false that [AKI] occurred.",
        "untrue that" => "It is untrue that [AKI] occurred.",
        "incorrect that" => "It is incorrect that [AKI] occurred.",
        "not true that" => "It is not true that [AKI] occurred.",
        "nobody" => "Nobody noted [rash].",
        "no one" => "No one noted [rash].",
        "no prior" => "No prior [AKI] or DVT.",
        "no previous" => "No previous [AKI] or DVT.",
        "no past" => "No past [AKI] or DVT.",
        "fails to reveal" => "Examination fails to reveal [tenderness].",
        "failed to reveal" => "Workup failed to reveal [malignancy].",
        "ruled out for" => "He ruled out for [myocardial infarction].",
        "was ruled out for" => "He was ruled out for [myocardial infarction].",
        "been ruled out for" => "He has been ruled out for [PE].",
        "rules out" => "A normal D-dimer rules out [pulmonary embolism].",
        "excludes" => "A clear film excludes [pneumothorax].",
        "negative" => "Abdomen: negative [Murphy sign].",
        "neither" => "Neither [cough] nor fever.",
        "nor" => "No cough nor [fever].",
        "never" => "There was never any [hypotension].",
        "not consistent with" => "Picture not consistent with [sepsis].",
        "inconsistent with" => "Urine inconsistent with [interstitial nephritis].",
        "doesn't have" => "She doesn't have [diabetes].",
        "didn't have" => "He didn't have [fever].",
        "hasn't had" => "He hasn't had [fever].",
    }
    Negated Near {
        "not" => "He was not [jaundiced].",
        "isn't" => "She isn't [febrile].",
        "wasn't" => "He wasn't [hypotensive].",
        "cannot see" => "I cannot see [thrombus].",
    }
    Unlikely Ahead {
        "unlikely to be" => "This seems unlikely to be [pneumonia].",
        "is unlikely to be" => "This is unlikely to be [pneumonia].",
        "unlikely to have" => "He seems unlikely to have [meningitis].",
        "is unlikely to have" => "He is unlikely to have [meningitis].",
        "doubt" => "We doubt [endocarditis].",
        "low suspicion for" => "Low suspicion for [PE].",
        "not suspicious for" => "Lesion not suspicious for [melanoma].",
        "not suggestive of" => "Findings not suggestive of [obstruction].",
    }
    Negated Next {
        "(-)" => "(-) [fever]",
        "(\u{2212})" => "(\u{2212}) [fever]",
    }
    Unlikely Next {
        "unlikely" => "Unlikely [pneumonia].",
    }
    Negated Behind {
        "is ruled out" => "[Pulmonary embolism] is ruled out.",
        "was ruled out" => "[Pulmonary embolism] was ruled out by CT.",
        "were ruled out" => "[DVT] and PE were ruled out.",
        "been ruled out" => "[Myocardial infarction] has been ruled out.",
        "ruled out" => "[MI] ruled out.",
        "was excluded" => "[Obstruction] was excluded.",
        "has been excluded" => "[Obstruction] has been excluded.",
        "excluded" => "[Obstruction] excluded.",
        "not seen" => "[Hydronephrosis] not seen.",
        "is not seen" => "[Hydronephrosis] is not seen.",
        "was not seen" => "[Pneumothorax] was not seen.",
        "not identified" => "[Abscess] not identified.",
        "not detected" => "[Legionella] not detected.",
        "not found" => "[Clot] not found.",
        "was not found" => "[Clot] was not found.",
        "not present" => "[Edema] not present.",
        "is not present" => "[Edema] is not present.",
        "not noted" => "[Rash] not noted.",
        "not appreciated" => "[Murmur] not appreciated.",
        "not evident" => "[Bleeding] is not evident.",
        "not demonstrated" => "[Leak] was not demonstrated.",
        "not observed" => "[Seizure] activity not observed.",
        "not confirmed" => "[Sepsis] was not confirmed.",
        "not reported" => "[Falls] not reported.",
        "not met" => "Criteria for [sepsis] not met.",
        "is absent" => "[Edema] is absent.",
        "are absent" => "[Bowel sounds] are absent.",
        "was absent" => "[Fever] was absent.",
        "absent" => "[Edema] absent.",
        "denied by patient" => "[Alcohol use] denied by patient.",
        "is denied" => "[Chest pain] is denied.",
        "was denied" => "[Chest pain] was denied.",
        "were denied" => "[Chills] were denied.",
        "are denied" => "Fever and [chills] are denied.",
        "is negative" => "[Urine culture] is negative.",
        "was negative" => "[Blood culture] was negative.",
        "were negative" => "[Blood cultures] were negative.",
        "negative x" => "[Troponin] negative x 3.",
        "did not occur" => "[Bleeding] did not occur.",
        "did not develop" => "[AKI] did not develop.",
        "never occurred" => "[Bleeding] never occurred.",
        "never developed" => "[AKI] never developed.",
    }
    Negated Just {
        "none" => "[Fever]: none.",
        "no" => "[Transfusion]: No.",
        "nil" => "[Edema]: nil.",
        "negative" => "[Troponin] negative.",
        "neg" => "[Hematuria] - neg.",
        "denied" => "[Fever]: denied.",
        "denies" => "[Tobacco]: denies.",
        "not present" => "[AKI]: not present.",
        "not seen" => "[Hydronephrosis]: not seen.",
        "not identified" => "[Abscess]: not identified.",
        "ruled out" => "[PE]: ruled out.",
        "none noted" => "[Complications]: none noted.",
        "none reported" => "[Bleeding]: none reported.",
        "not detected" => "[Norovirus]: not detected.",
        "not given" => "[Transfusion]: not given.",
        "absent" => "[Edema]: absent.",
        "n" => "[Foley]: N.",
        "false" => "[Isolation]: false.",
        "(-)" => "[AKI] (-)",
        "(\u{2212})" => "[AKI] (\u{2212})",
        "(\u{2013})" => "[AKI] (\u{2013})",
        "no known" => "[Allergies]: No known drug allergies.",
        "nkda" => "[Allergies]: NKDA",
        "nka" => "[Allergies]: NKA",
        "nkfa" => "[Food allergies]: NKFA",
    }
    Unlikely Behind {
        "unlikely" => "[Pneumonia] unlikely.",
        "is unlikely" => "[Pneumonia] is unlikely.",
        "is felt to be unlikely" => "[Sepsis] is felt to be unlikely.",
        "less likely" => "[PE] less likely.",
        "is doubted" => "[Vasculitis] is doubted.",
    }
    Uncertain Ahead {
        "possible" => "CXR with possible [pneumonia].",
        "possibly" => "This is possibly [drug rash].",
        "probable" => "Probable [acute tubular necrosis].",
        "probably" => "Probably [AKI].",
        "likely" => "Likely [prerenal azotemia].",
        "suspected" => "Suspected [sepsis].",
        "suspect" => "We suspect [interstitial nephritis].",
        "suspicion for" => "High suspicion for [PE].",
        "suspicion of" => "Suspicion of [endocarditis].",
        "suspicious for" => "Opacity suspicious for [pneumonia].",
        "concern for" => "There is concern for [AKI].",
        "concerning for" => "Rise concerning for [AKI].",
        "concerned about" => "Team concerned about [bleeding].",
        "worrisome for" => "Mass worrisome for [malignancy].",
        "presumed" => "Presumed [pneumonia].",
        "presumptive" => "Presumptive [tuberculosis].",
        "questionable" => "Questionable [effusion].",
        "question of" => "There is a question of [aspiration].",
        "possibility of" => "The possibility of [infection] was raised.",
        "may have" => "He may have [pneumonia].",
        "might have" => "She might have [CHF].",
        "may be" => "This may be [cellulitis].",
        "might be" => "This might be [gout].",
        "could be" => "This could be [sepsis].",
        "may represent" => "Opacity may represent [pneumonia].",
        "could represent" => "Opacity could represent [aspiration].",
        "suggestive of" => "Urine suggestive of [ATN].",
        "suggests" => "The smear suggests [hemolysis].",
        "suggesting" => "Casts suggesting [ATN].",
        "appears to have" => "She appears to have [cellulitis].",
        "rule out" => "Admitted to rule out [MI].",
        "ruling out" => "We are ruling out [MI].",
        "r/o" => "R/o [PE].",
        "to exclude" => "Ultrasound to exclude [obstruction].",
        "cannot exclude" => "Cannot exclude [pneumonia].",
        "cannot rule out" => "We cannot rule out [PE].",
        "can not rule out" => "Can not rule out [PE].",
        "not rule out" => "This does not rule out [PE].",
        "not excluded" => "Not excluded: [aspiration].",
        "not exclude" => "Film does not exclude [edema].",
        "evaluate for" => "Please evaluate for [DVT].",
        "evaluated for" => "She was evaluated for [stroke].",
        "evaluation for" => "Evaluation for [sepsis].",
        "workup for" => "Workup for [anemia].",
        "work-up for" => "Work-up for [anemia].",
        "assess for" => "Ultrasound to assess for [hydronephrosis].",
        "versus" => "Contusion versus [pneumonia].",
        "vs" => "Prerenal azotemia vs. [ATN].",
        "differential includes" => "Differential includes [AIN].",
        "differential diagnosis includes" => "Differential diagnosis includes [vasculitis].",
        "consider" => "Consider [adrenal insufficiency].",
        "equivocal" => "Equivocal [appendicitis].",
        "borderline" => "Borderline [cardiomegaly].",
        "?" => "? [pneumonia].",
        "working diagnosis of" => "Working diagnosis of [meningitis].",
        "provisional diagnosis of" => "Provisional diagnosis of [AKI].",
        "query" => "Query [PE].",
        "mimicking" => "Picture mimicking [AKI].",
        "mimics" => "This mimics [AKI].",
        "resembling" => "Picture resembling [AKI].",
        "resembles" => "This resembles [AKI].",
    }
    Uncertain Behind {
        "is possible" => "[PE] is possible.",
        "possible" => "[Pneumonia] possible.",
        "is suspected" => "[AIN] is suspected.",
        "was suspected" => "[Sepsis] was suspected.",
        "suspected" => "[AIN] suspected.",
        "is likely" => "[ATN] is likely.",
        "likely" => "[Prerenal azotemia] likely.",
        "is probable" => "[Gout] is probable.",
        "cannot be excluded" => "[Pneumonia] cannot be excluded.",
        "not be excluded" => "[Pneumonia] could not be excluded.",
        "cannot be ruled out" => "[PE] cannot be ruled out.",
        "not be ruled out" => "[PE] could not be ruled out.",
        "not ruled out" => "[PE] is not ruled out.",
        "not been ruled out" => "[PE] has not been ruled out.",
        "to be ruled out" => "[MI] to be ruled out.",
        "is considered" => "[Vasculitis] is considered.",
        "was considered" => "[Vasculitis] was considered.",
        "versus" => "[Prerenal azotemia] versus ATN.",
        "vs" => "[Pneumonia] vs. atelectasis.",
        "questioned" => "[Aspiration] questioned.",
        "is another possibility" => "[Arrhythmia] is another possibility.",
        "remains a possibility" => "[PE] remains a possibility.",
        "is questionable" => "[AKI] is questionable.",
        "was questionable" => "[AKI] was questionable.",
        "is uncertain" => "[AKI] is uncertain.",
        "is equivocal" => "[AKI] is equivocal.",
    }
    Uncertain Noun {
        "-like" => "[Acute kidney injury]-like picture.",
        "like picture" => "[AKI] like picture.",
        "like illness" => "[Influenza] like illness.",
        "like symptoms" => "[Flu] like symptoms.",
        "like presentation" => "[Sepsis] like presentation.",
        "mimic" => "[Stroke] mimic.",
    }
    Uncertain Just {
        "questionable" => "[AKI], questionable.",
        "equivocal" => "[AKI], equivocal.",
        "doubtful" => "[AKI], doubtful.",
        "uncertain" => "[AKI] (uncertain).",
        "unclear" => "[AKI]: unclear.",
        "unconfirmed" => "[AKI], unconfirmed.",
        "query" => "[AKI], query.",
        "?" => "[AKI]?",
    }
    Historical Ahead {
        "history of" => "She has a history of [AKI] and gout.",
        "hx of" => "Hx of [DVT].",
        "h/o" => "Woman with h/o [stroke].",
        "hx" => "Hx [DVT].",
        "past history of" => "Past history of [asthma].",
        "medical history significant for" => "Medical history significant for [diabetes].",
        "history is significant for" => "History is significant for [gout].",
        "history notable for" => "History notable for [CKD].",
        "history includes" => "Her history includes [stroke].",
        "known history of" => "Known history of [cirrhosis].",
        "remote" => "Remote [GI bleed].",
        "prior episode of" => "Prior episode of [AKI].",
        "prior episodes of" => "Prior episodes of [AKI].",
        "previous episode of" => "Previous episode of [pancreatitis].",
        "previously diagnosed with" => "Previously diagnosed with [lupus].",
        "previously had" => "She previously had [hepatitis].",
        "years ago had" => "Two years ago had [pneumonia].",
        "status post" => "He is status post [kidney transplant].",
        "s/p" => "S/p [cholecystectomy].",
        "last admission for" => "Last admission for [AKI].",
        "previously admitted for" => "Previously admitted for [CHF].",
        "childhood" => "Childhood [asthma].",
    }
    Historical Ahead {
        "no prior" => "No prior [AKI] or DVT.",
        "no previous" => "No previous [AKI] or DVT.",
        "no past" => "No past [AKI] or DVT.",
    }
    Historical Near {
        "prior" => "Prior [AKI] noted.",
        "previous" => "Previous [stroke].",
        "former" => "Former [smoker].",
        "old" => "Old [infarct] on ECG.",
    }
    Historical Behind {
        "in the past" => "[Pancreatitis] in the past.",
        "years ago" => "[DVT] three years ago.",
        "year ago" => "[AKI] one year ago.",
        "months ago" => "[Pneumonia] two months ago.",
        "as a child" => "[Asthma] as a child.",
        "in childhood" => "[Seizures] in childhood.",
        "during a prior admission" => "[AKI] during a prior admission.",
        "during a previous admission" => "[AKI] during a previous admission.",
        "last year" => "[GI bleed] last year.",
        "by history" => "[Angina] by history.",
    }
    Hypothetical Ahead {
        "if" => "Call if [fever] or chills.",
        "return for" => "Return for [bleeding].",
        "return to" => "Return to the emergency department with [chest pain].",
        "monitor for" => "Monitor for [AKI].",
        "monitoring for" => "Monitoring for [bleeding].",
        "monitor closely for" => "Monitor closely for [AKI].",
        "watch for" => "Watch for [hypoglycemia].",
        "watch closely for" => "Watch closely for [AKI].",
        "watching for" => "Watching for [withdrawal].",
        "observe for" => "Observe for [rash].",
        "look out for" => "Look out for [rash].",
        "in case of" => "In case of [hypotension] give fluids.",
        "in the event of" => "In the event of [seizure] give lorazepam.",
        "should she develop" => "Should she develop [fever], culture.",
        "should he develop" => "Should he develop [fever], culture.",
        "should the patient develop" => "Should the patient develop [AKI], stop it.",
        "risk of" => "Discussed the risk of [AKI].",
        "risk for" => "At high risk for [AKI].",
        "risks of" => "Risks of [bleeding] explained.",
        "risks" => "Risks and benefits discussed including [AKI].",
        "side effects including" => "Side effects including [AKI] explained.",
        "side effects include" => "Side effects include [AKI].",
        "side effects such as" => "Told of side effects such as [AKI].",
        "adverse effects include" => "Adverse effects include [AKI].",
        "adverse effects including" => "Adverse effects including [AKI] explained.",
        "possible complications" => "Possible complications, such as [AKI], explained.",
        "potential complications" => "Potential complications including [AKI] explained.",
        "risks include" => "Risks include [infection] and bleeding.",
        "risks including" => "Risks including [death] were explained.",
        "to prevent" => "Fluids to prevent [AKI].",
        "prevention of" => "For prevention of [stroke].",
        "to avoid" => "Hold NSAIDs to avoid [AKI].",
        "prophylaxis for" => "Prophylaxis for [DVT].",
        "prophylaxis against" => "Prophylaxis against [PE].",
        "as needed for" => "Acetaminophen as needed for [fever].",
        "prn for" => "Ondansetron prn for [nausea].",
        "prn" => "Ondansetron prn [nausea].",
        "may cause" => "Vancomycin may cause [AKI].",
        "can cause" => "Opioids can cause [sedation].",
        "could cause" => "This could cause [bleeding].",
        "may develop" => "She may develop [AKI].",
        "might develop" => "He might develop [AKI].",
        "call for" => "Call for [fever].",
        "education on" => "Given education on [AKI].",
        "education about" => "Given education about [AKI].",
        "education regarding" => "Education regarding [AKI] given.",
        "educated about" => "Educated about [hypoglycemia].",
        "educated on" => "Educated on [bleeding].",
        "counseled on" => "Counseled on [bleeding].",
        "unless" => "Continue unless [rash].",
        "screen for" => "Screen for [delirium] daily.",
        "screening for" => "Screening for [depression].",
        "test for" => "Will test for [C difficile].",
    }
    Hypothetical Noun {
        "prophylaxis" => "[DVT] prophylaxis with heparin.",
        "ppx" => "[DVT] ppx.",
        "precautions" => "[Seizure] precautions.",
        "protocol" => "[Hypoglycemia] protocol.",
        "risk" => "[Bleeding] risk reviewed.",
        "screen" => "[Delirium] screen today.",
        "prevention" => "[AKI] prevention bundle ordered.",
        "bundle" => "[Sepsis] bundle.",
        "pathway" => "[AKI] pathway reviewed.",
        "risks" => "[Bleeding] risks explained.",
        "screening" => "[Delirium] screening.",
        "education" => "[AKI] education given.",
        "teaching" => "[Diabetes] teaching done.",
        "clinic" => "[Stroke] clinic in June.",
        "awareness" => "[Sepsis] awareness leaflet.",
        "guideline" => "[AKI] guideline.",
        "guidelines" => "[AKI] guidelines.",
        "checklist" => "[Sepsis] checklist.",
        "policy" => "[Fall] policy.",
        "order set" => "[AKI] order set.",
        "surveillance" => "[MRSA] surveillance.",
        "vaccine" => "[Influenza] vaccine.",
        "vaccination" => "[Influenza] vaccination.",
    }
    Family Ahead {
        "family history of" => "Family history of [stroke].",
        "family hx of" => "Family hx of [DVT].",
        "family history is significant for" => "Family history is significant for [breast cancer].",
        "family history significant for" => "Family history significant for [gout].",
        "mother had" => "Her mother had [breast cancer].",
        "mother has" => "Her mother has [diabetes].",
        "mother with" => "Mother with [CKD].",
        "mother died of" => "Mother died of [stroke].",
        "mother diagnosed with" => "Mother diagnosed with [lupus].",
        "father had" => "Father had [MI] at 50.",
        "father has" => "Father has [gout].",
        "father with" => "Father with [CAD].",
        "father died of" => "Father died of [MI].",
        "father diagnosed with" => "Father diagnosed with [ALS].",
        "brother had" => "Brother had [AKI] on vancomycin.",
        "brother has" => "Brother has [diabetes].",
        "brother with" => "Brother with [PE].",
        "sister had" => "Sister had [DVT].",
        "sister has" => "Sister has [lupus].",
        "sister with" => "Sister with [asthma].",
        "son had" => "Son had [leukemia].",
        "son has" => "Son has [asthma].",
        "daughter had" => "Daughter had [asthma].",
        "daughter has" => "Daughter has [eczema].",
        "grandmother had" => "Grandmother had [stroke].",
        "grandmother with" => "Grandmother with [dementia].",
        "grandfather had" => "Grandfather had [MI].",
        "grandfather with" => "Grandfather with [COPD].",
        "aunt had" => "Aunt had [breast cancer].",
        "aunt with" => "Aunt with [lupus].",
        "uncle had" => "Uncle had [MI].",
        "uncle with" => "Uncle with [CAD].",
        "cousin with" => "Cousin with [hemophilia].",
        "parents had" => "Both parents had [hypertension].",
        "siblings have" => "Siblings have [asthma].",
        "maternal" => "Maternal [breast cancer].",
        "paternal" => "Paternal [colon cancer].",
        "runs in the family" => "Runs in the family: [gout].",
    }
    Family Behind {
        "in his mother" => "[Stroke] in his mother.",
        "in her mother" => "[Stroke] in her mother.",
        "in mother" => "[CAD] in mother.",
        "in his father" => "[MI] in his father.",
        "in her father" => "[MI] in her father.",
        "in father" => "[CAD] in father.",
        "in a brother" => "[DVT] in a brother.",
        "in her brother" => "[DVT] in her brother.",
        "in his brother" => "[DVT] in his brother.",
        "in a sister" => "[Lupus] in a sister.",
        "in her sister" => "[Lupus] in her sister.",
        "in his sister" => "[Lupus] in his sister.",
        "in the family" => "[Gout] in the family.",
        "runs in the family" => "[Gout] runs in the family.",
        "in a relative" => "[Hemophilia] in a relative.",
        "in relatives" => "[Hemophilia] in relatives.",
    }
    Other Ahead {
        "donor had" => "The donor had [hepatitis C].",
        "donor with" => "Donor with [AKI].",
        "roommate had" => "His roommate had [influenza].",
        "roommate has" => "Roommate has [influenza].",
        "roommate with" => "Roommate with [COVID].",
        "husband has" => "Husband has [dementia].",
        "husband had" => "Husband had [influenza].",
        "wife has" => "Wife has [influenza].",
        "wife had" => "Wife had [influenza].",
        "exposed to" => "Exposed to [influenza] at work.",
        "sick contact with" => "Sick contact with [influenza].",
        "contact with" => "Contact with [tuberculosis].",
    }
    Resolved Near {
        "resolved" => "Resolved [AKI].",
        "now resolved" => "Now resolved [AKI].",
        "recovered from" => "Recovered from [AKI].",
    }
    Resolved Ahead {
        "resolution of" => "With resolution of [AKI], restart lisinopril.",
    }
    Resolved Behind {
        "resolved" => "[AKI] resolved.",
        "has resolved" => "[AKI] has resolved.",
        "is resolved" => "[AKI] is resolved.",
        "was resolved" => "[AKI] was resolved at discharge.",
        "now resolved" => "[AKI], now resolved.",
        "has since resolved" => "[Rash] has since resolved.",
        "has cleared" => "[Rash] has cleared.",
        "has subsided" => "[Fever] has subsided.",
        "went away" => "[Pain] went away.",
        "in remission" => "[Leukemia] in remission.",
    }
    OnAdmission Ahead {
        "on arrival" => "On arrival, creatinine was 2.4 with [AKI].",
        "on admission" => "On admission: [AKI].",
        "on presentation" => "On presentation he had [AKI].",
        "at presentation" => "At presentation [sepsis] was evident.",
        "at the time of admission" => "At the time of admission she had [AKI].",
        "upon arrival" => "Upon arrival found to have [AKI].",
        "upon admission" => "Upon admission [delirium] was noted.",
        "presented with" => "She presented with [AKI].",
        "presents with" => "He presents with [chest pain].",
        "presenting with" => "Man presenting with [AKI].",
        "admitted with" => "Admitted with [AKI].",
        "arrived with" => "Arrived with [AKI].",
        "came in with" => "Came in with [bleeding].",
    }
    OnAdmission Behind {
        "on arrival" => "[AKI] on arrival.",
        "on admission" => "[AKI] was noted on admission.",
        "on presentation" => "[AKI] on presentation.",
        "at presentation" => "[Sepsis] at presentation.",
        "at the time of admission" => "[AKI] at the time of admission.",
        "upon arrival" => "[AKI] upon arrival.",
        "upon admission" => "[Delirium] upon admission.",
        "at admission" => "[AKI] at admission.",
        "prior to arrival" => "[Fall] prior to arrival.",
        "prior to admission" => "[AKI] began prior to admission.",
        "before admission" => "[AKI] began before admission.",
        "preceded admission" => "[AKI] preceded admission.",
    }
    OnAdmission Just {
        "present on admission" => "[AKI], present on admission.",
        "present on arrival" => "[AKI], present on arrival.",
        "already present on arrival" => "[AKI], already present on arrival.",
        "poa" => "[AKI] (POA).",
    }
    Nothing Around {
        "no change" => "No change in [edema].",
        "no significant change" => "No significant change in [effusion].",
        "no interval change" => "No interval change in [effusion].",
        "no increase" => "No increase in [edema].",
        "no further" => "No further [bleeding].",
        "no longer" => "She no longer needs fluids for [AKI].",
        "no improvement" => "No improvement in [AKI].",
        "no worsening" => "No worsening of [edema].",
        "no doubt" => "No doubt [AKI].",
        "not only" => "Not only [AKI] but also sepsis.",
        "not necessarily" => "Not necessarily [AKI].",
        "not certain" => "Not certain whether this is [AKI].",
        "not certain whether" => "Not certain whether it is [gout].",
        "not improved" => "The [AKI] has not improved.",
        "not resolved" => "[AKI] has not resolved.",
        "not yet resolved" => "[AKI] not yet resolved.",
        "not fully resolved" => "[AKI] not fully resolved.",
        "not tolerated" => "Diuresis not tolerated, [AKI] followed.",
        "without difficulty" => "Walked without difficulty after [stroke].",
        "without improvement" => "Treated without improvement of [AKI].",
        "without change" => "Without change in [edema].",
        "no cause" => "No cause of [AKI] was found.",
        "no history available" => "No history available; [AKI] noted.",
        "gram negative" => "Gram negative [bacteremia].",
        "history and physical" => "History and physical: [AKI].",
        "history of present illness" => "History of present illness: [cough].",
        "day history of" => "Three day history of [cough].",
        "days history of" => "2 days history of [vomiting].",
        "week history of" => "Two week history of [fever].",
        "month history of" => "A one month history of [weight loss].",
        "hour history of" => "Six hour history of [pain].",
        "prior to" => "Prior to [dialysis] weight was taken.",
        "until resolved" => "Hold until resolved, [AKI] noted.",
        "to resolve" => "Expected to resolve: [ileus].",
        "present on admission: no" => "[AKI], present on admission: no.",
        "not present on admission" => "[AKI], not present on admission.",
        "not present on arrival" => "[AKI], not present on arrival.",
        "as if" => "Looks as if [AKI] is improving.",
        "mother states" => "Mother states [fever] began today.",
        "mother reports" => "Mother reports [cough].",
        "wife reports" => "Wife reports [confusion].",
        "without contrast" => "CT head without contrast showed [hemorrhage].",
        "no problem" => "No problem with [walking].",
        "no complaints other than" => "No complaints other than [pain].",
        "denies other than" => "Denies other than [pain].",
        "with and without" => "MRI with and without contrast of [tumor].",
    }
    Stop Around {
        "but" => "No fever but [cough].",
        "however" => "No fever, however [cough] persists.",
        "except" => "Denies symptoms except [nausea].",
        "except for" => "Unremarkable, no symptoms except for [nausea].",
        "apart from" => "No complaint apart from [pain].",
        "aside from" => "No complaint aside from [pain].",
        "other than" => "No injury other than [bruise].",
        "although" => "No fever, although [cough] persists.",
        "though" => "No fever, though [cough] persists.",
        "yet" => "No fever, yet [rigors] continue.",
        "still" => "No fever; still [tachycardia].",
        "nevertheless" => "No fever; nevertheless [sepsis] was treated.",
        "whereas" => "No fever, whereas [rash] is prominent.",
        "while" => "No fever while [cough] persists.",
        "instead" => "No PE, instead [pneumonia].",
        "rather" => "Not cardiac, rather [pneumonia].",
        "secondary to" => "No appetite secondary to [nausea].",
        "due to" => "Unable to walk without help due to [pain].",
        "because of" => "Did not sleep because of [pain].",
        "because" => "Not discharged because [AKI] developed.",
        "caused by" => "No new rash; the old one caused by [cefazolin].",
        "as a result of" => "Not walking as a result of [stroke].",
        "since" => "No appetite since [stroke].",
    }
    Stop Ahead {
        "given" => "No vancomycin given [AKI].",
    }
    Turn Around {
        "who" => "No visitor who has [influenza].",
        "which" => "No fluid which showed [infection].",
        "positive for" => "Negative for MRSA, positive for [VRE].",
        "complains of" => "No fever, complains of [cough].",
        "complaining of" => "No fever, complaining of [cough].",
        "admits to" => "Denies alcohol, admits to [tobacco].",
        "reports" => "No fever, reports [cough].",
        "endorses" => "Denies fever, endorses [cough].",
        "showed" => "No biopsy; CT showed [mass].",
        "revealed" => "No contrast; CT revealed [mass].",
        "demonstrates" => "No prior; CT demonstrates [mass].",
        "demonstrated" => "No prior; CT demonstrated [mass].",
        "developed" => "No fever on day one, developed [rigors].",
        "does have" => "No fever, does have [cough].",
        "did have" => "No fever, did have [cough].",
        "has" => "No fever, has [cough].",
        "had" => "No fever, had [cough].",
        "presents" => "History of gout, presents for [cough].",
        "there is" => "No free air, there is [ileus].",
        "there are" => "No free air, there are [gallstones].",
        "there was" => "No free air, there was [ileus].",
        "there were" => "No free air, there were [gallstones].",
        "she is" => "No fever and she is [confused].",
        "he is" => "No fever and he is [confused].",
        "she has" => "No fever and she has [cough].",
        "he has" => "No fever and he has [cough].",
        "patient is" => "No fever and the patient is [confused].",
        "patient has" => "No fever and the patient has [cough].",
        "and is" => "No fever and is [confused].",
        "and was" => "Not febrile and was [confused].",
        "and has" => "No fever and has [cough].",
        "and had" => "No fever and had [cough].",
        "now with" => "History of gout, now with [AKI].",
        "now has" => "History of gout, now has [AKI].",
        "now" => "No fever, now [hypothermic].",
        "today" => "No fever today [cough].",
        "then" => "No fever, then [rigors].",
        "with persistent" => "No fever, with persistent [cough].",
        "requiring" => "No surgery, requiring [dialysis].",
        "remains" => "No fever, remains [tachycardic].",
    }
};

/// The lexicon by first word; longer phrases first.
type Table = BTreeMap<String, Vec<(Vec<String>, Vec<usize>)>>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table: Table = BTreeMap::new();
    for (n, row) in ROWS.iter().enumerate() {
        let words = phrase_words(row.phrase);
        let Some(first) = words.first() else { continue };
        let list = table.entry(first.clone()).or_default();
        match list.iter_mut().find(|(known, _)| *known == words) {
            Some((_, rows)) => rows.push(n),
            None => list.push((words, vec![n])),
        }
    }
    for list in table.values_mut() {
        list.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
    }
    table
});

/// A phrase of the lexicon found in a sentence.
pub(crate) struct Hit {
    /// First token.
    pub(crate) from: usize,
    /// Token after the last.
    pub(crate) to: usize,
    /// Rows of [`ROWS`] with this phrase.
    pub(crate) rows: &'static [usize],
}

/// Longest phrases from left to right, none of which reaches into the target `(from, to)`.
pub(crate) fn find(tokens: &[Tok], target: (usize, usize)) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if i >= target.0 && i < target.1 {
            i = target.1;
            continue;
        }
        let room = if i < target.0 { target.0 } else { tokens.len() };
        let found = TABLE.get(&tokens[i].norm).and_then(|list| {
            list.iter().find_map(|(words, rows)| matches(tokens, i, room, words).map(|to| (to, rows.as_slice())))
        });
        match found {
            Some((to, rows)) => {
                hits.push(Hit { from: i, to, rows });
                i = to;
            }
            None => i += 1,
        }
    }
    hits
}

/// End of the phrase at token `i`; a hyphen between two words is passed over, and so is the stop of "vs.".
fn matches(tokens: &[Tok], i: usize, room: usize, words: &[String]) -> Option<usize> {
    let mut at = i;
    for (n, word) in words.iter().enumerate() {
        if n > 0 && at < room && tokens[at].norm == "-" && word != "-" {
            at += 1;
        }
        if at >= room || tokens[at].norm != *word {
            return None;
        }
        at += 1;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Asserter, Certainty, CueAsserter, Experiencer, Polarity, Temporality};

    /// The sentence of an example and its target in code points.
    pub(crate) fn marked(example: &str) -> (String, (usize, usize)) {
        let open = example.chars().position(|c| c == '[').expect("a target");
        let close = example.chars().position(|c| c == ']').expect("a target");
        (example.replace(['[', ']'], ""), (open, close - 1))
    }

    #[test]
    fn every_row_is_shown_by_its_sentence() {
        let mut faults = Vec::new();
        for row in ROWS {
            let (sentence, target) = marked(row.example);
            assert!(
                sentence.to_lowercase().replace('-', " ").contains(&row.phrase.replace('-', " ")),
                "the sentence does not hold the phrase {:?}",
                row.phrase
            );
            let found = CueAsserter.assert(&sentence, target, None);
            let holds = match row.says {
                Says::Negated => found.polarity == Polarity::Negated,
                Says::Unlikely => found.polarity == Polarity::Negated && found.certainty == Certainty::Uncertain,
                Says::Uncertain => found.certainty == Certainty::Uncertain && found.polarity == Polarity::Affirmed,
                Says::Historical => found.temporality == Temporality::Historical,
                Says::Hypothetical => found.temporality == Temporality::Hypothetical,
                Says::Family => found.experiencer == Experiencer::Family,
                Says::Other => found.experiencer == Experiencer::Other,
                Says::Resolved => found.resolved && found.polarity == Polarity::Affirmed,
                Says::OnAdmission => found.on_admission,
                Says::Stop | Says::Turn => found.polarity == Polarity::Affirmed,
                Says::Nothing => {
                    found.polarity == Polarity::Affirmed
                        && found.temporality == Temporality::Recent
                        && found.experiencer == Experiencer::Patient
                        && !found.on_admission
                        && !found.resolved
                }
            };
            if !holds {
                faults.push(format!("{:?} {:?}: {} -> {found:?}", row.says, row.phrase, row.example));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn no_row_twice() {
        for (n, row) in ROWS.iter().enumerate() {
            for other in &ROWS[..n] {
                assert!(
                    other.phrase != row.phrase || (other.says, other.side) != (row.says, row.side),
                    "{:?} stands twice",
                    row.phrase
                );
            }
        }
    }
}
