//! The loop of Algorithm 1 up to the contract, one depth at a time. What is assessed in between is told back as
//! [`Feedback`]; nothing else of the assessment enters.

use chartproof_record::InOrder as _;
use std::collections::{BTreeMap, BTreeSet};

use chartproof_evidence::query::{Query, Relation, RelationKind, ScopeLevel};
use chartproof_evidence::{Candidate, Known, Truncated};
use chartproof_graph::EventGraph;
use chartproof_record::{OccurrenceIx, Order, PatientIx, Quoter, Record, StayIx};

use crate::anchors::{self, SlotMatches};
use crate::bind::{Binder, Group, Member, groups};
use crate::context::{Context, ContextStore, TextReader};
use crate::diffusion;
use crate::obligations::{self, Obligation, Owed, Side, State, cue_words};
use crate::policy::{Policy, RetrievalFailure, replan};
use crate::priority::{Signals, priority};

/// What the search looks at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The record.
    pub record: &'a Record,
    /// Its occurrences by id and source.
    pub known: &'a Known,
    /// Its event graph.
    pub graph: &'a EventGraph,
    /// Its contexts.
    pub store: &'a ContextStore,
    /// How text is read.
    pub reader: &'a dyn TextReader,
}

/// A candidate path: one group for each slot.
#[derive(Clone, Debug)]
struct Path {
    groups: Vec<usize>,
    /// Longest way between consecutive events; `None` when not connected within `d_max`.
    reach: Option<usize>,
    score: f64,
    seen: bool,
}

/// What one depth did.
#[derive(Clone, Debug, Default)]
pub struct Depth {
    /// Its number, from 1.
    pub depth: usize,
    /// Steps, in words.
    pub steps: Vec<String>,
    /// Retrieval queries: side, words, contexts found.
    pub retrievals: Vec<(Side, String, usize)>,
    /// The paths that were taken up: priority and representatives.
    pub paths: Vec<(f64, Vec<OccurrenceIx>)>,
    /// The failure that was named.
    pub failure: Option<RetrievalFailure>,
    /// The revision that followed.
    pub replan: Option<&'static str>,
}

/// What the assessment of the bundle so far means for the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// No tuple that was not seen can change the answer.
    pub resolved: bool,
    /// Slots with admitted evidence.
    pub met_events: BTreeSet<String>,
    /// Relations with evidence on the supporting side.
    pub met_support: BTreeSet<usize>,
    /// Relations with evidence on the refuting side.
    pub met_refute: BTreeSet<usize>,
}

/// Candidates left that are still listed after the answer is resolved.
const LISTING_SWEEP: usize = 64;

/// A running search.
pub struct Search {
    query: Query,
    matches: Vec<SlotMatches>,
    groups: Vec<Group>,
    paths: Vec<Path>,
    paths_seen: usize,
    paths_total: usize,
    contracted: BTreeSet<usize>,
    /// Members that were bound, with their slot.
    bound: BTreeSet<(usize, Member)>,
    /// What each retrieval query found: side, words, how many.
    retrieved: Vec<(Side, String, usize)>,
    /// Best lexical score of a sentence over all retrieval queries, by sentence.
    relevance: BTreeMap<usize, f64>,
    /// Width of the expansion that the paths were ranked with.
    ranked_with: usize,
    obligations: Vec<Obligation>,
    policy: Policy,
    revisions: usize,
    depths: Vec<Depth>,
    resolved: bool,
}

impl Search {
    /// `InitObligations`, `InitPolicy`, `Anchors`: enumerates what the slots match and lists the candidate paths.
    pub fn start(view: View<'_>, query: &Query, patient: PatientIx) -> Self {
        let policy = Policy::initial();
        let matches = anchors::anchors(view.record, view.store, view.reader, query, patient);
        let groups = groups(view.record, view.store, query, &matches);
        let mut search = Self {
            query: query.clone(),
            matches,
            groups,
            paths: Vec::new(),
            paths_seen: 0,
            paths_total: 0,
            contracted: BTreeSet::new(),
            bound: BTreeSet::new(),
            retrieved: Vec::new(),
            relevance: BTreeMap::new(),
            ranked_with: 0,
            obligations: obligations::init(query),
            policy,
            revisions: 0,
            depths: Vec::new(),
            resolved: false,
        };
        search.retrieve(view);
        search.list_paths();
        search.rank_paths(view);
        search
    }

