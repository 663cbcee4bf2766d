//! Which files and servers of a load name different people by one key.
//!
//! A *world* is a set of files, or of entries of one server, that use one `Patient/id` for one person. Most loads
//! are one world and nothing here applies. Where two files give one key to different people, the rows of each
//! follow the people of their own world; files that hold neither person belong to no world, and their rows for
//! that key to nobody.

use chartproof_record::InOrder as _;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chartproof_record::json::{Kind, Node, Tape};

use crate::load::{Draft, DraftIx, string};

/// The world of what belongs to none.
pub(crate) const NEUTRAL: u32 = 0;

/// Drafts told apart by the world they belong to.
#[derive(Debug, Default)]
pub(crate) struct Worlds {
    /// World of every draft; empty when the load is one world.
    pub(crate) of: Vec<u32>,
    /// What is appended to a key of a world that another world has too; by world.
    pub(crate) tags: Vec<Arc<str>>,
    /// Keys that several people of one world claim.
    pub(crate) ambiguous: BTreeSet<(u32, Arc<str>)>,
    /// Keys that different people claim, with how many.
    pub(crate) shared: BTreeMap<Arc<str>, usize>,
}

impl Worlds {
    /// Whether the load holds different people under one key.
    pub(crate) fn several(&self) -> bool {
        !self.of.is_empty()
    }

    pub(crate) fn world(&self, draft: DraftIx) -> u32 {
        self.of.get(draft as usize).copied().unwrap_or(NEUTRAL)
    }
}

/// What tells people apart.
#[derive(Debug, Default)]
struct Person {
    birth: String,
    sex: String,
    families: Vec<String>,
    given: Vec<String>,
    identifiers: Vec<(String, String)>,
}

impl Person {
    fn of(raw: &str) -> Self {
        let Ok(tape) = Tape::of(raw, 0) else { return Self::default() };
        let node = tape.root(raw);
        let word = |text: &str| text.trim().to_lowercase();
        let mut person = Self {
            birth: string(node, "birthDate").map(|t| word(&t)).unwrap_or_default(),
            sex: string(node, "gender").map(|t| word(&t)).unwrap_or_default(),
            ..Self::default()
        };
        for name in node.get("name").into_iter().flat_map(Node::items) {
            if let Some(family) = string(name, "family") {
                person.families.push(word(&family));
            }
            let given = name.get("given").into_iter().flat_map(Node::items);
            person.given.extend(given.filter(|g| g.kind() == Kind::String).filter_map(Node::as_str).map(|g| word(&g)));
            if name.get("family").is_none()
                && name.get("given").is_none()
                && let Some(text) = string(name, "text")
            {
                person.families.push(word(&text));
            }
        }
        for identifier in node.get("identifier").into_iter().flat_map(Node::items) {
            if let (Some(system), Some(value)) = (string(identifier, "system"), string(identifier, "value")) {
                person.identifiers.push((system.into_owned(), value.into_owned()));
            }
        }
        person
    }

    /// Whether two contents cannot be of one person, or are too unlike to be taken for one.
    fn differs(&self, other: &Self) -> bool {
        let known = |a: &str, b: &str| !a.is_empty() && !b.is_empty();
        let births = known(&self.birth, &other.birth);
        let birth = births && !self.birth.starts_with(&other.birth) && !other.birth.starts_with(&self.birth);
        let stated = |sex: &str| matches!(sex, "male" | "female");
        let sex = stated(&self.sex) && stated(&other.sex) && self.sex != other.sex;
        let apart = |a: &[String], b: &[String], alike: fn(&str, &str) -> bool| {
            !a.is_empty() && !b.is_empty() && !a.iter().any(|a| b.iter().any(|b| alike(a, b)))
        };
        // A name in one text holds the family name.
        let family = apart(&self.families, &other.families, |a, b| a.contains(b) || b.contains(a));
        let given = apart(&self.given, &other.given, |a, b| a.starts_with(b) || b.starts_with(a));
        // A new family name: all else is the same.
        let renamed = family && births && !birth && !sex && !given && !self.given.is_empty() && !other.given.is_empty();
        let name = (family || given) && !renamed;
        let one_identifier = self.identifiers.iter().any(|i| other.identifiers.contains(i));
        let conflicts = usize::from(birth) + usize::from(sex) + usize::from(name);
        // With an identifier in common, one difference is a correction.
        conflicts > usize::from(one_identifier)
    }
}

/// Sets of files and servers that are joined one by one, but never across people who must stay apart.
struct Sets {
    parent: Vec<usize>,
    apart: BTreeSet<(usize, usize)>,
}

impl Sets {
    fn root(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let crosses = |pair: &(usize, usize)| {
            let (x, y) = (self.root(pair.0), self.root(pair.1));
            (x, y) == (a, b) || (x, y) == (b, a)
        };
        if !self.apart.iter().any(crosses) {
            self.parent[a.max(b)] = a.min(b);
        }
    }
}

/// Whether two drafts of one key are of different people.
fn are_apart(a: (&Draft, &Person), b: (&Draft, &Person)) -> bool {
    match (&a.0.base, &b.0.base) {
        // One server has one person for an id, whatever was corrected.
        (Some(x), Some(y)) => return x != y,
        _ if a.0.file == b.0.file => {
            let dated = |d: &Draft| d.last_updated.is_some() || d.version.is_some();
            if dated(a.0) && dated(b.0) {
                return false;
            }
        }
        _ => {}
    }
    a.1.differs(b.1)
}

