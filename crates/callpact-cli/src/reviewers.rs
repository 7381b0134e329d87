//! The reviewers of the program: nobody, the person at the terminal, and `--yes`.

use callpact::{
    ReviewDecision, ReviewHandler, ReviewRequest,
    review::{BoxFuture, ConsoleReviewer, ReviewError},
};

use crate::{
    screen::{Ink, Screen},
    system::in_foreground,
};

/// Halts every call that needs approval, because nobody can be asked. It holds the reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NobodyAsked(pub(crate) &'static str);

impl ReviewHandler for NobodyAsked {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        self.refuse(request)
    }
}

impl NobodyAsked {
    fn refuse<'a>(
        self,
        request: &ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        let (tool, why) = (request.tool.clone(), self.0);
        Box::pin(async move {
            Err(ReviewError::failed(format!(
                "the call of '{tool}' needs approval and nobody can be asked: {why}"
            )))
        })
    }
}

/// Asks the person at the controlling terminal, as long as this process may read from it.
///
/// A terminal stops a background process that reads from it. A server is such a process if its host
/// starts servers in their own process groups.
#[derive(Debug)]
pub(crate) struct AtTerminal(ConsoleReviewer);

impl AtTerminal {
    /// The terminal, if there is one.
    pub(crate) fn new() -> Option<Self> {
        ConsoleReviewer::tty().ok().map(Self)
    }
}

impl ReviewHandler for AtTerminal {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        if in_foreground() {
            self.0.review(request)
        } else {
            NobodyAsked("this process is in the background of its terminal").refuse(request)
        }
    }
}

/// Approves every call and prints it.
#[derive(Clone, Debug)]
pub(crate) struct ApprovingReviewer {
    screen: Screen,
    who: &'static str,
}

impl ApprovingReviewer {
    pub(crate) fn new(screen: &Screen, who: &'static str) -> Self {
        Self {
            screen: screen.clone(),
            who,
        }
    }
}

impl ReviewHandler for ApprovingReviewer {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        let tool = &request.tool;
        self.screen.say(
            Ink::Yellow,
            "approve",
            &format!("{tool} {}", request.action),
        );
        self.screen
            .say(Ink::Green, "approved", &format!("by {}", self.who));
        Box::pin(async { Ok(ReviewDecision::Continue) })
    }
}
