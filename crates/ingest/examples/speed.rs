//! How fast files read: `speed [MB] FILE...` repeats the files, with changed ids, to that size and prints MB/s.
#![expect(clippy::print_stdout, reason = "a command-line example")]

use std::time::Instant;

use chartproof_ingest::{Input, Limits, Reader, Step};

/// Changes the first four digits of everything that looks like a UUID, so that copies are other resources.
fn other_ids(bytes: &mut [u8], copy: usize) {
    let mask = (copy % 65_536) as u32;
    for at in 0..bytes.len().saturating_sub(36) {
        let window = &bytes[at..at + 36];
        let dashes = [8, 13, 18, 23].iter().all(|i| window[*i] == b'-');
        if dashes && window.iter().filter(|b| b.is_ascii_hexdigit()).count() == 32 {
            for (i, byte) in bytes[at..at + 4].iter_mut().enumerate() {
                let value = char::from(*byte).to_digit(16).unwrap_or(0) ^ (mask >> (4 * i) & 15);
                *byte = char::from_digit(value, 16).unwrap_or('0') as u8;
            }
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let goal: usize = args.next().and_then(|a| a.parse().ok()).unwrap_or(60) << 20;
    let mut files = Vec::new();
    for path in args {
        let given = std::fs::read(&path).unwrap_or_default();
        let mut plain = Vec::new();
        if given.starts_with(&[0x1f, 0x8b]) {
            use std::io::Read as _;
            let _ = flate2::read::GzDecoder::new(&given[..]).read_to_end(&mut plain);
        } else {
            plain = given;
        }
        files.push((path, plain));
    }
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let mut reader = Reader::new(Limits::standard());
        let (mut size, mut copy) = (0, 0);
        while size < goal && !files.is_empty() {
            for (name, bytes) in &files {
                let mut bytes = bytes.clone();
                other_ids(&mut bytes, copy);
                size += bytes.len();
                let name = format!("{copy}-{name}").into();
                reader.push(Input { name, bytes, sha256: Some("given by the host".to_owned()) });
                if size >= goal {
                    break;
                }
            }
            copy += 1;
        }
        let start = Instant::now();
        let mut longest = 0.0_f64;
        loop {
            let slice = Instant::now();
            let step = reader.step(200);
            longest = longest.max(slice.elapsed().as_secs_f64());
            if step == Step::Ready {
                break;
            }
        }
        let read = start.elapsed().as_secs_f64();
        let (record, refusals) = reader.finish();
        let all = start.elapsed().as_secs_f64();
        let Some(record) = record else { continue };
        let megabytes = size as f64 / 1e6;
        println!(
            "{megabytes:.1} MB: read {:.0} ms, finish {:.0} ms, {:.0} MB/s, longest step {:.1} ms; {} sources, {} occurrences, {} notes, {} patients, {} stays, {} diagnostics, {} refused",
            read * 1e3,
            (all - read) * 1e3,
            megabytes / all,
            longest * 1e3,
            record.sources.len(),
            record.occurrences.len(),
            record.notes.len(),
            record.patients.len(),
            record.stays.len(),
            record.diagnostics.len(),
            refusals.len(),
        );
        best = best.min(all);
    }
    println!("best {:.0} MB/s", goal as f64 / 1e6 / best);
}
