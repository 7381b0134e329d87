//! What a tool reports about its work, on one line of the terminal that is written anew.

use callpact::{ToolContext, review::visible};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::screen::Screen;

/// The steps of a bar, for totals of any size.
const STEPS: u64 = 1000;

/// Shows the progress of calls to a person. The line goes away with the context.
pub(crate) fn show_progress(cx: ToolContext, screen: &Screen) -> ToolContext {
    if !screen.shows_progress() {
        return cx;
    }
    let line = Line(ProgressBar::with_draw_target(
        Some(STEPS),
        ProgressDrawTarget::stderr(),
    ));
    cx.with_progress(move |done, total, message| line.show(done, total, message))
}

struct Line(ProgressBar);

impl Line {
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

impl Drop for Line {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
