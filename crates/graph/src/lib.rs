//! The patient event graph: an index for search, never evidence.
//!
//! Nodes are occurrences (void ones left out). Edges are undirected and exactly of four kinds, each recorded or
//! derived by a fixed rule; there is no edge for a reason, a cause, an adverse event or anything a model concluded.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use chartproof_record::{Kind, LinkKind, Occurrence, OccurrenceIx, Record, SourceIx, Standing, StayIx};
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef as _;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Kind of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EdgeKind {
    /// Neighbours in time within an outermost stay.
    TimeAdj,
    /// The last event of a stay and the first of the patient's next one.
    EncAdj,
    /// Consecutive occurrences of one concept: also the numerical trajectory.
    SameConcept,
    /// A recorded reference between rows (order, dispense, administration; specimen, result, report; part-of).
    RecordedRef,
}

impl EdgeKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::TimeAdj, Self::EncAdj, Self::SameConcept, Self::RecordedRef];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeAdj => "TIME_ADJ",
            Self::EncAdj => "ENC_ADJ",
            Self::SameConcept => "SAME_CONCEPT",
            Self::RecordedRef => "RECORDED_REF",
        }
    }
}

/// The graph of all patients of a record; no edge joins two patients.
#[derive(Clone, Debug, Default)]
pub struct EventGraph {
    graph: UnGraph<OccurrenceIx, EdgeKind>,
    /// Node of an occurrence, by occurrence index.
    nodes: Vec<Option<NodeIndex>>,
    counts: BTreeMap<EdgeKind, usize>,
}

/// Builds the graph.
pub fn build(record: &Record) -> EventGraph {
    let n = record.occurrences.len();
    let mut out = EventGraph { graph: UnGraph::with_capacity(n, n * 3), nodes: vec![None; n], counts: BTreeMap::new() };
    for (ix, occurrence) in record.occurrences.iter().enumerate() {
        if occurrence.standing != Standing::Void {
            out.nodes[ix] = Some(out.graph.add_node(OccurrenceIx(ix as u32)));
        }
    }
    let timed = in_time_order(record, &out.nodes);
    add_time_edges(record, &timed, &mut out);
    add_concept_edges(record, &timed, &mut out);
    add_reference_edges(record, &mut out);
    out
}

/// Occurrences with a node and a time, by patient, time, then id.
fn in_time_order(record: &Record, nodes: &[Option<NodeIndex>]) -> Vec<(u32, i64, OccurrenceIx)> {
    let mut timed: Vec<(u32, i64, OccurrenceIx)> = record
        .occurrences
        .iter()
        .enumerate()
        .filter(|(ix, _)| nodes[*ix].is_some())
        .filter_map(|(ix, o)| Some((o.patient.0, o.listed_at()?.sort_key().0, OccurrenceIx(ix as u32))))
        .collect();
    timed.sort_unstable();
    timed
}

fn add_time_edges(record: &Record, timed: &[(u32, i64, OccurrenceIx)], out: &mut EventGraph) {
    let mut last: Vec<Option<OccurrenceIx>> = vec![None; record.stays.len()];
    let mut first: Vec<Option<OccurrenceIx>> = vec![None; record.stays.len()];
    for (_, _, ix) in timed {
        let occurrence = &record.occurrences[ix.0 as usize];
        if occurrence.kind == Kind::Encounter {
            continue;
        }
        let Some(StayIx(stay)) = record.stay_of(occurrence.encounter) else { continue };
        match last[stay as usize].replace(*ix) {
            Some(before) => out.join(before, *ix, EdgeKind::TimeAdj),
            None => first[stay as usize] = Some(*ix),
        }
    }
    // Stays are sorted by patient and start.
    let mut before: Option<(u32, OccurrenceIx)> = None;
    for (stay, record_stay) in record.stays.iter().enumerate() {
        let patient = record_stay.patient.0;
        if let (Some((p, end)), Some(start)) = (before, first[stay])
            && p == patient
        {
            out.join(end, start, EdgeKind::EncAdj);
        }
        before = last[stay].map(|ix| (patient, ix)).or(before.filter(|(p, _)| *p == patient));
    }
}

/// What makes two occurrences one concept: kind and first code, else kind and lower-case label.
fn concept_key(occurrence: &Occurrence) -> Option<(Kind, &str, &str)> {
    let concept = &occurrence.concept;
    match concept.codings.iter().find(|c| !c.code.is_empty()) {
        Some(coding) => Some((occurrence.kind, &coding.system, &coding.code)),
        None => (!concept.label.is_empty()).then(|| (occurrence.kind, "", &*concept.label)),
    }
}

