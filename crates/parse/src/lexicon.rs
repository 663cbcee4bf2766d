//! The grammar's own words. Forms are listed as typed (lower case, no apostrophes); the longest phrase wins.

use chartproof_terms::one_edit;

use crate::token::{Kind, Token};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    /// Says nothing by itself.
    Stop,
    /// Politeness and small talk.
    Chat,
    /// Opens a clause.
    Aux,
    Documented,
    Given,
    Ordered,
    Started,
    Stopped,
    Held,
    Restarted,
    DoseUp,
    DoseDown,
    Present,
    Evidence,
    History,
    Allergy,
    RuledOut,
    Before,
    After,
    During,
    Then,
    CausedBy,
    Induced,
    Causes,
    EffectOf,
    Treated,
    For,
    From,
    On,
    With,
    Without,
    In,
    By,
    Rise,
    Fall,
    Flat,
    Double,
    Triple,
    Resolve,
    Recur,
    Persist,
    Within,
    Above,
    Below,
    AtLeast,
    AtMost,
    High,
    Low,
    Positive,
    Negative,
    Normal,
    Abnormal,
    Encounter,
    Patient,
    Episode,
    Ever,
    No,
    Not,
    Never,
    First,
    Last,
    Every,
    Any,
    Another,
    Again,
    When,
    FindWhen,
    FindWhat,
    FindWhy,
    HowLong,
    HowMany,
    And,
    Or,
    OperatingRoom,
    Straight,
    EachOther,
    Recheck,
    Level,
    Visit,
    Admission,
    Discharge,
    OnAdmission,
    PostOp,
    /// Would narrow the question; not read.
    Qualifier,
    Except,
    Past,
    Route,
    /// Still there.
    Now,
    /// To have, as a verb or an auxiliary.
    Have,
    Already,
    /// Left or right.
    Side,
}

use Cue as C;

