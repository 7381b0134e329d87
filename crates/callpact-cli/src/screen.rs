//! The output of the program: results on standard output, everything else on standard error.

use std::fmt::Write as _;
use std::{
    io::{self, ErrorKind, IsTerminal, Write},
    sync::{Arc, Mutex, PoisonError},
};

use anstyle::{AnsiColor, Effects, Style};
use callpact::{
    review::{is_hidden, visible},
    schema::pretty,
};
use serde_json::Value;
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    layer::SubscriberExt,
};

use crate::exit::Failure;

/// Prints results and progress, as text or as JSON.
#[derive(Clone, Debug)]
pub struct Screen(Arc<ScreenState>);

#[derive(Debug)]
struct ScreenState {
    json: bool,
    quiet: bool,
    /// Whether results go to a terminal.
    terminal: bool,
    /// The first error of writing a result.
    lost: Mutex<Option<io::Error>>,
}

/// The colour of a line of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ink {
    /// Background information.
    Dim,
    /// A request.
    Blue,
    /// A success.
    Green,
    /// A warning.
    Yellow,
    /// A failure.
    Red,
}

impl Ink {
    const fn style(self) -> Style {
        match self {
            Self::Dim => Style::new().effects(Effects::DIMMED),
            Self::Blue => AnsiColor::Blue.on_default(),
            Self::Green => AnsiColor::Green.on_default(),
            Self::Yellow => AnsiColor::Yellow.on_default(),
            Self::Red => AnsiColor::Red.on_default(),
        }
    }

    /// Whether a line is for a person who asked for silence too.
    const fn warns(self) -> bool {
        matches!(self, Self::Yellow | Self::Red)
    }
}

/// Writes out the hidden characters in a line. A line that was already written out stays unchanged: its backslashes
/// are not doubled again.
pub(crate) fn write_out(line: &str) -> String {
    let shown = visible(line);
    let without = |text: &str| text.replace('\\', "");
    if without(&shown) == without(line) {
        line.to_owned()
    } else {
        shown
    }
}

impl Screen {
    /// The screen of this process.
    pub fn new(json: bool, quiet: bool) -> Self {
        Self(Arc::new(ScreenState {
            json,
            quiet,
            terminal: io::stdout().is_terminal(),
            lost: Mutex::default(),
        }))
    }

    /// Whether results are wanted as JSON.
    pub fn json(&self) -> bool {
        self.0.json
    }

    /// Sends traces to standard error: errors, and more with every `-v`.
    pub(crate) fn trace(verbose: u8) {
        // The program prints the errors of its libraries in its own messages.
        let (own, others) = match verbose {
            0 => (LevelFilter::ERROR, LevelFilter::OFF),
            1 => (LevelFilter::INFO, LevelFilter::WARN),
            2 => (LevelFilter::DEBUG, LevelFilter::INFO),
            _ => (LevelFilter::TRACE, LevelFilter::TRACE),
        };
        let levels = Targets::new()
            .with_default(others)
            // Below this level it prints its login data.
            .with_target("async_nats", others.min(LevelFilter::INFO))
            // It prints whole answers that it cannot read.
            .with_target("async_openai", LevelFilter::OFF)
            .with_target("callpact", own);
        let subscriber = tracing_subscriber::fmt()
            .with_writer(io::stderr)
            // The library would print to a closed standard error, and panic.
            .log_internal_errors(false)
            // Without its feature for colours the library panics.
            .with_ansi(false)
            .with_max_level(own.max(others))
            .without_time()
            .finish()
            .with(levels);
        // A program that embeds the commands may have set a subscriber.
        let _ = tracing::subscriber::set_global_default(subscriber);
    }

    /// Prints a result and ends its last line. At a terminal, characters that are hidden or move the cursor are
    /// written out, except for tabs; elsewhere the text is unchanged.
    pub fn print(&self, text: &str) {
        if !self.0.terminal {
            return self.write_line(text);
        }
        let lines = text.split('\n').map(|line| {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let parts: Vec<String> = line.split('\t').map(visible).collect();
            parts.join("\t")
        });
        self.write_line(&lines.collect::<Vec<_>>().join("\n"));
    }

    /// Prints one line for people: hidden characters are written out, including line breaks.
    pub(crate) fn print_line(&self, line: &str) {
        self.write_line(&visible(line));
    }

    fn write_line(&self, text: &str) {
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{text}").and_then(|()| out.flush());
        if let Err(error) = written {
            let mut lost = self.0.lost.lock().unwrap_or_else(PoisonError::into_inner);
            lost.get_or_insert(error);
        }
    }

    /// Checks that every result was written.
    ///
    /// # Errors
    /// If a result was not written. A closed pipe, as behind `head`, is not an error.
    pub(crate) fn check_written(&self) -> Result<(), Failure> {
        let mut lost = self.0.lost.lock().unwrap_or_else(PoisonError::into_inner);
        match lost.take() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::failed(format!("standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints a text of a tool. At a terminal, JSON is laid out.
    pub(crate) fn print_output(&self, text: &str) {
        let is_json = text.starts_with(['{', '['])
            && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        if self.0.terminal && is_json {
            self.print(&pretty(text));
        } else {
            self.print(text);
        }
    }

    /// Prints a result as JSON, in which hidden characters are escaped: on one line, and laid out at a terminal.
    pub fn print_json(&self, value: &Value) {
        let (json, mut out) = (value.to_string(), String::new());
        let json = if self.0.terminal { pretty(&json) } else { json };
        for c in json.chars() {
            if is_hidden(c) && c != '\n' {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            } else {
                out.push(c);
            }
        }
        self.write_line(&out);
    }

    /// Whether progress is shown as it happens: to a person who did not ask for silence.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.0.quiet && io::stderr().is_terminal()
    }

    /// Prints progress: a word in colour, and a text whose later lines are indented. With `--quiet` only warnings.
    pub fn say(&self, ink: Ink, word: &str, text: &str) {
        if !self.0.quiet || ink.warns() {
            Self::announce(ink, word, text);
        }
    }

    /// Like [`say`](Self::say), also with `--quiet`: for what a person needs to go on.
    pub(crate) fn announce(ink: Ink, word: &str, text: &str) {
        let mut out = String::new();
        for (i, line) in text.lines().enumerate() {
            let (word, style) = if i == 0 {
                (word, ink.style())
            } else {
                ("", Style::new())
            };
            // The text of a model or a server must not move the cursor.
            let line = write_out(line);
            let _ = writeln!(out, "{style}{word:>9}{style:#}  {line}");
        }
        write_error(&out);
    }

    /// Prints the failure that ended the command.
    pub fn failure(&self, failure: &Failure) {
        let mut lines = failure.message.lines().map(write_out);
        let first = lines.next().unwrap_or_default();
        let style = Ink::Red.style();
        let mut text = format!("{style}error{style:#}: {first}\n");
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
        write_error(&text);
        if self.json() {
            self.failure_as_json(failure);
        }
    }

    /// Prints a failure as JSON on standard output.
    pub(crate) fn failure_as_json(&self, failure: &Failure) {
        self.print_json(&failure.to_json());
    }
}

/// Writes to standard error, with colours if it shows them and `--color` does not say otherwise.
fn write_error(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
