//! `generate SEED EVENTS > record.ndjson`

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<usize>().unwrap_or(1_000));
    let (seed, events) = (args.next().unwrap_or(1), args.next().unwrap_or(1_000));
    std::io::stdout().write_all(&chartproof_testkit::generate(seed as u64, events))
}
