//! From drafts to the record: one copy of every source, references resolved, everything in canonical order.

use chartproof_record::InOrder as _;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chartproof_record::json::Tape;
use chartproof_record::{
    Binding, Code, Concept, Diagnostic, EncounterIx, Note, Occurrence, OccurrenceId, Order, Patient, PatientIx, Record,
    Severity, Source, SourceIx, Stamp, Standing, StandingReason, Stay, TimeRole, assign_stays, infer, sha256_hex,
};
use rustc_hash::FxHashMap;

use crate::fhir::{Unread, attachment_text};
use crate::load::{DraftIx, Event, Load, Reading, RefIx, Reference, Target, string};
use crate::worlds::{self, NEUTRAL, Worlds};

/// Most remarks of one code and resource type that are listed one by one.
const LISTED: usize = 50;

const DAY_MS: i64 = 86_400_000;

/// What became of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Kept.
    Live,
    /// Kept beside a later version of the same source.
    Superseded,
    /// The same content as another draft.
    SameAs(DraftIx),
}

/// The text without white space between its parts.
fn tight(raw: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let (mut inside, mut escaped) = (false, false);
    for byte in raw.bytes() {
        if inside {
            inside = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else if byte.is_ascii_whitespace() {
            continue;
        } else {
            inside = byte == b'"';
        }
        out.push(byte);
    }
    out
}

struct Finish {
    load: Load,
    fates: Vec<Fate>,
    /// Final keys by draft.
    keys: Vec<Arc<str>>,
    /// Final index by draft; of the kept copy for one that was merged.
    places: Vec<u32>,
    /// The live draft of every key.
    live: FxHashMap<Arc<str>, DraftIx>,
    /// Where the load holds different people under one key: which drafts belong together, ...
    worlds: Worlds,
    /// ... the live draft of every key in each world, ...
    live_in: BTreeMap<(Arc<str>, u32), DraftIx>,
    /// ... and the world that each reference is used in.
    used_in: Vec<u32>,
    /// Servers that the full URLs of the load name.
    servers: BTreeSet<Arc<str>>,
    /// Servers that absolute references to patients name.
    named_servers: BTreeSet<Arc<str>>,
    /// Resolved references.
    targets: Vec<Option<DraftIx>>,
    diagnostics: Vec<Diagnostic>,
    nothing: Arc<str>,
}

pub(crate) fn finish(load: Load) -> Record {
    let nothing: Arc<str> = "".into();
    let mut finish = Finish {
        load,
        fates: Vec::new(),
        keys: Vec::new(),
        places: Vec::new(),
        live: FxHashMap::default(),
        worlds: Worlds::default(),
        live_in: BTreeMap::new(),
        used_in: Vec::new(),
        servers: BTreeSet::new(),
        named_servers: BTreeSet::new(),
        targets: Vec::new(),
        diagnostics: Vec::new(),
        nothing,
    };
    finish.order_files();
    finish.worlds();
    finish.versions();
    let mut record = Record { sources: finish.sources(), ..Record::default() };
    finish.resolve();
    finish.build(&mut record);
    finish.completeness();
    finish.remarks();
    record.files = std::mem::take(&mut finish.load.files);
    record.diagnostics = finish.diagnostics;
    record.diagnostics.order();
    record
}

impl Finish {
    fn raw(&self, draft: DraftIx) -> &str {
        let draft = &self.load.drafts[draft as usize];
        let text = &self.load.files[draft.file as usize].text;
        text.get(draft.start..draft.end).unwrap_or_default()
    }

    /// Files by name, then content, in whatever order they came.
    fn order_files(&mut self) {
        let mut order: Vec<u32> = (0..self.load.files.len() as u32).collect();
        let files = &self.load.files;
        order.order_by(|a, b| {
            let (a, b) = (&files[*a as usize], &files[*b as usize]);
            a.name.cmp(&b.name).then_with(|| a.sha256.cmp(&b.sha256))
        });
        let mut rank = vec![0_u32; order.len()];
        for (new, old) in order.iter().enumerate() {
            rank[*old as usize] = new as u32;
        }
        for draft in &mut self.load.drafts {
            draft.file = rank[draft.file as usize];
        }
        for bundle in &mut self.load.bundles {
            bundle.file = rank[bundle.file as usize];
        }
        let mut files: Vec<_> = std::mem::take(&mut self.load.files).into_iter().map(Some).collect();
        self.load.files = order.iter().filter_map(|old| files[*old as usize].take()).collect();
    }

    /// Looks for different people under one key, and for servers.
    fn worlds(&mut self) {
        let mut patients: BTreeMap<Arc<str>, Vec<DraftIx>> = BTreeMap::new();
        for (ix, draft) in self.load.drafts.iter().enumerate() {
            if let Some(base) = draft.base.as_ref().filter(|base| !self.servers.contains(*base)) {
                self.servers.insert(Arc::clone(base));
            }
            if draft.reading == Reading::Patient
                && draft.parent.is_none()
                && let Some(first) = self.load.by_key.get(&draft.key).filter(|first| **first != ix as u32)
            {
                patients.entry(Arc::clone(&draft.key)).or_insert_with(|| vec![*first]).push(ix as u32);
            }
        }
        for reference in self.load.references.iter().filter(|r| &*r.target_type == "Patient") {
            self.named_servers.extend(reference.base.clone());
        }
        if patients.is_empty() {
            return;
        }
        let digest = |ix| sha256_hex(&tight(self.raw(ix)))[..32].to_owned();
        self.worlds = worlds::find(&self.load.drafts, &patients, |ix| self.raw(ix), digest);
        for (key, people) in &self.worlds.shared {
            self.diagnostics.push(Diagnostic {
                severity: Severity::Warning,
                code: Code::VersionConflict,
                source: key.to_string(),
                location: String::new(),
                message: format!(
                    "{people} different people have this key and were kept apart, each with the rows of the same \
                     file or server; rows that do not tell whose they are belong to nobody"
                ),
            });
        }
    }

    /// Every use of a reference belongs to the world of the row that makes it.
    fn scope_references(&mut self) {
        if !self.worlds.several() {
            return;
        }
        self.used_in = vec![NEUTRAL; self.load.references.len()];
        let mut made: BTreeMap<(RefIx, u32), RefIx> = BTreeMap::new();
        let (worlds, references, used_in) = (&self.worlds, &mut self.load.references, &mut self.used_in);
        let mut scope = |draft: DraftIx, reference: &mut RefIx| {
            let world = worlds.world(draft);
            let Some(known) = references.get(reference.0 as usize) else { return };
            if world == NEUTRAL || matches!(known.target, Target::Direct(_)) {
                return;
            }
            let known: Reference = known.clone();
            *reference = *made.entry((*reference, world)).or_insert_with(|| {
                let next = RefIx(references.len() as u32);
                references.push(known);
                used_in.push(world);
                next
            });
        };
        for row in &mut self.load.rows {
            let draft = row.occurrence.source.0;
            let single =
                [&mut row.patient, &mut row.encounter, &mut row.concept_ref, &mut row.specimen, &mut row.author];
            single.into_iter().flatten().for_each(|r| scope(draft, r));
            row.link_refs.iter_mut().for_each(|(_, r)| scope(draft, r));
        }
        for row in &mut self.load.notes {
            let draft = row.note.source.0;
            let single = [&mut row.patient, &mut row.encounter, &mut row.author];
            single.into_iter().flatten().for_each(|r| scope(draft, r));
            row.binary.iter_mut().for_each(|(r, _)| scope(draft, r));
        }
        for row in &mut self.load.encounters {
            let draft = row.encounter.source.0;
            [&mut row.patient, &mut row.part_of].into_iter().flatten().for_each(|r| scope(draft, r));
            row.episodes.iter_mut().chain(&mut row.diagnoses).for_each(|r| scope(draft, r));
        }
        for row in &mut self.load.replaces {
            scope(row.successor, &mut row.replaced);
        }
    }

    /// Whether an absolute reference may lead to a draft: never to that of another server.
    fn may_lead(&self, reference: &Reference, draft: DraftIx) -> bool {
        let Some(base) = &reference.base else { return true };
        match &self.load.drafts[draft as usize].base {
            Some(own) => own == base,
            None if self.servers.is_empty() => self.named_servers.len() < 2 || &*reference.target_type != "Patient",
            None => self.servers.contains(base),
        }
    }

    /// The live draft that `Type/id` names for a row of a world.
    fn by_text(&self, reference: &Reference, world: u32) -> Option<DraftIx> {
        let text = &reference.text;
        if !self.worlds.several() {
            return self.live.get(text).copied().filter(|d| self.may_lead(reference, *d));
        }
        let from = (Arc::clone(text), 0);
        let all: Vec<(u32, DraftIx)> = self
            .live_in
            .range(from..)
            .take_while(|((key, _), _)| key == text)
            .map(|((_, world), draft)| (*world, *draft))
            .filter(|(_, draft)| self.may_lead(reference, *draft))
            .collect();
        let found = if let Some(base) = &reference.base {
            let own = all.iter().find(|(_, d)| self.load.drafts[*d as usize].base.as_ref() == Some(base));
            own.or_else(|| all.iter().find(|(w, _)| *w == world))
        } else if world == NEUTRAL {
            // What belongs to no world may name what only one has.
            all.first().filter(|_| all.len() == 1)
        } else {
            all.iter().find(|(w, _)| *w == world).or_else(|| all.iter().find(|(w, _)| *w == NEUTRAL))
        };
        let (world, draft) = *found?;
        (!self.worlds.ambiguous.contains(&(world, Arc::clone(text)))).then_some(draft)
    }

    /// The drafts that claim one key, and the name they are to have.
    fn claims(&mut self) -> Vec<(Arc<str>, u32, Vec<DraftIx>)> {
        let mut groups: BTreeMap<(Arc<str>, u32), Vec<DraftIx>> = BTreeMap::new();
        if !self.worlds.several() {
            for (ix, draft) in self.load.drafts.iter().enumerate().filter(|(_, d)| d.parent.is_none()) {
                match self.load.by_key.get(&draft.key) {
                    Some(first) if *first != ix as u32 => {
                        let key = (Arc::clone(&draft.key), NEUTRAL);
                        groups.entry(key).or_insert_with(|| vec![*first]).push(ix as u32);
                    }
                    _ => {}
                }
            }
            self.live = std::mem::take(&mut self.load.by_key);
            return groups.into_iter().map(|((key, world), group)| (key, world, group)).collect();
        }
        for (ix, draft) in self.load.drafts.iter().enumerate().filter(|(_, d)| d.parent.is_none()) {
            let world = self.worlds.world(ix as u32);
            groups.entry((Arc::clone(&draft.key), world)).or_default().push(ix as u32);
        }
        // The first world keeps the key as it is; what belongs to none comes last.
        let mut keeps: BTreeMap<Arc<str>, u32> = BTreeMap::new();
        for (key, world) in groups.keys() {
            let slot = keeps.entry(Arc::clone(key)).or_insert(*world);
            if *slot == NEUTRAL {
                *slot = *world;
            }
        }
        let mut out = Vec::with_capacity(groups.len());
        for ((key, world), group) in groups {
            if keeps.get(&key) != Some(&world) {
                let name: Arc<str> = format!("{key}@{}", self.worlds.tags[world as usize]).into();
                for ix in &group {
                    self.keys[*ix as usize] = Arc::clone(&name);
                }
            }
            out.push((key, world, group));
        }
        out
    }

    /// Settles drafts that claim one key.
    fn versions(&mut self) {
        let n = self.load.drafts.len();
        self.fates = vec![Fate::Live; n];
        self.keys = self.load.drafts.iter().map(|d| Arc::clone(&d.key)).collect();
        let groups = self.claims();
        let mut duplicates: BTreeMap<Arc<str>, Counted> = BTreeMap::new();
        for draft in &self.load.repeats {
            let kind = Arc::clone(&self.load.drafts[*draft as usize].resource_type);
            duplicates.entry(kind).or_default().add(&self.keys[*draft as usize], "");
        }
        for (key, world, mut group) in groups {
            group.order_by_key(|ix| {
                let draft = &self.load.drafts[*ix as usize];
                (draft.file, draft.start)
            });
            let mut contents: Vec<(Vec<u8>, DraftIx)> = Vec::new();
            for ix in group {
                let content = tight(self.raw(ix));
                match contents.iter().find(|(known, _)| *known == content) {
                    Some((_, kept)) => {
                        self.fates[ix as usize] = Fate::SameAs(*kept);
                        let kind = Arc::clone(&self.load.drafts[ix as usize].resource_type);
                        duplicates.entry(kind).or_default().add(&key, "");
                    }
                    None => contents.push((content, ix)),
                }
            }
            self.choose(&key, world, contents);
        }
        for (kind, Counted { count, first }) in duplicates {
            let Some((source, location)) = first else { continue };
            self.diagnostics.push(Diagnostic {
                severity: Severity::Info,
                code: Code::Duplicate,
                source: source.to_string(),
                location,
                message: format!(
                    "{count} {kind} resources came more than once with the same content and were merged; this is the \
                     first"
                ),
            });
        }
    }

    /// Which of several contents of one key is the current one.
    fn choose(&mut self, key: &Arc<str>, world: u32, contents: Vec<(Vec<u8>, DraftIx)>) {
        let mut ranked: Vec<(String, DraftIx)> =
            contents.iter().map(|(content, ix)| (sha256_hex(content)[..32].to_owned(), *ix)).collect();
        ranked.order();
        let newer = |a: DraftIx, b: DraftIx| {
            let (a, b) = (&self.load.drafts[a as usize], &self.load.drafts[b as usize]);
            let by_time = match (&a.last_updated, &b.last_updated) {
                (Some(a), Some(b)) => a.order(b),
                _ => Order::Unknown,
            };
            match by_time {
                Order::After => true,
                Order::Before => false,
                Order::Same | Order::Unknown => matches!((a.version, b.version), (Some(a), Some(b)) if a > b),
            }
        };
        // Those that no other is newer than.
        let top: Vec<DraftIx> =
            ranked.iter().map(|(_, ix)| *ix).filter(|ix| !ranked.iter().any(|(_, other)| newer(*other, *ix))).collect();
        let first = top.first().copied().or(ranked.first().map(|(_, ix)| *ix));
        let Some(first) = first else { return };
        if self.worlds.several() {
            self.live_in.insert((Arc::clone(key), world), first);
        } else {
            self.live.insert(Arc::clone(key), first);
        }
        let key = Arc::clone(&self.keys[first as usize]);
        let ties = top.len().max(1);
        for (hash, ix) in &ranked {
            if *ix == first {
                continue;
            }
            self.keys[*ix as usize] = format!("{key}@sha256:{hash}").into();
            if !top.contains(ix) {
                self.fates[*ix as usize] = Fate::Superseded;
            }
        }
        let message = if ties > 1 {
            format!("{ties} different contents claim this key and nothing says which is current; all are kept")
        } else if ranked.len() > 1 {
            format!("{} versions of this source are in the load; the latest is current", ranked.len())
        } else {
            return;
        };
        if self.load.drafts[first as usize].reading == Reading::Opaque {
            // Nothing of it is evidence: counted.
            self.load.events.push(Event {
                severity: Severity::Info,
                code: Code::VersionConflict,
                about: Ok(first),
                location: String::new(),
                message: Cow::Borrowed("one key with different contents; all are kept"),
                counted: true,
            });
            return;
        }
        self.diagnostics.push(Diagnostic {
            severity: if ties > 1 { Severity::Warning } else { Severity::Info },
            code: Code::VersionConflict,
            source: key.to_string(),
            location: String::new(),
            message,
        });
    }

    /// Final keys and order of all sources.
    fn sources(&mut self) -> Vec<Source> {
        let n = self.load.drafts.len();
        for ix in 0..n {
            let Some(parent) = self.load.drafts[ix].parent else { continue };
            if let Fate::SameAs(kept) = self.fates[parent as usize] {
                // The contained resources of a merged copy follow it: the same position after the kept parent.
                self.fates[ix] = Fate::SameAs(kept + (ix as u32 - parent));
            } else if self.fates[parent as usize] == Fate::Superseded {
                self.fates[ix] = Fate::Superseded;
            }
            self.keys[ix] = format!("{}#{}", self.keys[parent as usize], self.load.drafts[ix].key).into();
        }
        let mut order: Vec<DraftIx> =
            (0..n as u32).filter(|ix| !matches!(self.fates[*ix as usize], Fate::SameAs(_))).collect();
        order.order_by(|a, b| {
            let by_key = self.keys[*a as usize].cmp(&self.keys[*b as usize]);
            by_key.then_with(|| self.raw(*a).cmp(self.raw(*b)))
        });
        // Contained resources of one parent may claim one id.
        for pair in 1..order.len() {
            let (before, this) = (order[pair - 1] as usize, order[pair] as usize);
            let same = {
                let (a, b) = (&self.keys[before], &self.keys[this]);
                a == b || b.len() < a.len() && a.starts_with(&**b) && a[b.len()..].starts_with("@again")
            };
            if same {
                self.keys[this] = format!("{}@again", self.keys[before]).into();
            }
        }
        self.places = vec![0; n];
        for (place, draft) in order.iter().enumerate() {
            self.places[*draft as usize] = place as u32;
        }
        for ix in 0..n {
            if let Fate::SameAs(kept) = self.fates[ix] {
                self.places[ix] = self.places[kept as usize];
            }
        }
        let mut sources: Vec<Source> = order
            .iter()
            .map(|ix| {
                let draft = &self.load.drafts[*ix as usize];
                Source {
                    key: Arc::clone(&self.keys[*ix as usize]),
                    resource_type: Arc::clone(&draft.resource_type),
                    file: draft.file,
                    start: draft.start,
                    end: draft.end,
                    place: draft.place,
                }
            })
            .collect();
        // Suffixes given above may have broken the order by a hair; they are rare.
        if !sources.is_sorted_by(|a, b| a.key <= b.key) {
            let mut by_key: Vec<usize> = (0..sources.len()).collect();
            by_key.order_by(|a, b| sources[*a].key.cmp(&sources[*b].key));
            let mut rank = vec![0_u32; by_key.len()];
            for (new, old) in by_key.iter().enumerate() {
                rank[*old] = new as u32;
            }
            for place in &mut self.places {
                *place = rank[*place as usize];
            }
            sources = by_key.into_iter().map(|old| sources[old].clone()).collect();
        }
        sources
    }

    /// The kept draft of a draft.
    fn kept(&self, draft: DraftIx) -> DraftIx {
        match self.fates.get(draft as usize) {
            Some(Fate::SameAs(kept)) => *kept,
            _ => draft,
        }
    }

    fn resolve(&mut self) {
        self.scope_references();
        let mut urls = std::mem::take(&mut self.load.full_urls);
        for url in &mut urls {
            url.2 = self.kept(url.2);
        }
        urls.order_by(|a, b| {
            (&a.0, a.1).cmp(&(&b.0, b.1)).then_with(|| self.places[a.2 as usize].cmp(&self.places[b.2 as usize]))
        });
        let in_urls = |reference: &Reference, scope: Option<u32>, world: u32| -> Option<DraftIx> {
            let text = &*reference.text;
            let from = urls.partition_point(|u| &*u.0 < text);
            let same: Vec<_> = urls[from..].iter().take_while(|u| &*u.0 == text).collect();
            let same: Vec<_> = same
                .into_iter()
                .filter(|u| self.may_lead(reference, u.2))
                .filter(|u| world == NEUTRAL || matches!(self.worlds.world(u.2), own if own == world || own == NEUTRAL))
                .collect();
            if let Some(own) = same.iter().find(|u| Some(u.1) == scope) {
                return Some(own.2);
            }
            let first = same.first()?.2;
            same.iter().all(|u| u.2 == first).then_some(first)
        };
        let queries = self.identifiers();
        let mut by_key: Vec<DraftIx> = Vec::new();
        let hashed = self.load.references.iter().any(|r| matches!(r.target, Target::Key) && r.text.contains('#'));
        if hashed {
            by_key = (0..self.keys.len() as u32).filter(|ix| self.kept(*ix) == *ix).collect();
            by_key.order_by(|a, b| self.keys[*a as usize].cmp(&self.keys[*b as usize]));
        }
        self.targets = self
            .load
            .references
            .iter()
            .enumerate()
            .map(|(ix, reference)| (self.used_in.get(ix).copied().unwrap_or(NEUTRAL), reference))
            .map(|(world, reference)| match &reference.target {
                Target::Direct(draft) => ((*draft as usize) < self.fates.len()).then(|| self.kept(*draft)),
                Target::Key => {
                    self.by_text(reference, world).or_else(|| in_urls(reference, None, world)).or_else(|| {
                        if !reference.text.contains('#') {
                            return None;
                        }
                        let at = by_key.binary_search_by(|ix| self.keys[*ix as usize].cmp(&reference.text)).ok()?;
                        Some(by_key[at])
                    })
                }
                Target::Full { scope } => in_urls(reference, Some(*scope), world),
                Target::Query { system, value } => {
                    let key = (Arc::clone(&reference.target_type), Arc::clone(system), Arc::clone(value));
                    queries.get(&key).copied().flatten()
                }
                Target::Text => None,
            })
            .collect();
    }

    /// Identifiers of the types that are referred to by identifier; `None` where two sources share one.
    fn identifiers(&self) -> Identifiers {
        let mut wanted: Vec<&str> = Vec::new();
        for reference in &self.load.references {
            if matches!(reference.target, Target::Query { .. }) && !wanted.contains(&&*reference.target_type) {
                wanted.push(&reference.target_type);
            }
        }
        let mut found = Identifiers::new();
        let any = wanted.contains(&"");
        if wanted.is_empty() {
            return found;
        }
        for (ix, draft) in self.load.drafts.iter().enumerate() {
            let typed = wanted.contains(&&*draft.resource_type);
            if !(typed || any) || self.fates[ix] != Fate::Live || draft.parent.is_some() {
                continue;
            }
            let raw = self.raw(ix as u32);
            let Ok(tape) = Tape::of(raw, 0) else { continue };
            let Some(list) = tape.root(raw).get("identifier") else { continue };
            for identifier in list.items() {
                let Some(value) = string(identifier, "value") else { continue };
                let system = string(identifier, "system").unwrap_or_default();
                for kind in [&*draft.resource_type, ""] {
                    for system in [system.as_ref(), ""] {
                        let slot = found.entry((kind.into(), system.into(), value.as_ref().into()));
                        slot.and_modify(|known| {
                            if *known != Some(ix as u32) {
                                *known = None;
                            }
                        })
                        .or_insert(Some(ix as u32));
                    }
                }
            }
        }
        found
    }

    fn target(&self, reference: RefIx) -> Option<DraftIx> {
        self.targets.get(reference.0 as usize).copied().flatten()
    }

    fn build(&mut self, record: &mut Record) {
        let owners = self.patients(record);
        let encounters = self.encounters(record, &owners);
        let stays = StaysOf::new(&record.stays);
        self.supersede();
        self.occurrences(record, &owners, &encounters, &stays);
        self.notes(record, &owners, &encounters, &stays);
    }

    /// The key of the patient a reference names; empty when it names none.
    fn patient_key(&self, reference: Option<RefIx>) -> Option<Arc<str>> {
        let reference = reference?;
        if let Some(draft) = self.target(reference) {
            let patient = self.load.drafts[draft as usize].reading == Reading::Patient;
            return patient.then(|| Arc::clone(&self.keys[draft as usize]));
        }
        let named = &self.load.references[reference.0 as usize];
        let person =
            matches!(&*named.target_type, "" | "Patient") && !matches!(named.target, Target::Direct(_) | Target::Text);
        if !person {
            return None;
        }
        if let Some(base) = &named.base
            && !(self.servers.is_empty() && self.named_servers.len() < 2)
        {
            return Some(format!("{}@{base}", named.text).into());
        }
        if self.worlds.several() && matches!(named.target, Target::Key) {
            let held = self.live_in.range((Arc::clone(&named.text), 0)..).next();
            let world = self.used_in.get(reference.0 as usize).copied().unwrap_or(NEUTRAL);
            if held.is_some_and(|((key, _), _)| *key == named.text) {
                return None;
            }
            return Some(match world {
                NEUTRAL => Arc::clone(&named.text),
                world => format!("{}@{}", named.text, self.worlds.tags[world as usize]).into(),
            });
        }
        Some(Arc::clone(&named.text))
    }

    /// Collects the patients of the load. Returns their index by reference, and that of "no patient".
    fn patients(&mut self, record: &mut Record) -> Owners {
        let mut named: BTreeMap<Arc<str>, Option<SourceIx>> = BTreeMap::new();
        for (ix, draft) in self.load.drafts.iter().enumerate() {
            if draft.reading == Reading::Patient && self.fates[ix] == Fate::Live {
                named.insert(Arc::clone(&self.keys[ix]), Some(SourceIx(self.places[ix])));
            }
        }
        let rows = self.load.rows.iter().map(|r| (r.occurrence.source, r.patient, r.encounter));
        let notes = self.load.notes.iter().map(|n| (n.note.source, n.patient, n.encounter));
        let encounters = self.load.encounters.iter().map(|e| (e.encounter.source, e.patient, None));
        let mut encounter_patient: FxHashMap<DraftIx, Option<RefIx>> = FxHashMap::default();
        for row in &self.load.encounters {
            encounter_patient.insert(row.encounter.source.0, row.patient);
        }
        let mut missing: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        let mut orphans = false;
        let mut known: FxHashMap<RefIx, Option<Arc<str>>> = FxHashMap::default();
        for (source, patient, encounter) in rows.chain(notes).chain(encounters) {
            if self.kept(source.0) != source.0 {
                continue;
            }
            let patient = patient.or_else(|| *encounter_patient.get(&self.target(encounter?)?)?);
            let key = match patient {
                Some(reference) => known.entry(reference).or_insert_with(|| self.patient_key(Some(reference))).clone(),
                None => None,
            };
            match key {
                Some(key) => {
                    if let std::collections::btree_map::Entry::Vacant(slot) = named.entry(Arc::clone(&key)) {
                        slot.insert(None);
                        missing.insert(key, 0);
                    }
                }
                None => orphans = true,
            }
        }
        if orphans {
            named.insert(Arc::clone(&self.nothing), None);
        }
        for key in missing.keys() {
            self.diagnostics.push(Diagnostic {
                severity: Severity::Warning,
                code: Code::DanglingReference,
                source: key.to_string(),
                location: String::new(),
                message: "rows name this patient, who is not in the load".to_owned(),
            });
        }
        record.patients = named.into_iter().map(|(key, source)| Patient { key, source }).collect();
        let index =
            |key: &str| record.patients.binary_search_by(|p| (*p.key).cmp(key)).ok().map(|ix| PatientIx(ix as u32));
        let mut by_reference: Vec<Option<PatientIx>> = vec![None; self.load.references.len()];
        // Order does not matter: every reference has its own slot.
        for (slot, reference) in by_reference.iter_mut().zip(0_u32..) {
            if let Some(Some(key)) = known.get(&RefIx(reference)) {
                *slot = index(key);
            }
        }
        Owners { by_reference, nobody: index("").unwrap_or(PatientIx(0)), encounter_patient }
    }

    fn owner(&self, owners: &Owners, patient: Option<RefIx>, encounter: Option<RefIx>) -> PatientIx {
        let by_encounter = || *owners.encounter_patient.get(&self.target(encounter?)?)?;
        let found = patient.or_else(by_encounter).and_then(|r| owners.by_reference[r.0 as usize]);
        found.unwrap_or(owners.nobody)
    }

    /// Encounters in final order; returns their index by draft.
    fn encounters(&mut self, record: &mut Record, owners: &Owners) -> Encounters {
        let mut rows = std::mem::take(&mut self.load.encounters);
        rows.retain(|row| !row.void && self.fates[row.encounter.source.0 as usize] == Fate::Live);
        for row in &mut rows {
            let draft = row.encounter.source.0 as usize;
            row.encounter.key = Arc::clone(&self.keys[draft]);
            row.encounter.patient = self.owner(owners, row.patient, None);
        }
        rows.order_by(|a, b| (a.encounter.patient, &a.encounter.key).cmp(&(b.encounter.patient, &b.encounter.key)));
        let mut by_draft: FxHashMap<DraftIx, EncounterIx> = FxHashMap::default();
        for (ix, row) in rows.iter().enumerate() {
            by_draft.insert(row.encounter.source.0, EncounterIx(ix as u32));
        }
        let mut part_of: Vec<Option<EncounterIx>> = Vec::with_capacity(rows.len());
        let mut diagnoses: FxHashMap<DraftIx, Option<EncounterIx>> = FxHashMap::default();
        for (ix, row) in rows.iter().enumerate() {
            let outer = row.part_of.and_then(|r| self.target(r)).and_then(|d| by_draft.get(&d)).copied();
            let same_patient = |outer: &EncounterIx| {
                rows[outer.0 as usize].encounter.patient == row.encounter.patient && outer.0 as usize != ix
            };
            part_of.push(outer.filter(same_patient));
            for condition in row.diagnoses.iter().filter_map(|r| self.target(*r)) {
                let own = Some(EncounterIx(ix as u32));
                let slot = diagnoses.entry(condition).or_insert(own);
                if *slot != own {
                    *slot = None;
                }
            }
        }
        self.cut_cycles(&mut part_of, &rows.iter().map(|r| Arc::clone(&r.encounter.key)).collect::<Vec<_>>());
        for (ix, mut row) in rows.into_iter().enumerate() {
            row.encounter.part_of = part_of[ix];
            row.encounter.source = SourceIx(self.places[row.encounter.source.0 as usize]);
            row.encounter.episodes = row
                .episodes
                .iter()
                .map(|r| match self.target(*r) {
                    Some(draft) => Arc::clone(&self.keys[draft as usize]),
                    None => Arc::clone(&self.load.references[r.0 as usize].text),
                })
                .collect();
            row.encounter.episodes.order();
            row.encounter.episodes.dedup();
            record.encounters.push(row.encounter);
        }
        record.stays = assign_stays(&mut record.encounters);
        let owner = record.encounters.iter().map(|e| e.patient).collect();
        Encounters { by_draft, diagnoses, owner }
    }

    /// An encounter cannot be part of itself by way of others.
    fn cut_cycles(&mut self, part_of: &mut [Option<EncounterIx>], keys: &[Arc<str>]) {
        // 0 unseen, 1 on the way, 2 settled
        let mut state = vec![0_u8; part_of.len()];
        for start in 0..part_of.len() {
            let mut path = Vec::new();
            let mut at = start;
            while state[at] == 0 {
                state[at] = 1;
                path.push(at);
                match part_of[at] {
                    Some(next) => at = next.0 as usize,
                    None => break,
                }
            }
            if state[at] == 1
                && let Some(last) = path.last()
                && part_of[*last].is_some_and(|n| n.0 as usize == at)
            {
                part_of[*last] = None;
                self.diagnostics.push(Diagnostic {
                    severity: Severity::Warning,
                    code: Code::TimeContradiction,
                    source: keys[*last].to_string(),
                    location: "/partOf".to_owned(),
                    message: "encounters are recorded as part of each other; one link was not used".to_owned(),
                });
            }
            for seen in path {
                state[seen] = 2;
            }
        }
    }

    /// Voids the rows of superseded versions and the notes that another in the load replaces.
    fn supersede(&mut self) {
        let mut replaced: FxHashMap<DraftIx, ()> = FxHashMap::default();
        for row in &self.load.replaces {
            let live = self.fates[row.successor as usize] == Fate::Live && !row.void;
            if let Some(target) = self.target(row.replaced).filter(|t| live && *t != row.successor) {
                replaced.insert(target, ());
            }
        }
        let reason =
            |word: &str, pointer: &str| Some(Box::new(StandingReason { word: word.into(), pointer: pointer.into() }));
        let version = |draft: DraftIx| {
            let draft = &self.load.drafts[draft as usize];
            match (&draft.last_updated, draft.version) {
                (Some(_), _) => "/meta/lastUpdated",
                (None, Some(_)) => "/meta/versionId",
                (None, None) => "",
            }
        };
        for row in &mut self.load.rows {
            let draft = row.occurrence.source.0;
            if self.fates[draft as usize] == Fate::Superseded {
                row.occurrence.standing = Standing::Void;
                row.occurrence.standing_reason = reason("superseded version", version(draft));
            }
        }
        let mut alone = Vec::new();
        for row in &mut self.load.notes {
            let draft = row.note.source.0;
            let marked = row.note.standing_reason.as_ref().is_some_and(|r| &*r.word == "superseded");
            if self.fates[draft as usize] == Fate::Superseded {
                row.note.standing = Standing::Void;
                row.note.standing_reason = reason("superseded version", version(draft));
            } else if replaced.contains_key(&draft) {
                row.note.standing = Standing::Void;
                row.note.standing_reason = reason("superseded", if marked { "/status" } else { "" });
            } else if marked && self.fates[draft as usize] == Fate::Live {
                alone.push(draft);
            }
        }
        alone.dedup();
        for draft in alone {
            self.load.events.push(Event {
                severity: Severity::Info,
                code: Code::SupersededAlone,
                about: Ok(draft),
                location: String::new(),
                message: Cow::Borrowed("marked superseded, but nothing in the load replaces it; still used"),
                counted: true,
            });
        }
    }

    fn dangling(&mut self, source: DraftIx, reference: RefIx) {
        let target = &self.load.references[reference.0 as usize];
        let kind = if target.target_type.is_empty() { "unknown" } else { &*target.target_type };
        self.load.events.push(Event {
            severity: Severity::Info,
            code: Code::DanglingReference,
            about: Ok(source),
            location: String::new(),
            message: Cow::Owned(format!("names a target of type {kind} that is not in the load")),
            counted: true,
        });
    }

    /// The encounter a row is bound to, and whether its own reference failed.
    fn binding(
        &mut self,
        source: DraftIx,
        patient: PatientIx,
        reference: Option<RefIx>,
        encounters: &Encounters,
    ) -> (Binding, bool) {
        let Some(reference) = reference else {
            let by_diagnosis = encounters.diagnoses.get(&source).copied().flatten();
            return match by_diagnosis.filter(|ix| encounters.owner[ix.0 as usize] == patient) {
                Some(ix) => (Binding::Recorded(ix), false),
                None => (Binding::Unknown, false),
            };
        };
        let Some(draft) = self.target(reference) else {
            self.dangling(source, reference);
            return (Binding::Unknown, true);
        };
        match encounters.by_draft.get(&draft).copied() {
            Some(ix) if encounters.owner[ix.0 as usize] == patient => (Binding::Recorded(ix), false),
            Some(_) => {
                self.load.events.push(Event {
                    severity: Severity::Warning,
                    code: Code::DanglingReference,
                    about: Ok(source),
                    location: String::new(),
                    message: Cow::Borrowed("names an encounter of another patient; read as encounter unknown"),
                    counted: true,
                });
                (Binding::Unknown, true)
            }
            // A void encounter, or a context that is no encounter.
            None => {
                let failed = &*self.load.drafts[draft as usize].resource_type == "Encounter";
                if failed && draft != source {
                    self.load.events.push(Event {
                        severity: Severity::Info,
                        code: Code::DanglingReference,
                        about: Ok(source),
                        location: String::new(),
                        message: Cow::Borrowed("names an encounter that did not take place; read as encounter unknown"),
                        counted: true,
                    });
                }
                (Binding::Unknown, failed)
            }
        }
    }

    fn no_patient(&mut self, source: DraftIx, patient: PatientIx, record: &Record) {
        if record.patients.get(patient.0 as usize).is_some_and(|p| p.key.is_empty()) {
            self.load.events.push(Event {
                severity: Severity::Warning,
                code: Code::NoPatient,
                about: Ok(source),
                location: String::new(),
                message: Cow::Borrowed("no patient is named; kept apart, never evidence"),
                counted: true,
            });
        }
    }

    fn occurrences(&mut self, record: &mut Record, owners: &Owners, encounters: &Encounters, stays: &StaysOf) {
        let rows = std::mem::take(&mut self.load.rows);
        // Specimens by draft: where their rows are.
        let mut collected: FxHashMap<DraftIx, Vec<Stamp>> = FxHashMap::default();
        for row in &rows {
            if row.occurrence.kind == chartproof_record::Kind::Specimen {
                let own = row.occurrence.times.iter().filter(|t| t.role == TimeRole::Collected);
                collected.insert(row.occurrence.source.0, own.cloned().collect());
            }
        }
        let mut borrowed: FxHashMap<(DraftIx, Arc<str>), Arc<Concept>> = FxHashMap::default();
        let mut out: Vec<Occurrence> = Vec::with_capacity(rows.len());
        for row in rows {
            let draft = row.occurrence.source.0;
            if matches!(self.fates[draft as usize], Fate::SameAs(_)) {
                continue;
            }
            let mut occurrence = row.occurrence;
            occurrence.source = SourceIx(self.places[draft as usize]);
            occurrence.id = OccurrenceId::new(&self.keys[draft as usize], &occurrence.pointer);
            occurrence.patient = self.owner(owners, row.patient, row.encounter);
            if occurrence.pointer.is_empty() {
                self.no_patient(draft, occurrence.patient, record);
            }
            if let Some(reference) = row.concept_ref {
                match self.target(reference) {
                    None => self.dangling(draft, reference),
                    Some(target) => {
                        if let Some(naming) = self.load.drafts[target as usize].naming.clone() {
                            let shown = Arc::clone(&occurrence.concept.label_pointer);
                            let key = (target, Arc::clone(&shown));
                            let place = SourceIx(self.places[target as usize]);
                            let own =
                                if shown.ends_with("/display") { Some(Arc::clone(&occurrence.concept)) } else { None };
                            let made = borrowed.entry(key).or_insert_with(|| {
                                Arc::new(match &own {
                                    Some(shown) => Concept { codings: naming.codings.clone(), ..(**shown).clone() },
                                    None => Concept { source: Some(place), ..(*naming).clone() },
                                })
                            });
                            // Two rows may show one medication by two displays.
                            occurrence.concept = match own {
                                Some(shown) if shown.label != made.label => {
                                    Arc::new(Concept { codings: naming.codings.clone(), ..(*shown).clone() })
                                }
                                _ => Arc::clone(made),
                            };
                        }
                    }
                }
            }
            if let Some(target) = row.specimen.and_then(|r| self.target(r)) {
                let role = TimeRole::Collected;
                if matches!(occurrence.kind, chartproof_record::Kind::Lab | chartproof_record::Kind::Culture)
                    && let Some(stamps) = collected.get(&target).filter(|s| !s.is_empty())
                {
                    occurrence.times.retain(|t| t.role != role);
                    let place = SourceIx(self.places[target as usize]);
                    let moved = stamps.iter().map(|s| Stamp { source: Some(place), ..s.clone() });
                    occurrence.times.splice(0..0, moved);
                }
                if let Some(named) = &self.load.drafts[target as usize].naming {
                    let detail = occurrence.detail.get_or_insert_default();
                    detail.specimen.get_or_insert_with(|| Arc::clone(&named.label));
                }
            }
            if let Some(target) = row.author.and_then(|r| self.target(r))
                && let Some(named) = &self.load.drafts[target as usize].naming
            {
                occurrence.detail.get_or_insert_default().author = Some(Arc::clone(&named.label));
            }
            for (link, reference) in row.link_refs {
                match self.target(reference) {
                    Some(target) => {
                        if let Some(link) = occurrence.links.get_mut(link as usize) {
                            link.target = Some(SourceIx(self.places[target as usize]));
                        }
                    }
                    None => self.dangling(draft, reference),
                }
            }
            let (binding, failed) = self.binding(draft, occurrence.patient, row.encounter, encounters);
            occurrence.encounter = binding;
            if binding == Binding::Unknown
                && !failed
                && let Some(at) = occurrence.occurred()
            {
                occurrence.encounter = stays.infer(&record.stays, occurrence.patient, &at.at);
            }
            out.push(occurrence);
        }
        // By source first, which is cheap and nearly the order by id; then by id, which is what is documented.
        out.order_by(|a, b| (a.patient, a.source).cmp(&(b.patient, b.source)).then_with(|| a.pointer.cmp(&b.pointer)));
        out.order_by(|a, b| a.patient.cmp(&b.patient).then_with(|| a.id.cmp(&b.id)));
        record.occurrences = out;
    }

    fn notes(&mut self, record: &mut Record, owners: &Owners, encounters: &Encounters, stays: &StaysOf) {
        let rows = std::mem::take(&mut self.load.notes);
        // Documents of which a text was read: what of them lies elsewhere is another form of it.
        let read: BTreeSet<u32> = rows.iter().filter(|r| r.binary.is_none()).map(|r| r.note.source.0).collect();
        let mut out: Vec<Note> = Vec::with_capacity(rows.len());
        for row in rows {
            let draft = row.note.source.0;
            if matches!(self.fates[draft as usize], Fate::SameAs(_)) {
                continue;
            }
            let mut note = row.note;
            note.source = SourceIx(self.places[draft as usize]);
            note.patient = self.owner(owners, row.patient, row.encounter);
            if let Some((reference, content_type)) = row.binary {
                match self.binary(reference, &content_type) {
                    Ok((target, text, decode)) => {
                        self.load.drafts[target as usize].reading = Reading::Read;
                        note.source = SourceIx(self.places[target as usize]);
                        note.pointer = "/data".into();
                        note.text = text.into();
                        note.decode = decode;
                    }
                    Err(message) => {
                        let missing = note.standing != Standing::Void && !read.contains(&draft);
                        self.load.events.push(Event {
                            severity: if missing { Severity::Warning } else { Severity::Info },
                            code: Code::UnreadAttachment,
                            about: Ok(draft),
                            location: note.pointer.to_string(),
                            message: Cow::Borrowed(message),
                            counted: false,
                        });
                        continue;
                    }
                }
            }
            if note.author.is_none()
                && let Some(target) = row.author.and_then(|r| self.target(r))
            {
                note.author = self.load.drafts[target as usize].naming.as_ref().map(|n| Arc::clone(&n.label));
            }
            self.no_patient(draft, note.patient, record);
            let (binding, failed) = self.binding(draft, note.patient, row.encounter, encounters);
            note.encounter = binding;
            let at = note.times.iter().find(|t| t.role == TimeRole::Documented);
            if binding == Binding::Unknown
                && !failed
                && let Some(at) = at
            {
                note.encounter = stays.infer(&record.stays, note.patient, &at.at);
            }
            out.push(note);
        }
        out.order_by(|a, b| (a.patient, a.source).cmp(&(b.patient, b.source)).then_with(|| a.pointer.cmp(&b.pointer)));
        record.notes = out;
    }

    /// The text of a `Binary` resource.
    fn binary(
        &self,
        reference: RefIx,
        content_type: &str,
    ) -> Result<(DraftIx, String, Vec<chartproof_record::Decode>), &'static str> {
        const ELSEWHERE: &str = "an attachment that is only named by its address was not read";
        let target = self.target(reference).ok_or(ELSEWHERE)?;
        let raw = self.raw(target);
        let tape = Tape::of(raw, 0).map_err(|_| ELSEWHERE)?;
        let node = tape.root(raw);
        let data = string(node, "data").ok_or(ELSEWHERE)?;
        let own_type = string(node, "contentType").unwrap_or_default();
        let content_type = if content_type.is_empty() { own_type.as_ref() } else { content_type };
        let (text, decode, _) = attachment_text(&data, content_type).map_err(Unread::message)?;
        Ok((target, text, decode))
    }

    /// Whether the load is known to be a part of something larger.
    fn completeness(&mut self) {
        let bundles = &self.load.bundles;
        let by_url: BTreeMap<&str, usize> =
            bundles.iter().enumerate().filter_map(|(i, b)| Some((b.own_url.as_deref()?, i))).collect();
        let is_next: Vec<&str> = bundles.iter().filter_map(|b| b.next_url.as_deref()).collect();
        for bundle in bundles {
            let searched = bundle.kind.as_deref() == Some("searchset");
            let mut incomplete = None;
            // Follow the pages that are in the load.
            let (mut page, mut seen, mut matches) = (bundle, 1, bundle.matches);
            while let Some(next) = page.next_url.as_deref() {
                match by_url.get(next) {
                    Some(ix) if seen <= bundles.len() => {
                        page = &bundles[*ix];
                        matches += page.matches;
                        seen += 1;
                    }
                    _ => {
                        incomplete = Some("the result goes on on a next page that is not in the load".to_owned());
                        break;
                    }
                }
            }
            let is_first = bundle.own_url.as_deref().is_none_or(|own| !is_next.contains(&own));
            if incomplete.is_none()
                && searched
                && is_first
                && let Some(total) = bundle.total.filter(|t| *t > matches)
            {
                incomplete = Some(format!("the result has {total} matches, of which {matches} are in the load"));
            }
            if let Some(message) = incomplete {
                let name = &self.load.files[bundle.file as usize].name;
                self.diagnostics.push(Diagnostic {
                    severity: Severity::Warning,
                    code: Code::IncompleteRecord,
                    source: name.to_string(),
                    location: "/link".to_owned(),
                    message,
                });
            }
        }
    }

    /// Turns what was noticed on the way into diagnostics: counted by type, or listed up to a limit.
    fn remarks(&mut self) {
        let mut counts: BTreeMap<Remark, Counted> = BTreeMap::new();
        let mut listed: BTreeMap<(Severity, Code, Arc<str>), Vec<Diagnostic>> = BTreeMap::new();
        for (ix, draft) in self.load.drafts.iter().enumerate() {
            if draft.reading == Reading::Opaque && !matches!(self.fates[ix], Fate::SameAs(_)) {
                let message = "kept as a source, not read".to_owned();
                let key = (Severity::Info, Code::OpaqueResource, Arc::clone(&draft.resource_type), message);
                let slot = counts.entry(key).or_default();
                slot.add(&self.keys[ix], "");
            }
        }
        for event in std::mem::take(&mut self.load.events) {
            let (kind, source) = match &event.about {
                Ok(draft) => {
                    if matches!(self.fates[*draft as usize], Fate::SameAs(_)) {
                        continue;
                    }
                    let kind = Arc::clone(&self.load.drafts[*draft as usize].resource_type);
                    (kind, Arc::clone(&self.keys[*draft as usize]))
                }
                Err(file) => (Arc::clone(file), Arc::clone(file)),
            };
            if event.counted {
                let slot = counts.entry((event.severity, event.code, kind, event.message.into_owned())).or_default();
                slot.add(&source, &event.location);
            } else {
                listed.entry((event.severity, event.code, kind)).or_default().push(Diagnostic {
                    severity: event.severity,
                    code: event.code,
                    source: source.to_string(),
                    location: event.location,
                    message: event.message.into_owned(),
                });
            }
        }
        for ((file, severity, code), count) in std::mem::take(&mut self.load.file_counts) {
            let shown = listed.get(&(severity, code, Arc::clone(&file))).map_or(0, |l| l.len().min(LISTED));
            if count > shown {
                self.diagnostics.push(Diagnostic {
                    severity,
                    code,
                    source: file.to_string(),
                    location: String::new(),
                    message: format!("{} more of this kind", count - shown),
                });
            }
        }
        for ((severity, code, kind, message), counted) in counts {
            let Some((source, location)) = counted.first else { continue };
            let message = match counted.count {
                1 => message,
                count => format!("{count} times in {kind} resources, the first here: {message}"),
            };
            self.diagnostics.push(Diagnostic { severity, code, source: source.to_string(), location, message });
        }
        for ((severity, code, kind), mut all) in listed {
            all.order();
            // What was said of files is counted above.
            let of_file = self.load.files.iter().any(|f| f.name == kind);
            let more = if of_file { 0 } else { all.len().saturating_sub(LISTED) };
            all.truncate(LISTED);
            self.diagnostics.extend(all);
            if more > 0 {
                self.diagnostics.push(Diagnostic {
                    severity,
                    code,
                    source: kind.to_string(),
                    location: String::new(),
                    message: format!("{more} more of this kind"),
                });
            }
        }
    }
}

