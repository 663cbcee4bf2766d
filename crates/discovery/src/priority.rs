//! `R(P | c)`: the priority of a candidate path (Eq. 2 and 3). It orders the search and ends here.

use crate::policy::Policy;

/// Normalised discovery signals of a path, each in `[0, 1]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// Personalised PageRank of its events.
    pub diffusion: f64,
    /// Shortness of the way between its events.
    pub compactness: f64,
    /// Best lexical score of its contexts.
    pub relevance: f64,
    /// Share of its events with a recorded time and encounter.
    pub completeness: f64,
    /// Whether recorded times fit the relations: 1 fit, 0.5 unknown, 0 do not.
    pub temporal: f64,
    /// Whether kinds fit the slots.
    pub kinds: f64,
    /// Share of transitions with any context, time or trajectory (Eq. 3); `None` for a single relation.
    pub coverage: Option<f64>,
}

/// Eq. 2: the lifted product. A weak signal lowers the priority, it never excludes.
pub fn priority(signals: &Signals, policy: &Policy) -> f64 {
    let lift = |s: f64| policy.epsilon + (1.0 - policy.epsilon) * s.clamp(0.0, 1.0);
    let parts = [
        signals.diffusion,
        signals.compactness,
        signals.relevance,
        signals.completeness,
        signals.temporal,
        signals.kinds,
    ];
    parts.into_iter().chain(signals.coverage).map(lift).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_lifted() {
        let policy = Policy::initial();
        let full = Signals {
            diffusion: 1.0,
            compactness: 1.0,
            relevance: 1.0,
            completeness: 1.0,
            temporal: 1.0,
            kinds: 1.0,
            coverage: None,
        };
        assert!((priority(&full, &policy) - 1.0).abs() < 1e-12);
        let half = Signals { coverage: Some(0.5), ..full };
        assert!((priority(&half, &policy) - 0.6).abs() < 1e-12);
        assert!((priority(&Signals::default(), &policy) - 0.2 * 0.2 * 0.2 * 0.2 * 0.2 * 0.2).abs() < 1e-12);
    }
}
