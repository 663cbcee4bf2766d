//! Discovery: policy, obligations, expansion, two-sided retrieval, priority, replanning.
#![forbid(unsafe_code)]
