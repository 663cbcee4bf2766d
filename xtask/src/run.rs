//! Running child processes: quietly into a log, for their answer, or in full view.

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;

/// Writes a line and lets it be lost if nobody reads any more.
pub(crate) fn line_to(stream: &mut impl Write, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(stream, "{line}");
}

/// Runs a command in view; an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", name(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a command for what it prints; an error if it fails.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {}", name(command)))?;
    if !output.status.success() {
        bail!("{} failed ({}): {}", line(command), output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command with its output in the file `log`; on failure the end of the log becomes the error.
pub(crate) fn logged(command: &mut Command, log: &Path) -> Result<()> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    let file = File::options().create(true).append(true).open(log)?;
    let status = command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .status()
        .with_context(|| format!("cannot start {}", name(command)))?;
    if !status.success() {
        let text = fs::read_to_string(log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let tail = lines[lines.len().saturating_sub(25)..].join("\n");
        bail!("{} failed ({status}); the end of {}:\n{tail}", line(command), log.display());
    }
    Ok(())
}

/// Runs a command in view and also returns everything it printed, both streams together.
pub(crate) fn watched(command: &mut Command) -> Result<(ExitStatus, String)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", name(command)))?;
    let text = Mutex::new(String::new());
    let (out, err) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(|| pass_on(out, &text));
        scope.spawn(|| pass_on(err, &text));
    });
    let status = child.wait()?;
    Ok((status, text.into_inner().unwrap_or_default()))
}

fn pass_on(stream: Option<impl Read>, text: &Mutex<String>) {
    let Some(stream) = stream else { return };
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
        let line = String::from_utf8_lossy(&bytes);
        if let Ok(mut text) = text.lock() {
            text.push_str(&line);
            // A closed terminal must not stop the run.
            let _ = std::io::stdout().write_all(line.as_bytes());
        }
        bytes.clear();
    }
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn line(command: &Command) -> String {
    let mut line = name(command);
    for arg in command.get_args() {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}
