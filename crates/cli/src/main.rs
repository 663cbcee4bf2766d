//! `chartproof`: inspect, parse, verify and replay from the command line.
//!
//! `--json` prints one JSON object (or JSON Lines where said) to standard output. Exit 0: it ran; 2: bad input or
//! usage, with a message that says what and where.
#![forbid(unsafe_code)]

mod claims;
mod files;
mod inspect;
mod output;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Checks statements about a patient record and cites what they rest on.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// What the files hold: patients, encounters, events by kind, diagnostics.
    Inspect {
        /// Files, folders or gzip files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
        /// Print occurrences as JSON Lines, with their ids.
        #[arg(long)]
        events: bool,
        /// Print the event graph as one JSON object.
        #[arg(long, conflicts_with = "events")]
        graph: bool,
    },
    /// What a question is understood to ask.
    Parse {
        /// The question.
        #[arg(long, required_unless_present = "lines")]
        ask: Option<String>,
        /// Read one question a line from standard input, print one JSON line each.
        #[arg(long)]
        lines: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Checks a statement: supported, conflicting, refuted or insufficient.
    Verify(VerifyArgs),
    /// The same assessment from an exported bundle alone.
    Replay {
        /// An exported bundle.
        bundle: PathBuf,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
struct VerifyArgs {
    /// Files, folders or gzip files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The patient, where the files hold several.
    #[arg(long)]
    patient: Option<String>,
    /// The question.
    #[arg(long, group = "what")]
    ask: Option<String>,
    /// A request as a JSON file.
    #[arg(long, group = "what")]
    query: Option<PathBuf>,
    /// A CSV of claims with columns id, patient, claim, scope; the output is JSON Lines.
    #[arg(long, group = "what")]
    claims: Option<PathBuf>,
    /// Replaces the scope of the query: encounter, episode or patient, or one encounter by its key.
    #[arg(long)]
    scope: Option<String>,
    /// Replaces the quantifier of the query.
    #[arg(long)]
    quantifier: Option<String>,
    /// Procedural memory; there is none in this build, so only `off` runs.
    #[arg(long, value_enum)]
    memory: Option<Memory>,
    /// Leave out parts of the question that are not understood, even where they could change the answer.
    #[arg(long)]
    accept_unresolved: bool,
    /// Write the frozen bundle here.
    #[arg(long)]
    bundle: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Memory {
    On,
    Off,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Inspect { files, json, events, graph } => inspect::run(&files, json, events, graph),
        Command::Parse { ask, lines, json } => verify::parse(ask.as_deref(), lines, json),
        Command::Verify(args) => verify::run(&args),
        Command::Replay { bundle, json } => verify::replay(&bundle, json),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            output::complain(&message);
            ExitCode::from(2)
        }
    }
}