fn add_concept_edges(record: &Record, timed: &[(u32, i64, OccurrenceIx)], out: &mut EventGraph) {
    let mut last: FxHashMap<(u32, (Kind, &str, &str)), OccurrenceIx> = FxHashMap::default();
    for (patient, _, ix) in timed {
        let occurrence = &record.occurrences[ix.0 as usize];
        if occurrence.kind == Kind::Encounter {
            continue;
        }
        let Some(key) = concept_key(occurrence) else { continue };
        if let Some(before) = last.insert((*patient, key), *ix) {
            out.join(before, *ix, EdgeKind::SameConcept);
        }
    }
}

fn add_reference_edges(record: &Record, out: &mut EventGraph) {
    if record.occurrences.iter().all(|o| o.links.is_empty()) {
        return;
    }
    let mut by_source: FxHashMap<SourceIx, OccurrenceIx> = FxHashMap::default();
    for (ix, occurrence) in record.occurrences.iter().enumerate() {
        by_source.entry(occurrence.source).or_insert(OccurrenceIx(ix as u32));
    }
    for (ix, occurrence) in record.occurrences.iter().enumerate() {
        for link in occurrence.links.iter().filter(|l| l.kind == LinkKind::RecordedRef) {
            let target = link.target.and_then(|t| by_source.get(&t).copied());
            if let Some(target) = target.filter(|t| record.occurrences[t.0 as usize].patient == occurrence.patient) {
                out.join(OccurrenceIx(ix as u32), target, EdgeKind::RecordedRef);
            }
        }
    }
}

impl EventGraph {
    fn join(&mut self, a: OccurrenceIx, b: OccurrenceIx, kind: EdgeKind) {
        if a == b {
            return;
        }
        if let (Some(a), Some(b)) = (self.nodes[a.0 as usize], self.nodes[b.0 as usize]) {
            self.graph.add_edge(a, b, kind);
            *self.counts.entry(kind).or_default() += 1;
        }
    }

    /// How many nodes.
    pub fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    /// How many edges of each kind.
    pub fn edge_counts(&self) -> &BTreeMap<EdgeKind, usize> {
        &self.counts
    }

    /// Whether the occurrence is a node.
    pub fn contains(&self, ix: OccurrenceIx) -> bool {
        self.nodes.get(ix.0 as usize).is_some_and(Option::is_some)
    }

    /// Neighbours with the kind of edge, sorted by occurrence, then kind.
    pub fn neighbours(&self, ix: OccurrenceIx) -> Vec<(OccurrenceIx, EdgeKind)> {
        let Some(node) = self.nodes.get(ix.0 as usize).copied().flatten() else { return Vec::new() };
        let mut out: Vec<(OccurrenceIx, EdgeKind)> = self
            .graph
            .edges(node)
            .map(|edge| {
                let other = if edge.source() == node { edge.target() } else { edge.source() };
                (self.graph[other], *edge.weight())
            })
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The graph of one record as plain data, for inspection: nodes by id with their attributes, edges by id pair.
    pub fn export(&self, record: &Record) -> Exported {
        let id = |ix: OccurrenceIx| record.occurrences[ix.0 as usize].id.0.to_string();
        let nodes = self.graph.node_weights().map(|ix| {
            let o = &record.occurrences[ix.0 as usize];
            ExportedNode {
                id: id(*ix),
                kind: o.kind,
                label: o.label().to_owned(),
                time: o.listed_at().map(chartproof_record::ClinicalTime::display),
                stay: record.stay_of(o.encounter).map(|s| record.stays[s.0 as usize].key.to_string()),
            }
        });
        let mut edges: Vec<(String, String, EdgeKind)> = self
            .graph
            .edge_references()
            .map(|e| {
                let (a, b) = (id(self.graph[e.source()]), id(self.graph[e.target()]));
                if a <= b { (a, b, *e.weight()) } else { (b, a, *e.weight()) }
            })
            .collect();
        edges.sort();
        Exported { nodes: nodes.collect(), edges }
    }
}

/// A graph as plain data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exported {
    /// Nodes in record order.
    pub nodes: Vec<ExportedNode>,
    /// Edges, each id pair in byte order.
    pub edges: Vec<(String, String, EdgeKind)>,
}

/// A node as plain data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExportedNode {
    /// Occurrence id.
    pub id: String,
    /// Kind.
    pub kind: Kind,
    /// Name.
    pub label: String,
    /// Time as shown.
    pub time: Option<String>,
    /// Stay key: membership is an attribute, not an edge.
    pub stay: Option<String>,
}
