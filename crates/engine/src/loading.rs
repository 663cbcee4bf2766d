//! Loading: files to a record, its event graph and its context store, in slices.

use chartproof_discovery::{Builder, ContextStore};
use chartproof_evidence::Known;
use chartproof_graph::EventGraph;
use chartproof_ingest::{Limits, Reader, Refusal, Step};
use chartproof_record::Record;

use crate::File;
use crate::text::NotesReader;
use crate::wire::{Progress, RefusedFile, Stage};

/// Everything made of one load.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) record: Record,
    pub(crate) known: Known,
    pub(crate) graph: EventGraph,
    pub(crate) store: ContextStore,
    pub(crate) refused: Vec<RefusedFile>,
}

/// A load under way.
#[derive(Debug)]
pub(crate) enum Loading {
    /// Files are read.
    Read(Box<Reader>),
    /// The record is finished and its graph built.
    Graph(Box<(Record, Vec<RefusedFile>)>),
    /// Contexts are indexed.
    Index { record: Box<Record>, known: Known, graph: EventGraph, builder: Box<Builder>, refused: Vec<RefusedFile> },
}

/// What a slice of loading came to.
pub(crate) enum Slice {
    /// It goes on.
    More(Box<Loading>, Progress),
    /// All is there.
    Done(Box<Loaded>),
    /// No file could be read.
    Nothing(Vec<RefusedFile>),
}

impl Loading {
    pub(crate) fn start(files: Vec<File>) -> Self {
        let mut reader = Reader::new(Limits::standard());
        for file in files {
            reader.push(chartproof_ingest::Input { name: file.name.into(), bytes: file.bytes, sha256: file.sha256 });
        }
        Self::Read(Box::new(reader))
    }

    pub(crate) fn step(self, budget: usize) -> Slice {
        match self {
            Self::Read(mut reader) => match reader.step(budget.saturating_mul(200)) {
                Step::Working { done_bytes, total_bytes } => {
                    let progress = Progress { stage: Stage::Read, done: done_bytes as u64, total: total_bytes as u64 };
                    Slice::More(Box::new(Self::Read(reader)), progress)
                }
                Step::Ready => {
                    let (record, refused) = reader.finish();
                    let refused = refused.into_iter().map(refused_file).collect();
                    match record {
                        Some(record) => Slice::More(
                            Box::new(Self::Graph(Box::new((record, refused)))),
                            Progress { stage: Stage::Index, done: 0, total: 1 },
                        ),
                        None => Slice::Nothing(refused),
                    }
                }
            },
            Self::Graph(parts) => {
                let (record, refused) = *parts;
                let graph = chartproof_graph::build(&record);
                let known = Known::of(&record);
                let progress = Progress { stage: Stage::Index, done: 0, total: record.notes.len().max(1) as u64 };
                Slice::More(
                    Box::new(Self::Index { record: Box::new(record), known, graph, builder: Box::default(), refused }),
                    progress,
                )
            }
            Self::Index { record, known, graph, mut builder, refused } => {
                if builder.step(&record, &NotesReader, budget.saturating_mul(4).max(1)) {
                    let store = builder.finish();
                    Slice::Done(Box::new(Loaded { record: *record, known, graph, store, refused }))
                } else {
                    let progress = Progress {
                        stage: Stage::Index,
                        done: builder.done() as u64,
                        total: record.notes.len().max(1) as u64,
                    };
                    Slice::More(Box::new(Self::Index { record, known, graph, builder, refused }), progress)
                }
            }
        }
    }
}

fn refused_file(refusal: Refusal) -> RefusedFile {
    RefusedFile {
        file: refusal.file.to_string(),
        code: refusal.code.name().to_owned(),
        location: refusal.location.clone(),
        message: refusal.message,
    }
}