    fn binder<'a>(&'a self, view: View<'a>) -> Binder<'a> {
        Binder {
            record: view.record,
            known: view.known,
            store: view.store,
            query: &self.query,
            matches: &self.matches,
            quoter: Quoter::of(view.record),
        }
    }

    /// The product of the slots' groups inside the scope, up to the limit.
    fn list_paths(&mut self) {
        let by_slot: Vec<Vec<usize>> = (0..self.query.slots.len())
            .map(|slot| (0..self.groups.len()).filter(|g| self.groups[*g].slot == slot).collect())
            .collect();
        let one_stay = self.query.scope.level == ScopeLevel::Encounter;
        let mut partial: Vec<Vec<usize>> = vec![Vec::new()];
        let mut total = 1_usize;
        for choices in &by_slot {
            let mut next = Vec::new();
            let mut count = 0_usize;
            for path in &partial {
                for group in choices {
                    let fits = !one_stay
                        || path.iter().all(|g| same_or_unknown(self.groups[*g].stay, self.groups[*group].stay));
                    if !fits {
                        continue;
                    }
                    count += 1;
                    if next.len() < self.policy.candidates_max {
                        next.push(path.iter().copied().chain([*group]).collect());
                    }
                }
            }
            partial = next;
            total = count;
            if partial.is_empty() {
                break;
            }
        }
        self.paths_total = if self.groups.is_empty() { 0 } else { total };
        let whole = |p: &Vec<usize>| p.len() == self.query.slots.len() && !p.is_empty();
        let path = |groups| Path { groups, reach: None, score: 0.0, seen: false };
        self.paths = partial.into_iter().filter(whole).map(path).collect();
    }

    /// `Expand`: distances, diffusion and priorities of the paths over the neighbourhood that the policy allows.
    fn rank_paths(&mut self, view: View<'_>) {
        self.ranked_with = self.policy.neighbours;
        let representatives: Vec<OccurrenceIx> = self.groups.iter().filter_map(Group::representative).collect();
        let near = diffusion::expand(view.graph, &representatives, &self.policy);
        let ranks = near.diffuse(&representatives, &self.policy);
        let mut distances: BTreeMap<OccurrenceIx, Vec<u8>> = BTreeMap::new();
        let mut paths = std::mem::take(&mut self.paths);
        for path in &mut paths {
            let ends: Vec<Option<OccurrenceIx>> =
                path.groups.iter().map(|g| self.groups[*g].representative()).collect();
            let mut reach = Some(0);
            for pair in ends.windows(2) {
                let step = pair[0].zip(pair[1]).and_then(|(a, b)| {
                    let depth_max = self.policy.depth_max;
                    near.step(distances.entry(a).or_insert_with(|| near.distances(a, depth_max)), b)
                });
                reach = reach.zip(step).map(|(a, b): (usize, usize)| a.max(b));
            }
            path.reach = reach;
            path.score = priority(&self.signals(view, &path.groups, reach, &ranks), &self.policy);
        }
        // Highest priority first; ties by occurrence id.
        let ids = |p: &Path| -> Vec<String> {
            p.groups
                .iter()
                .map(|g| {
                    self.groups[*g]
                        .representative()
                        .map_or_else(String::new, |r| view.record.occurrences[r.0 as usize].id.to_string())
                })
                .collect()
        };
        let mut keyed: Vec<(Vec<String>, Path)> = paths.into_iter().map(|p| (ids(&p), p)).collect();
        keyed.order_by(|a, b| {
            b.1.score.total_cmp(&a.1.score).then_with(|| (&a.0, &a.1.groups).cmp(&(&b.0, &b.1.groups)))
        });
        self.paths = keyed.into_iter().map(|(_, p)| p).collect();
    }