#[rustfmt::skip]
const CUES: &[(Cue, &str)] = &[
    (C::Aux, "was|were|is|are|did|does|do|had|wasnt|isnt|been|be|being|can you tell me if|can you tell me whether|can you check if|can you check whether|can you see if|tell me if|tell me whether|check if|check whether|i want to know if|i want to know whether|do we know if|whether|confirm that|verify that|please verify|verify|confirm|check"),
    (C::Stop, "hes|shes|theres|lets|a|an|the|there|that|patient|patients|pt|pts|she|he|they|her|his|their|them|him|it|its|this patient|the patient|this pt|also|at all|just|actually|of|s|been|time|times|then there|to have|so|in the chart|in the record|in the notes|on record|in chart|on file|in this record|in this chart|anywhere in the record|anywhere in the chart|anywhere|at any point|at some point|any point|some|concentration of|level of|occurrence of|use of|administration of|dose of|doses of|a dose of|episode of|episodes of|diagnosis of|onset of|presence of|documentation of|documentation that|record of|a record of|any record of|records of|documentation|mention of|course of|result|results|reading|readings|value|values|to the patient|to her|to him|to this patient|to the pt|measured|collected|does the record show|does the chart show|the record show|the chart show|receipt of|drawn|read|which is|which was|who|correct|yes|true|u|me|i|we"),
    (C::Chat, "please|pls|plz|thanks|thank you|thx|hello|hi|hey|good morning|good afternoon|dear|can you help me|help me|help|could you|can you|would you|kindly|ok|okay|lol|can i ask|i would like to ask|quick question|question|how are you"),
    (C::Documented, "documented|diagnosed|diagnosed with|dx|dxd|dxed|charted|noted|recorded|mentioned|reported|coded|listed|written|document|diagnose"),
    (C::Given, "given|received|receive|receiving|administered|gave|getting|got|get|infused|dosed|administer|treated using|was on|take|took|taking|taken"),
    (C::Ordered, "ordered|prescribed|order|requested|prescribe"),
    (C::Started, "started|start|started on|start of|begun|began|initiated|initiation|initiation of|added|starting|was started|addition of|put on|placed on"),
    (C::Stopped, "stopped|stop|discontinued|discontinue|d/c|d/cd|d/ced|dcd|ended|end of|stopping|discontinuation of|discontinuation|withdrawn"),
    (C::Held, "held|on hold|withheld"),
    (C::Restarted, "restarted|resumed|rechallenged|rechallenge with|restart of|restart|reintroduced"),
    (C::DoseUp, "dose increased|dose raised|dose increase|dose uptitrated|uptitrated|dose went up|dose was increased"),
    (C::DoseDown, "dose decreased|dose reduced|dose lowered|dose reduction|dose was decreased|dose was reduced"),
    (C::Present, "in place|in situ|present|checked|seen|found|occur|occurred|occurs|happen|happened|develop|developed|develops|developing|experience|experienced|observed|identified|detected|suffer|suffered|suffered from|appear|appeared|show|showed|shown|come up|existed|exist|sustained|sustain|placed|performed|done|undergo|underwent|inserted|obtained|used|presented with|resulted in the finding"),
    (C::Evidence, "evidence of|evidence for|evidence that|signs that|evidence|sign of|signs of|indication of|proof of|support for|any evidence of|any sign of"),
    (C::History, "history of|hx of|h/o|past history of|prior history of|past medical history of|pmh of|known history of"),
    (C::Allergy, "allergy to|allergic to|allergies to|intolerance of|intolerance to"),
    (C::RuledOut, "ruled out|excluded"),
    (C::Before, "before|b4|prior to|but before|and before|preceding|earlier than|ahead of|precede|preceded|precedes|came before|come before|happen before|happened before|occur before|occurred before|occurring before|pre|until after|leading up to"),
    (C::After, "after|but after|and after|following|since|subsequent to|later than|follow|followed|follows|came after|come after|happened after|happen after|occurred after|occur after|occurring after|preceded by|post|s/p|upon|once"),
    (C::During, "during|while on|while receiving|while taking|while|on treatment with|in the course of|at the same time as|throughout"),
    (C::Then, "then|and then|followed by|and later|and subsequently|subsequently|and next|which was followed by|leading then to"),
    (C::CausedBy, "caused by|due to|as due to|as caused by|as secondary to|as attributed to|as being due to|as related to|attributed to|secondary to|because of|related to|as a result of|result of|the result of|a result of|attributable to|induced by|triggered by|a consequence of|consequence of|brought on by|associated with|linked to|owing to|a complication of|complication of|2/2"),
    (C::Induced, "induced|related|associated|attributed"),
    (C::Causes, "cause|caused|causes|lead to|led to|leads to|result in|resulted in|trigger|triggered|induce|bring on|responsible for|to blame for|provoke|provoked|contribute to|contributed to"),
    (C::EffectOf, "adverse event of|side effect of|adverse reaction to|reaction to|adverse effect of|a side effect of|complication from|an adverse event of|an adverse reaction to"),
    (C::Treated, "treated with|managed with"),
    (C::For, "for"), (C::From, "from"), (C::On, "on"), (C::With, "with|w/"), (C::In, "in|per"), (C::By, "by"),
    (C::Without, "without|w/o|in the absence of"),
    (C::Rise, "rise|rose|rises|risen|increase|increased|increases|go up|went up|goes up|gone up|climb|climbed|bump|bumped|uptrend|uptrended|rising|increasing|spike|spiked|worsening of|jump|jumped"),
    (C::Fall, "fall|fell|falls|fallen|drop|dropped|drops|decrease|decreased|decreases|go down|went down|goes down|gone down|decline|declined|declines|downtrend|downtrended|falling|dropping|dip|dipped|decreasing"),
    (C::Flat, "unchanged|stay the same|stayed the same|remain stable|remained stable|stay stable|stayed stable|stable|not change|remain unchanged|remained unchanged"),
    (C::Double, "double|doubled|doubling of"), (C::Triple, "triple|tripled|tripling of"),
    (C::Resolve, "resolve|resolved|resolves|recover|recovered|recovers|clear up|cleared up|cleared|resolution of|recovery of|normalize|normalized|normalised|normalise"),
    (C::Recur, "recur|recurred|recurs|come back|came back|return|returned|recurrence of|reappear|reappeared"),
    (C::Persist, "persist|persisted|persists|continue|continued|continues"),
    (C::Within, "within|w/in|w/i|inside|up to|no later than|no more than"),
    (C::Above, "above|over|greater than|more than|longer than|exceeding|exceed|exceeded|exceeds|higher than|gt|in excess of"),
    (C::Below, "below|under|less than|lower than|shorter than|sooner than|fewer than|lt"),
    (C::AtLeast, "at least|no less than|not less than|minimum of|min of|at minimum"), (C::AtMost, "at most|not more than|maximum of|not above|not over"),
    (C::High, "high|elevated|raised|increased level|supranormal"), (C::Low, "low|reduced|subnormal|depressed level"),
    (C::Positive, "positive|pos|turned positive|turned pos|came back positive|test positive|tested positive|grew|positive for|detected positive"), (C::Negative, "negative|neg|came back negative|turned negative|tested negative|negative for|neg for"),
    (C::Normal, "normal|within normal limits|wnl"), (C::Abnormal, "abnormal|out of range"),
    (C::Encounter, "in this encounter|within this encounter|during this encounter|in one encounter|within one encounter|in the same encounter|within the same encounter|during the same encounter|within a single encounter|in a single encounter|in the encounter|during the encounter|same encounter|one encounter|in the same admission|in this admission|during this admission|within this admission|during the same admission|within the same admission|in one admission|within one admission|during one admission|during the admission|during her admission|during his admission|this admission|same admission|in the same stay|during the stay|during this stay|in this stay|within the same stay|during the same stay|within one stay|in one stay|this stay|same stay|during the same hospital stay|during the hospital stay|during this hospital stay|during her hospital stay|during his hospital stay|in the hospital|while hospitalized|while inpatient|during this hospitalization|during the same hospitalization|during the hospitalization|in this hospitalization|in the same hospitalization|within the same hospitalization|this hospitalization|same hospitalization|during this visit|in this visit|during the same visit|in the same visit|within the same visit|this visit|same visit|within one visit|in one visit|during one encounter|during hospitalization|within a single admission|in a single admission|during a single admission|during their admission|during their stay|during her stay|during his stay|this encounter|inpatient"),
    (C::Patient, "in the whole record|in the entire record|in the whole chart|in the entire chart|across all encounters|across encounters|in any encounter|at any time|any time|in her life|in his life|in their life|across the record|across admissions|over the whole record|in any admission|during any admission|throughout the record|lifetime|any encounter"),
    (C::Episode, "in this episode of care|in the same episode of care|within one episode of care|within the same episode of care|during this episode of care"),
    (C::Ever, "ever|previously|prior"),
    (C::No, "no|absence of|free of|zero|lack of|denies|denied|there is no|there was no"), (C::Not, "not|didnt|doesnt|isnt|wasnt|werent|hasnt|havent|hadnt|arent|dont|nt"),
    (C::Never, "never"),
    (C::First, "first|initial|earliest|the first|1st"), (C::Last, "last|latest|most recent|final|the last|the most recent"),
    (C::Every, "every|each|all|always|every time"), (C::Any, "any"), (C::Another, "another|a second|a further|a repeat course of|repeat course of"), (C::Again, "again|again later"),
    (C::When, "when|if|where"), (C::FindWhen, "when was|when did|when were|what time was|what date was|at what time was|when is|what day was"),
    (C::FindWhat, "what was|what is|whats|what were|which|list|show me|find|give me|what|where was|list all|show all"), (C::FindWhy, "why was|why were|why did|why|whats the reason for|what was the reason for|reason for"),
    (C::HowLong, "how long after|how many days after|how many hours after|how many days from|how many hours from|how long from|how many days between|how long between|how many hours between|how many days elapsed from|time from|time between|interval between|days from|how soon after|how long before|how many days before"),
    (C::HowMany, "how many|how often|number of|how many times"),
    (C::And, "and|plus|as well as|&|together with"), (C::Or, "or|and/or|versus|vs"),
    (C::OperatingRoom, "operating room|icu|intensive care unit|intensive care|ed|er|emergency department|emergency room|pacu|recovery room|cath lab|ward|floor|delivery room"),
    (C::Straight, "straight|in a row|consecutive|consecutively|continuously|continuous|without interruption|uninterrupted|nonstop"),
    (C::EachOther, "each other|one another"), (C::Recheck, "recheck|rechecks|repeat|repeat value|repeat level|re check|rechecked|repeated"),
    (C::Level, "level|levels|concentration|serum level|blood level|trough|peak|random level"),
    (C::Visit, "ed visit|ed visits|er visit|er visits|emergency visit|emergency visits|emergency department visit|emergency department visits|hospitalization|hospitalizations|hospitalisation|hospitalisations|readmission|readmissions|clinic visit|clinic visits|office visit|outpatient visit|hospital admission|hospital admissions|icu stay|icu admission|admissions"),
    (C::Admission, "admission|admit|hospital admission|being admitted|admitted|arrival|was admitted"), (C::Discharge, "discharge|being discharged|discharged|was discharged"),
    (C::OnAdmission, "on admission|on admit|at admission|at the time of admission|on hospital day 1"),
    (C::PostOp, "post op|postop|postoperatively|post operatively|postoperative|post operative|after the operation"),
    (C::Qualifier, "severe|mild|moderate|acute|chronic|new|new onset|recurrent|significant|patient reported|the patient reported|pt reported|she reported|he reported|they reported|self reported|reportedly|later|clinically significant|massive|minor|major|suspected|possible|probable|likely|confirmed|definite|worsen|worsened|worsening|improve|improved|improving|persistent|transient|unexplained|hospital acquired|nosocomial|present on admission|poa|on arrival|stage|grade|confirmed by|proven|fatal|life threatening|symptomatic|asymptomatic|prophylactic|scheduled|prn|as needed|overnight|today|yesterday|last night|this morning|recently|recent|day of|day after|early|late|immediately|shortly|soon|long|if not|unless|except|only|family|mother|father|maternal|paternal|brother|sister|allergy|allergic|intolerance|home|outpatient|at home|drug|medication|med|meds|same drug|because|but"),
    (C::Now, "active|actively|ongoing|still|current|currently|now|at present|presently|right now|still present|still active"),
    (C::Have, "has|have"), (C::Already, "already"),
    (C::Side, "left|right|bilateral|left sided|right sided|on the left|on the right|on the left side|on the right side|left side|right side|bilaterally|on both sides"),
    (C::Except, "besides|other than|apart from|excluding|except in|except for|outside of|not counting"),
    (C::Past, "in the past|in the last|over the past|over the last|within the past|within the last|past|during the last|during the past"),
    (C::Route, "iv|intravenous|intravenously|po|oral|orally|by mouth|im|intramuscular|sq|subq|sc|subcutaneous|subcutaneously|topical|inhaled|intrathecal|rectal"),
];