/// Finds the worlds of a load. `patients` are the drafts of patients in any order, by key, where there are
/// several of one key; `digest` is of a draft's content.
pub(crate) fn find<'a>(
    drafts: &[Draft],
    patients: &BTreeMap<Arc<str>, Vec<DraftIx>>,
    raw: impl Fn(DraftIx) -> &'a str,
    digest: impl Fn(DraftIx) -> String,
) -> Worlds {
    let mut worlds = Worlds::default();
    // People by key, in the order of their content.
    let mut people_of: Vec<(Arc<str>, Vec<Vec<DraftIx>>, String)> = Vec::new();
    for (key, group) in patients {
        let mut ordered: Vec<(Option<Arc<str>>, String, DraftIx)> =
            group.iter().map(|ix| (drafts[*ix as usize].base.clone(), digest(*ix), *ix)).collect();
        ordered.order();
        let contents: BTreeMap<DraftIx, Person> = group.iter().map(|ix| (*ix, Person::of(raw(*ix)))).collect();
        let mut people: Vec<Vec<DraftIx>> = Vec::new();
        for (_, _, ix) in &ordered {
            let own = (&drafts[*ix as usize], &contents[ix]);
            let same = |person: &&mut Vec<DraftIx>| {
                person.iter().all(|other| !are_apart(own, (&drafts[*other as usize], &contents[other])))
            };
            match people.iter_mut().find(same) {
                Some(person) => person.push(*ix),
                None => people.push(vec![*ix]),
            }
        }
        if people.len() > 1 {
            worlds.shared.insert(Arc::clone(key), people.len());
        }
        let first = ordered.first().map(|(_, digest, _)| digest.clone()).unwrap_or_default();
        people_of.push((Arc::clone(key), people, first));
    }
    if worlds.shared.is_empty() {
        return worlds;
    }
    let mut units: BTreeMap<(u32, Option<Arc<str>>), usize> = BTreeMap::new();
    let unit_of: Vec<usize> = drafts
        .iter()
        .enumerate()
        .map(|(ix, draft)| {
            let outer = draft.parent.map_or(ix, |p| p as usize);
            let draft = drafts.get(outer).unwrap_or(draft);
            let next = units.len();
            *units.entry((draft.file, draft.base.clone())).or_insert(next)
        })
        .collect();
    let mut sets = Sets { parent: (0..units.len()).collect(), apart: BTreeSet::new() };
    let mut torn: Vec<(usize, Arc<str>)> = Vec::new();
    for (key, people, _) in &people_of {
        for (i, one) in people.iter().enumerate() {
            for (a, b) in
                people[i + 1..].iter().flat_map(|other| one.iter().flat_map(|a| other.iter().map(move |b| (a, b))))
            {
                let (a, b) = (unit_of[*a as usize], unit_of[*b as usize]);
                if a == b {
                    torn.push((a, Arc::clone(key)));
                } else {
                    sets.apart.insert((a, b));
                }
            }
        }
    }
    // One server; the rest of a file that names one server; files that agree on a person.
    let list: Vec<(u32, Option<Arc<str>>, usize)> = units.iter().map(|((f, b), u)| (*f, b.clone(), *u)).collect();
    let mut servers: BTreeMap<&Arc<str>, usize> = BTreeMap::new();
    for (_, base, unit) in &list {
        if let Some(base) = base {
            let known = *servers.entry(base).or_insert(*unit);
            sets.join(known, *unit);
        }
    }
    for (file, base, unit) in &list {
        let mut named = list.iter().filter(|(f, b, _)| f == file && b.is_some());
        if let (None, Some(only), None) = (base, named.next(), named.next()) {
            sets.join(only.2, *unit);
        }
    }
    for person in people_of.iter().flat_map(|(_, people, _)| people) {
        for ix in person {
            sets.join(unit_of[person[0] as usize], unit_of[*ix as usize]);
        }
    }
    // A world has people who must be told from others'; it is named by its server, or by the content of the first.
    let mut roots: BTreeMap<usize, String> = BTreeMap::new();
    for (key, people, _) in &people_of {
        for ix in people.iter().flatten().filter(|_| people.len() > 1) {
            let root = sets.root(unit_of[*ix as usize]);
            let crosses = sets.apart.iter().any(|(a, b)| {
                let (a, b) = (sets.root(*a), sets.root(*b));
                a != b && (a == root || b == root)
            });
            if !crosses {
                continue;
            }
            let tag = match &drafts[*ix as usize].base {
                Some(base) => base.to_string(),
                None => format!("sha256:{}", digest(*ix)),
            };
            let named = (format!("{key} {tag}"), tag);
            let slot = roots.entry(root).or_insert_with(|| named.0.clone());
            if named.0 < *slot {
                *slot = named.0;
            }
        }
    }
    let mut ranked: Vec<(String, usize)> = roots.into_iter().map(|(root, name)| (name, root)).collect();
    ranked.order();
    worlds.tags.push("elsewhere".into());
    let mut rank: BTreeMap<usize, u32> = BTreeMap::new();
    for (ix, (name, root)) in ranked.iter().enumerate() {
        rank.insert(*root, ix as u32 + 1);
        worlds.tags.push(name.split_once(' ').map_or(name.as_str(), |(_, tag)| tag).into());
    }
    worlds.of = unit_of.iter().map(|unit| rank.get(&sets.root(*unit)).copied().unwrap_or(NEUTRAL)).collect();
    for (unit, key) in torn {
        worlds.ambiguous.insert((rank.get(&sets.root(unit)).copied().unwrap_or(NEUTRAL), key));
    }
    worlds
}