    /// The words of the aligned and counter queries, by side.
    fn retrieval_queries(&self) -> Vec<(Side, String)> {
        let names = |slot: &str| -> Vec<String> {
            let slot = self.query.slots.iter().find(|s| s.id == slot);
            slot.map(|s| {
                s.concept
                    .any_of
                    .iter()
                    .flat_map(|t| chartproof_terms::expand(&t.text).words.into_iter().take(6))
                    .collect()
            })
            .unwrap_or_default()
        };
        let mut out = Vec::new();
        for relation in &self.query.relations {
            let mut words = names(&relation.subject);
            words.extend(relation.object.as_deref().map(names).unwrap_or_default());
            for side in [Side::Aligned, Side::Counter] {
                let query = format!("{} {}", words.join(" "), cue_words(relation.kind, side));
                if !out.contains(&(side, query.clone())) {
                    out.push((side, query));
                }
            }
        }
        out
    }

    /// `TwoSidedRetrieve`: the aligned and the counter queries over all contexts.
    fn retrieve(&mut self, view: View<'_>) {
        for (side, words) in self.retrieval_queries() {
            let hits = view.store.search(&words, self.policy.contexts * 8);
            self.retrieved.push((side, words, hits.len().min(self.policy.contexts)));
            let best = hits.first().map_or(1.0, |(_, s)| *s).max(f64::MIN_POSITIVE);
            for (context, score) in hits {
                if let Context::Sentence(sentence) = context {
                    let entry = self.relevance.entry(sentence as usize).or_insert(0.0);
                    *entry = entry.max(score / best);
                }
            }
        }
    }

    fn signals(
        &self,
        view: View<'_>,
        groups: &[usize],
        reach: Option<usize>,
        ranks: &BTreeMap<OccurrenceIx, f64>,
    ) -> Signals {
        let groups: Vec<&Group> = groups.iter().map(|g| &self.groups[*g]).collect();
        let mean = |values: Vec<f64>| {
            if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
        };
        let row = |ix: OccurrenceIx| &view.record.occurrences[ix.0 as usize];
        let rows: Vec<OccurrenceIx> = groups.iter().filter_map(|g| g.representative()).collect();
        let complete = |g: &&Group| {
            let timed = g.representative().is_some_and(|r| row(r).occurred().is_some());
            (f64::from(u8::from(timed)) + f64::from(u8::from(g.stay.is_some()))) / 2.0
        };
        let relevance = groups
            .iter()
            .flat_map(|g| &g.members)
            .filter_map(|m| match m {
                Member::Span(sentence, _) => self.relevance.get(sentence).copied(),
                _ => None,
            })
            .fold(0.25, f64::max);
        let transitions: Vec<f64> =
            self.query.relations.iter().map(|r| f64::from(u8::from(self.can_be_examined(view, &groups, r)))).collect();
        Signals {
            diffusion: mean(rows.iter().map(|r| ranks.get(r).copied().unwrap_or(0.0)).collect()),
            compactness: reach.map_or(0.0, |d| 1.0 / (1.0 + d as f64 / 2.0)),
            relevance,
            completeness: mean(groups.iter().map(complete).collect()),
            temporal: self.temporal(view, &groups),
            kinds: mean(groups.iter().map(|g| self.kind_signal(view, g)).collect()),
            coverage: (self.query.relations.len() > 1).then(|| mean(transitions)),
        }
    }