/// The longest cue that begins at a token, and how many tokens it takes.
pub(crate) fn cue(tokens: &[Token], at: usize) -> Option<(Cue, usize)> {
    let first = tokens.get(at)?;
    if first.mark() == Some('&') || first.mark() == Some('+') {
        return Some((C::And, 1));
    }
    if first.kind == Kind::Arrow {
        return Some((C::Then, 1));
    }
    if first.kind != Kind::Word {
        return None;
    }
    // The abbreviation of the room is written in capitals, the conjunction is not.
    if first.raw == "OR" && at > 0 && tokens[at - 1].is("the") && tokens.iter().any(|t| t.raw != t.raw.to_uppercase()) {
        return Some((C::OperatingRoom, 1));
    }
    let mut best: Option<(Cue, usize)> = None;
    for (cue, forms) in CUES {
        for form in forms.split('|') {
            if let Some(len) = matches(tokens, at, form)
                && best.is_none_or(|(_, l)| len > l)
            {
                best = Some((*cue, len));
            }
        }
    }
    best
}

pub(crate) fn matches(tokens: &[Token], at: usize, form: &str) -> Option<usize> {
    let mut len = 0;
    for word in form.split(' ') {
        if !tokens.get(at + len)?.is(word) {
            return None;
        }
        len += 1;
    }
    Some(len)
}

