//! Everything in this crate that differs by operating system.
//!
//! On Unix a terminal is read without a thread that blocks. Elsewhere standard input is read like any
//! other reader, and there is no controlling terminal.

use std::io::{self, Write};

use super::lines::{LineSource, StdinLines};

#[cfg(unix)]
mod terminal;
#[cfg(all(unix, test))]
pub(super) use terminal::ConsoleTerminal;

type TerminalStreams = (Box<dyn LineSource>, Box<dyn Write + Send>);

/// The standard streams of the process, or its terminal where that is safer.
#[cfg(unix)]
pub(super) fn standard_streams() -> TerminalStreams {
    use std::io::IsTerminal;

    if !io::stdin().is_terminal() {
        return (Box::new(StdinLines), Box::new(io::stderr()));
    }
    let input: Box<dyn LineSource> = match terminal::ConsoleTerminal::of_stdin() {
        Some(terminal) => Box::new(terminal),
        None => Box::new(StdinLines),
    };
    if !io::stderr().is_terminal()
        && let Ok(output) = terminal::ConsoleTerminal::output()
    {
        return (input, Box::new(output));
    }
    (input, Box::new(io::stderr()))
}

#[cfg(not(unix))]
pub(super) fn standard_streams() -> TerminalStreams {
    (Box::new(StdinLines), Box::new(io::stderr()))
}

/// The controlling terminal of the process.
///
/// # Errors
/// When there is none, or when this system has no such thing.
#[cfg(unix)]
pub(super) fn controlling_terminal() -> io::Result<TerminalStreams> {
    match terminal::ConsoleTerminal::controlling()? {
        Some(input) => Ok((
            Box::new(input),
            Box::new(terminal::ConsoleTerminal::output()?),
        )),
        None => Err(no_terminal()),
    }
}

#[cfg(not(unix))]
pub(super) fn controlling_terminal() -> io::Result<TerminalStreams> {
    Err(no_terminal())
}

fn no_terminal() -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "no controlling terminal on this system",
    )
}