/// What is counted as one: severity, code, resource type, message.
type Remark = (Severity, Code, Arc<str>, String);

/// How often something was remarked, and where first in the order of keys.
#[derive(Default)]
struct Counted {
    count: usize,
    first: Option<(Arc<str>, String)>,
}

impl Counted {
    fn add(&mut self, key: &Arc<str>, location: &str) {
        self.count += 1;
        let earlier = |known: &(Arc<str>, String)| (&**key, location) < (&*known.0, &known.1);
        if self.first.as_ref().is_none_or(earlier) {
            self.first = Some((Arc::clone(key), location.to_owned()));
        }
    }
}

/// Sources by type, identifier system and value; `None` where two share one.
type Identifiers = BTreeMap<(Arc<str>, Arc<str>, Arc<str>), Option<DraftIx>>;

struct Owners {
    by_reference: Vec<Option<PatientIx>>,
    nobody: PatientIx,
    encounter_patient: FxHashMap<DraftIx, Option<RefIx>>,
}

struct Encounters {
    by_draft: FxHashMap<DraftIx, EncounterIx>,
    /// The one encounter whose diagnosis a condition is.
    diagnoses: FxHashMap<DraftIx, Option<EncounterIx>>,
    owner: Vec<PatientIx>,
}

/// Stays of each patient with the latest end so far, to look at few stays for a time instead of all.
struct StaysOf {
    latest: Vec<i64>,
}

