//! Distances and personalised PageRank over a bounded neighbourhood of the anchors. Cost: `horizon` events times
//! `K` neighbours times the iterations.

use std::collections::{BTreeMap, VecDeque};

use chartproof_graph::EventGraph;
use chartproof_record::OccurrenceIx;

use crate::policy::Policy;

/// The neighbourhood of the anchors that diffusion works on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbourhood {
    /// Occurrences in order of arrival, with their neighbours by position.
    nodes: Vec<OccurrenceIx>,
    place: BTreeMap<OccurrenceIx, usize>,
    edges: Vec<Vec<usize>>,
    /// Whether the horizon cut it.
    pub cut: bool,
}

/// `Expand`: collects up to `horizon` events within `d_max` steps of the anchors, `K` neighbours each.
pub(crate) fn expand(graph: &EventGraph, anchors: &[OccurrenceIx], policy: &Policy) -> Neighbourhood {
    let mut out = Neighbourhood::default();
    let mut queue: VecDeque<(OccurrenceIx, usize)> = VecDeque::new();
    for anchor in anchors.iter().filter(|a| graph.contains(**a)) {
        if out.place.contains_key(anchor) || out.nodes.len() >= policy.horizon {
            continue;
        }
        out.place.insert(*anchor, out.nodes.len());
        out.nodes.push(*anchor);
        queue.push_back((*anchor, 0));
    }
    while let Some((node, distance)) = queue.pop_front() {
        if distance >= policy.depth_max {
            continue;
        }
        for (next, _) in graph.neighbours(node).into_iter().take(policy.neighbours) {
            if out.place.contains_key(&next) {
                continue;
            }
            if out.nodes.len() >= policy.horizon {
                out.cut = true;
                break;
            }
            out.place.insert(next, out.nodes.len());
            out.nodes.push(next);
            queue.push_back((next, distance + 1));
        }
    }
    out.edges = out
        .nodes
        .iter()
        .map(|node| {
            let near = graph.neighbours(*node).into_iter().take(policy.neighbours);
            near.filter_map(|(next, _)| out.place.get(&next).copied()).collect()
        })
        .collect();
    out
}

impl Neighbourhood {
    /// Personalised PageRank of its events with restarts at the anchors, divided by the greatest.
    pub(crate) fn diffuse(&self, anchors: &[OccurrenceIx], policy: &Policy) -> BTreeMap<OccurrenceIx, f64> {
        let n = self.nodes.len();
        let seeds: Vec<usize> = anchors.iter().filter_map(|a| self.place.get(a).copied()).collect();
        if n == 0 || seeds.is_empty() {
            return BTreeMap::new();
        }
        let mut restart = vec![0.0; n];
        for seed in &seeds {
            restart[*seed] += 1.0 / seeds.len() as f64;
        }
        let mut rank = restart.clone();
        for _ in 0..policy.iterations {
            let mut next = vec![0.0; n];
            let mut lost = 0.0;
            for (node, near) in self.edges.iter().enumerate() {
                if near.is_empty() {
                    lost += rank[node];
                    continue;
                }
                let share = rank[node] / near.len() as f64;
                for to in near {
                    next[*to] += share;
                }
            }
            for (value, seed) in next.iter_mut().zip(&restart) {
                *value = policy.damping * (*value + lost * seed) + (1.0 - policy.damping) * seed;
            }
            rank = next;
        }
        let most = rank.iter().copied().fold(0.0, f64::max);
        self.nodes.iter().copied().zip(rank.into_iter().map(|r| if most > 0.0 { r / most } else { 0.0 })).collect()
    }

    /// Steps from one event to all others of the neighbourhood, up to `d_max`; read it with [`Neighbourhood::step`].
    pub(crate) fn distances(&self, from: OccurrenceIx, depth_max: usize) -> Vec<u8> {
        let mut out = vec![u8::MAX; self.nodes.len()];
        let Some(start) = self.place.get(&from).copied() else { return out };
        let mut queue = VecDeque::from([start]);
        out[start] = 0;
        while let Some(node) = queue.pop_front() {
            let distance = out[node];
            if usize::from(distance) >= depth_max {
                continue;
            }
            for next in &self.edges[node] {
                if out[*next] == u8::MAX {
                    out[*next] = distance + 1;
                    queue.push_back(*next);
                }
            }
        }
        out
    }

    /// The step to an event in a table of distances.
    pub(crate) fn step(&self, distances: &[u8], to: OccurrenceIx) -> Option<usize> {
        let distance = *distances.get(*self.place.get(&to)?)?;
        (distance != u8::MAX).then_some(usize::from(distance))
    }
}