/// Whether a word occurs in the grammar.
pub(crate) fn is_word(word: &str) -> bool {
    CUES.iter().any(|(_, forms)| forms.split(['|', ' ']).any(|f| f == word))
}

/// A grammar word of six letters or more at edit distance one, when there is exactly one.
pub(crate) fn near(word: &str) -> Option<&'static str> {
    let mut found: Option<&'static str> = None;
    for (_, forms) in CUES {
        for form in forms.split('|').flat_map(|f| f.split(' ')).filter(|f| f.len() >= 6) {
            if found != Some(form) && one_edit(word, form) {
                if found.is_some() {
                    return None;
                }
                found = Some(form);
            }
        }
    }
    found
}

/// Words that look like a slip of a table word and are not.
pub(crate) const NOT_SLIPS: &str = "station contact contract section mention operator patients stations general doctor nursing \
    nurses someone reason result reports notice during before because between another without";

/// Words that cannot be part of the name of an event.
pub(crate) const NOT_NOUN: &str = "to at than as into about between until till unless despite via such dr doctor mr mrs ms prof saw \
    said says asked went goes weather joke poem write story code translate hello you your my our us would could should will \
    may might must shall why how what who whose which when where these those here very really not cannot again";

pub(crate) fn route(word: &str) -> &'static str {
    match word {
        "iv" | "intravenous" | "intravenously" => "intravenous",
        "po" | "oral" | "orally" | "by mouth" => "oral",
        "im" | "intramuscular" => "intramuscular",
        "sq" | "subq" | "sc" | "subcutaneous" | "subcutaneously" => "subcutaneous",
        "topical" => "topical",
        "inhaled" => "inhaled",
        "intrathecal" => "intrathecal",
        _ => "rectal",
    }
}

pub(crate) fn location(word: &str) -> String {
    match word {
        "icu" | "intensive care unit" | "intensive care" => "intensive care unit",
        "ed" | "er" | "emergency department" | "emergency room" => "emergency department",
        "or" | "operating room" => "operating room",
        "pacu" | "recovery room" => "recovery room",
        other => other,
    }
    .to_owned()
}

/// A whole number in words.
pub(crate) fn number_word(word: &str) -> Option<u32> {
    const WORDS: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.iter().position(|w| *w == word).map(|n| n as u32).filter(|n| *n > 0)
}