    /// Eq. 3: whether a transition has times, a sentence on both events, or a trajectory to be examined by; not
    /// whether these support it.
    fn can_be_examined(&self, view: View<'_>, groups: &[&Group], relation: &Relation) -> bool {
        let of = |slot: &str| {
            let at = self.query.slots.iter().position(|s| s.id == slot)?;
            groups.iter().find(|g| g.slot == at).copied()
        };
        let Some(subject) = of(&relation.subject) else { return false };
        let Some(object) = relation.object.as_deref().and_then(of) else { return !subject.members.is_empty() };
        let timed =
            |g: &Group| g.representative().is_some_and(|r| view.record.occurrences[r.0 as usize].occurred().is_some());
        let told = |m: &Member| matches!(m, Member::Span(..)) && object.members.contains(m);
        let measured = |m: &Member| matches!(m, Member::Trajectory(_) | Member::Numbers(_));
        (timed(subject) && timed(object)) || subject.members.iter().any(|m| told(m) || measured(m))
    }

    fn kind_signal(&self, view: View<'_>, group: &Group) -> f64 {
        let kind = self.query.slots[group.slot].kind;
        let fits = |r: OccurrenceIx| anchors::kind_fits(kind, view.record.occurrences[r.0 as usize].kind);
        if group.representative().is_some_and(fits) { 1.0 } else { 0.5 }
    }

    fn temporal(&self, view: View<'_>, groups: &[&Group]) -> f64 {
        let time = |slot: &str| {
            let at = self.query.slots.iter().position(|s| s.id == slot)?;
            let row = groups.iter().find(|g| g.slot == at)?.representative()?;
            view.record.occurrences[row.0 as usize].occurred().map(|s| &s.at)
        };
        let mut least: f64 = 1.0;
        for relation in &self.query.relations {
            let Some(object) = &relation.object else { continue };
            let order = time(&relation.subject).zip(time(object)).map_or(Order::Unknown, |(a, b)| a.order(b));
            let fit = match (relation.kind, order) {
                (_, Order::Unknown | Order::Same) => 0.5,
                (RelationKind::Before, Order::Before) => 1.0,
                (RelationKind::Before, Order::After) => 0.0,
                (_, Order::After) => 1.0,
                (RelationKind::SameEncounter, Order::Before) => 1.0,
                (_, Order::Before) => 0.0,
            };
            least = least.min(fit);
        }
        least
    }

    /// One depth: `Expand`, `TwoSidedRetrieve`, `BindDedup`, `CandidateCheck`, `TopB`. Returns the candidates of
    /// the paths that were taken up, for the contract.
    pub fn depth(&mut self, view: View<'_>) -> Vec<Candidate> {
        let number = self.depths.len() + 1;
        let mut depth = Depth { depth: number, retrievals: self.retrieved.clone(), ..Depth::default() };
        let sweep = self.resolved;
        if self.policy.neighbours != self.ranked_with {
            self.rank_paths(view);
        }
        // What earlier depths left of the budget is not lost.
        let take = if sweep { LISTING_SWEEP } else { (number * self.policy.paths).saturating_sub(self.paths_seen) };
        let bridge = self.policy.unconnected || number >= self.policy.depth_max || sweep;
        let eligible: Vec<usize> = (0..self.paths.len())
            .filter(|p| !self.paths[*p].seen && (bridge || self.paths[*p].reach.is_some_and(|d| d <= number)))
            .take(take)
            .collect();
        depth.steps.push(format!(
            "expand: {} of {} candidate paths within {number} steps",
            eligible.len(),
            self.paths.len()
        ));
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        for path in eligible {
            let path = &mut self.paths[path];
            path.seen = true;
            self.paths_seen += 1;
            taken.extend(&path.groups);
            let ends = path.groups.iter().filter_map(|g| self.groups[*g].representative()).collect();
            depth.paths.push((path.score, ends));
        }
        // Events that are on no path still are evidence: a lone event, or one whose partner is elsewhere.
        if self.paths.iter().all(|p| p.seen) {
            taken.extend((0..self.groups.len()).take(self.policy.candidates_max));
        }
        let fresh: Vec<usize> = taken.into_iter().filter(|g| !self.contracted.contains(g)).collect();
        let mut bound = std::mem::take(&mut self.bound);
        let mut binder = self.binder(view);
        let mut candidates = binder.candidates(fresh.iter().map(|g| &self.groups[*g]), &mut bound);
        if depth.depth == 1 {
            candidates.extend(binder.other_patients());
        }
        depth.steps.push(format!("bind: {} items from {} events", candidates.len(), fresh.len()));
        self.bound = bound;
        self.contracted.extend(fresh);
        self.depths.push(depth);
        candidates
    }

