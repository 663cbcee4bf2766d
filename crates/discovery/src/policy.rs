//! The retrieval policy `pi` and its revisions. It steers what is looked at, never what is concluded.

/// All numbers of the search in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// `d_max`: greatest event-to-event distance, and greatest number of depths.
    pub depth_max: usize,
    /// `R_max`: greatest number of revisions.
    pub revisions_max: usize,
    /// `K`: neighbours looked at from one event.
    pub neighbours: usize,
    /// `B`: candidate paths contracted at one depth.
    pub paths: usize,
    /// Contexts retrieved by one query.
    pub contexts: usize,
    /// `epsilon` of Eq. 2.
    pub epsilon: f64,
    /// Damping of the personalised PageRank.
    pub damping: f64,
    /// Iterations of the personalised PageRank.
    pub iterations: usize,
    /// Greatest number of events that diffusion and distances look at.
    pub horizon: usize,
    /// Greatest number of candidate paths that are listed.
    pub candidates_max: usize,
    /// Whether candidates without a graph connection are admitted at the present depth.
    pub unconnected: bool,
}

impl Policy {
    /// `InitPolicy`: the paper's defaults (d_max = R_max = 5, 12 contexts, epsilon 0.2). The paper gives no K and B;
    /// B was raised from 8 to 64 when forty candidates in all turned out fewer than the courses and episodes of one
    /// long stay.
    pub fn initial() -> Self {
        Self {
            depth_max: 5,
            revisions_max: 5,
            neighbours: 32,
            paths: 64,
            contexts: 12,
            epsilon: 0.2,
            damping: 0.85,
            iterations: 12,
            horizon: 4_000,
            candidates_max: 4_096,
            unconnected: false,
        }
    }

    /// Its numbers by name, for the trace.
    pub fn describe(&self) -> Vec<(String, String)> {
        let row = |name: &str, value: String| (name.to_owned(), value);
        vec![
            row("d_max", self.depth_max.to_string()),
            row("R_max", self.revisions_max.to_string()),
            row("K", self.neighbours.to_string()),
            row("B", self.paths.to_string()),
            row("contexts", self.contexts.to_string()),
            row("epsilon", self.epsilon.to_string()),
            row("damping", self.damping.to_string()),
            row("iterations", self.iterations.to_string()),
            row("horizon", self.horizon.to_string()),
            row("candidates", self.candidates_max.to_string()),
        ]
    }
}

/// A structured failure of one depth: what the retrieval still owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetrievalFailure {
    /// No candidate fills every slot.
    NoCandidate,
    /// An event has no admitted evidence.
    EventOpen(String),
    /// A relation has no evidence on one side.
    RelationOpen(usize),
    /// The candidates left are not connected to the others in the graph.
    Unconnected,
}

impl RetrievalFailure {
    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::NoCandidate => "no candidate fills every slot".to_owned(),
            Self::EventOpen(slot) => format!("event {slot} has no admitted evidence"),
            Self::RelationOpen(relation) => format!("relation {relation} is not settled"),
            Self::Unconnected => "the candidates left are not connected in the graph".to_owned(),
        }
    }
}

/// `Replan`: the named revision for a failure; the revised policy and what changed, in words.
pub(crate) fn replan(policy: &Policy, failure: &RetrievalFailure) -> (Policy, &'static str) {
    let mut next = policy.clone();
    match failure {
        RetrievalFailure::NoCandidate | RetrievalFailure::Unconnected | RetrievalFailure::EventOpen(_) => {
            next.unconnected = true;
            (next, "bridge search: admit candidates without a connection in the graph")
        }
        RetrievalFailure::RelationOpen(_) => {
            next.neighbours = policy.neighbours.saturating_mul(2).min(256);
            next.unconnected = true;
            (next, "widen the expansion and admit unconnected candidates")
        }
    }
}
