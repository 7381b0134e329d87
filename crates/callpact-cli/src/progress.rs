//! Work that takes long, on one line of the terminal that is written anew: what a tool reports, and what a model
//! writes.

use callpact::{ToolContext, review::visible, stream::TurnEvent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::screen::Screen;

/// The steps of a bar, for totals of any size.
const STEPS: u64 = 1000;

/// Shows the progress of calls to a person. The line goes away with the context.
pub(crate) fn show_progress(cx: ToolContext, screen: &Screen) -> ToolContext {
    if !screen.shows_progress() {
        return cx;
    }
    let line = ProgressLine(ProgressBar::with_draw_target(
        Some(STEPS),
        ProgressDrawTarget::stderr(),
    ));
    cx.with_progress(move |done, total, message| line.show(done, total, message))
}

struct ProgressLine(ProgressBar);

impl ProgressLine {
    fn show(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let share = total
            .map(|total| done / total)
            .filter(|share| share.is_finite());
        let template = match share {
            Some(_) => " progress  {bar:24} {msg}",
            None => " progress  {msg}",
        };
        // The template is a constant of this file.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style);
        }
        let numbers = match total {
            Some(total) => format!("{done}/{total}"),
            None => done.to_string(),
        };
        let message = message.map(visible).unwrap_or_default();
        self.0.set_message(format!("{numbers} {message}"));
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let position = (share.unwrap_or(0.0).clamp(0.0, 1.0) * STEPS as f64) as u64;
        self.0.set_position(position);
        if share.is_some_and(|share| share >= 1.0) {
            self.0.finish_and_clear();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The most characters of a turn that are shown while it arrives.
const TAIL: usize = 60;

/// The turn of a model while it arrives: the end of its text. The line goes away with the value.
pub(crate) struct TurnLine {
    bar: ProgressBar,
    /// Which part of the turn the text is from.
    part: &'static str,
    text: String,
}

impl TurnLine {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        // The template is a constant of this file.
        if let Ok(style) = ProgressStyle::with_template("{prefix:>9}  {wide_msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            part: "",
            text: String::new(),
        }
    }

    /// Adds what has arrived.
    pub(crate) fn show(&mut self, event: &TurnEvent) {
        let (part, piece) = match event {
            TurnEvent::Text(text) => ("model", text.as_str()),
            TurnEvent::Thought(text) => ("thinks", text.as_str()),
            TurnEvent::CallStarted { name, .. } => {
                self.text.clear();
                ("call", name.as_str())
            }
            TurnEvent::Arguments { text, .. } => ("call", text.as_str()),
            TurnEvent::Restarted => {
                self.text.clear();
                return;
            }
            _ => return,
        };
        if self.part != part {
            self.part = part;
            self.text.clear();
            self.bar.set_prefix(part);
        }
        self.text.push_str(piece);
        if matches!(event, TurnEvent::CallStarted { .. }) {
            self.text.push(' ');
        }
        if let Some((start, _)) = self.text.char_indices().rev().nth(TAIL) {
            self.text.drain(..start);
        }
        self.bar.set_message(visible(&self.text));
    }
}

impl Drop for TurnLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
