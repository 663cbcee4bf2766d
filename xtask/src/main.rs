//! Set-up, build, tests, sizes and the npm package: `cargo xtask`.

/// Prints a line. A reader that has gone away, as `head` does, is no fault.
macro_rules! say {
    ($($line:tt)*) => { $crate::run::line_to(&mut std::io::stdout(), format_args!($($line)*)) };
}

mod bench;
mod claim;
mod digest;
mod env;
mod need;
mod pkg;
mod run;
mod serve;
mod site;
mod size;
mod test;
mod toolchain;
mod tools;

use anyhow::{Context, Result, bail};
use env::Env;
use need::{For, doctor, set_up};
use std::process::ExitCode;

fn usage() -> String {
    format!(
        "\
cargo xtask COMMAND

  doctor             what building and testing need, what is there, what is missing and how it is got
  serve [--port N]   gets what is missing, builds the page, serves it on 127.0.0.1 (port {})
  test [--only A,B]  gets what is missing and runs all checks, or these steps:
                     {}
  size [--accept]    compares the page's sizes with tests/size.snap, or writes it anew
  bench              times loading against JSON.parse of the same bytes, in one page
  pkg                builds the npm package's generated files

CHARTPROOF_WASM   auto (default), rustup or debian: which compiler builds everything
CHARTPROOF_CACHE  where tools and compiled dependencies are kept (default ~/.cache/chartproof)
CHARTPROOF_DATA   public records some tests read; they are skipped without it",
        serve::PORT,
        test::names()
    )
}

fn main() -> ExitCode {
    match command(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            run::line_to(&mut std::io::stderr(), format_args!("xtask: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Does what the arguments say; false when it ran and found fault.
fn command(args: &[String]) -> Result<bool> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["doctor"] => Ok(doctor(&environment(false)?)),
        ["serve"] => serve::serve(&environment(true)?, serve::PORT).map(|()| true),
        ["serve", "--port", port] => {
            let port = port.parse().with_context(|| format!("--port {port:?} is not a port"))?;
            serve::serve(&environment(true)?, port).map(|()| true)
        }
        ["test"] => test::test(&environment(true)?, &[]),
        ["test", "--only", steps] => {
            test::test(&environment(true)?, &steps.split(',').map(str::to_owned).collect::<Vec<_>>())
        }
        ["bench"] => bench::bench(&environment(true)?).map(|()| true),
        ["size"] => sizes(false),
        ["size", "--accept"] => sizes(true),
        ["pkg"] => {
            let env = environment(true)?;
            let _claim = claim::claim(&env)?;
            set_up(&env, For::Test)?;
            pkg::build(&env).map(|()| true)
        }
        [] | ["help" | "--help" | "-h"] => {
            say!("{}", usage());
            Ok(true)
        }
        _ => bail!("cannot do {:?}\n\n{}", args.join(" "), usage()),
    }
}

/// The environment with its toolchain chosen; `may_add` lets the choice ask rustup's server.
fn environment(may_add: bool) -> Result<Env> {
    let mut env = Env::find()?;
    toolchain::choose(&mut env, may_add)?;
    Ok(env)
}

fn sizes(accept: bool) -> Result<bool> {
    let env = environment(true)?;
    let _claim = claim::claim(&env)?;
    set_up(&env, For::Serve)?;
    site::build(&env)?;
    let faults = size::check(&env, accept)?;
    for fault in &faults {
        say!("{fault}");
    }
    Ok(faults.is_empty())
}