impl StaysOf {
    fn new(stays: &[Stay]) -> Self {
        let mut latest = Vec::with_capacity(stays.len());
        let mut so_far = i64::MIN;
        for (ix, stay) in stays.iter().enumerate() {
            if ix > 0 && stays[ix - 1].patient != stay.patient {
                so_far = i64::MIN;
            }
            so_far = so_far.max(stay.end.as_ref().map_or(i64::MAX, |end| end.sort_key().1));
            latest.push(so_far);
        }
        Self { latest }
    }

    fn infer(&self, stays: &[Stay], patient: PatientIx, time: &chartproof_record::ClinicalTime) -> Binding {
        // Wider than any difference of clocks that the comparison of times allows for.
        const SLACK: i64 = 2 * DAY_MS;
        let from = stays.partition_point(|s| s.patient < patient);
        let to = from + stays[from..].partition_point(|s| s.patient == patient);
        let (earliest, latest) = time.sort_key();
        let first = from + self.latest[from..to].partition_point(|end| *end < earliest - SLACK);
        let starts = |s: &Stay| s.start.as_ref().map_or(i64::MAX, |t| t.sort_key().0);
        let last = from + stays[from..to].partition_point(|s| starts(s) <= latest + SLACK);
        if first >= last {
            return Binding::Unknown;
        }
        infer(time, patient, &stays[first..last]).map_or(Binding::Unknown, Binding::Inferred)
    }
}
