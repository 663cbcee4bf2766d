//! The ChartProof page.