    /// `UpdateObligations`, `StructuredFailure`, `Replan`, `Frontier`; `true` when another depth follows.
    pub fn feedback(&mut self, feedback: &Feedback) -> bool {
        let all_seen = self.contracted.len() == self.groups.len();
        for obligation in &mut self.obligations {
            let met = match &obligation.what {
                Owed::Event(slot) => feedback.met_events.contains(slot),
                Owed::Relation(relation, Side::Aligned) => feedback.met_support.contains(relation),
                Owed::Relation(relation, Side::Counter) => feedback.met_refute.contains(relation),
            };
            obligation.state = match (met, all_seen) {
                (true, _) => State::Met,
                (false, true) => State::Exhausted,
                (false, false) => State::Open,
            };
        }
        if all_seen {
            return false;
        }
        let left = self.paths.iter().filter(|p| !p.seen).count();
        if feedback.resolved {
            // Nothing unseen can change the answer; a short rest is still listed.
            let sweep = !self.resolved && left <= LISTING_SWEEP;
            self.resolved = true;
            return sweep;
        }
        if self.depths.len() >= self.policy.depth_max {
            return false;
        }
        if let Some(failure) = self.structured_failure(left) {
            let (next, what) = if self.revisions < self.policy.revisions_max {
                self.revisions += 1;
                let (next, what) = replan(&self.policy, &failure);
                (next, Some(what))
            } else {
                (self.policy.clone(), None)
            };
            self.policy = next;
            if let Some(depth) = self.depths.last_mut() {
                depth.failure = Some(failure);
                depth.replan = what;
            }
        }
        true
    }

    fn structured_failure(&self, left: usize) -> Option<RetrievalFailure> {
        let open = |o: &&Obligation| o.state == State::Open;
        if self.paths.is_empty() {
            return Some(RetrievalFailure::NoCandidate);
        }
        let event = self.obligations.iter().filter(open).find_map(|o| match &o.what {
            Owed::Event(slot) => Some(RetrievalFailure::EventOpen(slot.clone())),
            Owed::Relation(..) => None,
        });
        if event.is_some() {
            return event;
        }
        if left > 0 && self.paths.iter().filter(|p| !p.seen).all(|p| p.reach.is_none()) {
            return Some(RetrievalFailure::Unconnected);
        }
        self.obligations.iter().filter(open).find_map(|o| match &o.what {
            Owed::Relation(relation, Side::Aligned) => Some(RetrievalFailure::RelationOpen(*relation)),
            _ => None,
        })
    }

    /// Whether every matching occurrence and statement was bound; else the limit that was reached.
    pub fn completeness(&self) -> Result<(), Truncated> {
        if self.contracted.len() == self.groups.len() && self.paths_total <= self.policy.candidates_max {
            return Ok(());
        }
        Err(Truncated { what: "candidate paths".to_owned(), limit: self.paths_seen, seen: self.paths_total })
    }

    /// Number of matching occurrences and statements of each slot.
    pub fn matched(&self) -> Vec<(String, usize)> {
        self.matches.iter().map(|m| (m.slot.clone(), m.rows.len() + m.mentions.len())).collect()
    }

    /// The obligations as they stand.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// What was done.
    pub fn depths(&self) -> &[Depth] {
        &self.depths
    }

    /// The policy as it stands.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }
}

fn same_or_unknown(a: Option<StayIx>, b: Option<StayIx>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}
