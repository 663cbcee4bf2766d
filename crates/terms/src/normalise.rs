//! The one place where two spellings become one.

/// Lower case, accents folded, apostrophes gone, every other mark a space, British spelling made American, plurals singular.
/// The result is a key for comparison, not for display.
pub fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in words(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&normalise_word(&word));
    }
    out
}

/// Words in lower case without accents; a decimal point between digits stays.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        if is_apostrophe(c) && !word.is_empty() {
            // "Crohn's" and "Crohns" are "crohn"; a quotation mark after a word ends it anyway.
            let s_ends = chars.get(i + 1).is_some_and(|n| matches!(n, 's' | 'S'))
                && !chars.get(i + 2).is_some_and(|n| n.is_alphanumeric());
            if s_ends {
                words.push(std::mem::take(&mut word));
            }
            continue;
        }
        if matches!(c, 's' | 'S') && word.is_empty() && i > 0 && is_apostrophe(chars[i - 1]) {
            let ends = !chars.get(i + 1).is_some_and(|n| n.is_alphanumeric());
            if ends && i > 1 && chars[i - 2].is_alphanumeric() {
                continue;
            }
        }
        let point =
            c == '.' && i > 0 && chars[i - 1].is_ascii_digit() && chars.get(i + 1).is_some_and(char::is_ascii_digit);
        if c.is_alphanumeric() || c == '%' || point {
            fold(c, &mut word);
        } else if is_combining(c) {
            // A combining accent belongs to the letter before it.
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}' | '\u{02bc}' | '`' | '\u{00b4}')
}

fn is_combining(c: char) -> bool {
    ('\u{0300}'..='\u{036f}').contains(&c)
}

fn fold(c: char, out: &mut String) {
    // Full-width forms are the plain ones.
    let c = match u32::from(c) {
        n @ 0xff01..=0xff5e => char::from_u32(n - 0xfee0).unwrap_or(c),
        _ => c,
    };
    for c in c.to_lowercase() {
        match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => out.push('a'),
            'è'..='ë' | 'ē' | 'ę' | 'ě' => out.push('e'),
            'ì'..='ï' | 'ī' | 'ı' => out.push('i'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => out.push('o'),
            'ù'..='ü' | 'ū' | 'ű' | 'µ' | 'μ' => out.push('u'),
            'ç' | 'ć' | 'č' => out.push('c'),
            'ñ' | 'ń' => out.push('n'),
            'ý' | 'ÿ' => out.push('y'),
            'š' | 'ś' => out.push('s'),
            'ž' | 'ź' | 'ż' => out.push('z'),
            'ł' => out.push('l'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'α' => out.push_str("alpha"),
            'β' => out.push_str("beta"),
            'γ' => out.push_str("gamma"),
            c if is_combining(c) => {}
            c => out.push(c),
        }
    }
}

/// [`normalise`] for one word that is lower case and folded already.
pub fn normalise_word(word: &str) -> String {
    if !word.is_ascii() || word.len() < 4 {
        return word.to_owned();
    }
    singular(american(word))
}

const AMERICAN: [(&str, &str); 22] = [
    ("rrhoe", "rrhe"),
    ("pnoe", "pne"),
    ("oedem", "edem"),
    ("oesoph", "esoph"),
    ("oestr", "estr"),
    ("foet", "fet"),
    ("coeli", "celi"),
    ("amoeb", "ameb"),
    ("tumour", "tumor"),
    ("colour", "color"),
    ("humour", "humor"),
    ("favour", "favor"),
    ("behaviour", "behavior"),
    ("labour", "labor"),
    ("fibre", "fiber"),
    ("centre", "center"),
    ("litre", "liter"),
    ("sulph", "sulf"),
    ("leuco", "leuko"),
    ("isation", "ization"),
    ("aluminium", "aluminum"),
    ("ageing", "aging"),
];

fn american(word: &str) -> String {
    let mut text = word.to_owned();
    for (british, american) in AMERICAN {
        if text.contains(british) {
            text = text.replace(british, american);
        }
    }
    // "ae" is "e" (anaemia, haemoglobin, faeces, paediatric), but not before "ro" or "ra" (aerobic, aeration).
    while let Some(at) = find_ae(&text) {
        text.remove(at);
    }
    text
}

fn find_ae(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len().saturating_sub(1))
        .find(|&i| bytes[i] == b'a' && bytes[i + 1] == b'e' && bytes.get(i + 2) != Some(&b'r'))
}

fn singular(word: String) -> String {
    let keep = |n: usize| word[..word.len() - n].to_owned();
    if !word.ends_with('s') || ["ss", "us", "is"].iter().any(|e| word.ends_with(e)) {
        return word;
    }
    for (plural, single) in [("gnoses", "gnosis"), ("mboses", "mbosis"), ("croses", "crosis")] {
        if let Some(stem) = word.strip_suffix(plural) {
            return format!("{stem}{single}");
        }
    }
    if word.len() > 4 && word.ends_with("ies") {
        return format!("{}y", keep(3));
    }
    if ["sses", "shes", "ches", "xes"].iter().any(|e| word.ends_with(e)) {
        return keep(2);
    }
    keep(1)
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn spellings_meet() {
        for (a, b) in [
            ("Haemoglobin", "hemoglobin"),
            ("anaemia", "anemia"),
            ("Hyperkalaemia", "HYPERKALEMIA"),
            ("diarrhoea", "diarrhea"),
            ("dyspnoea", "dyspnea"),
            ("oedema", "edema"),
            ("x-ray", "X ray"),
            ("Crohn's disease", "crohn disease"),
            ("Crohn\u{2019}s disease", "crohns disease"),
            ("opioids", "opioid"),
            ("biopsies", "biopsy"),
            ("abscesses", "abscess"),
            ("Guillain-Barré", "guillain barre"),
            ("Guillain-Barre\u{301}", "guillain barre"),
            ("leucocytes", "leukocyte"),
            ("C. difficile", "c difficile"),
            ("anaerobic", "anaerobic"),
        ] {
            assert_eq!(normalise(a), normalise(b), "{a} / {b}");
        }
        assert_eq!(normalise("sodium 0.9 %"), "sodium 0.9 %");
        assert_eq!(normalise("anaerobic"), "anaerobic");
        assert_eq!(normalise("sepsis"), "sepsis");
        assert_eq!(normalise("'s 's'"), "s s");
        assert_eq!(normalise(""), "");
    }
}
