//! `human_input`: a question to the person who supervises the agent.

use std::time::Duration;

use callpact::review::{OnTimeout, ReviewDecision, ReviewRequest};
use callpact::{AgentTool, Halt, Permission, ToolContext, ToolResult};

/// The longest question in characters.
const MAX_QUESTION: usize = 10_000;

/// Asks the reviewer of the call a question and gives the model the answer.
///
/// Without a reviewer, or when nobody answers in time, the model continues with its own judgement.
/// A reviewer who exits early ends the run.
///
/// ```
/// use callpact::review::{ReviewDecision, review_fn};
/// use callpact::{AgentTool, ToolContext};
/// use callpact_tools::HumanInput;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let person = review_fn(|_| async { Ok(ReviewDecision::Edit("The blue one.".into())) });
/// let cx = ToolContext::new().with_reviewer(person);
/// assert_eq!(HumanInput::new().execute("Which one?", &cx).await.output(), "The blue one.");
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct HumanInput {
    timeout: Option<Duration>,
    on_timeout: OnTimeout,
    role: Option<String>,
}

impl Default for HumanInput {
    fn default() -> Self {
        Self::new()
    }
}

impl HumanInput {
    /// Waits five minutes and then lets the model continue.
    pub fn new() -> Self {
        Self {
            timeout: Some(ReviewRequest::DEFAULT_TIMEOUT),
            on_timeout: OnTimeout::Continue,
            role: None,
        }
    }

    /// How long to wait for an answer; `None` waits for ever, and so does zero.
    #[must_use]
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
        self
    }

    /// What to do when nobody answers in time.
    #[must_use]
    pub fn on_timeout(mut self, on_timeout: OnTimeout) -> Self {
        self.on_timeout = on_timeout;
        self
    }

    /// The role that the reviewer must act for.
    #[must_use]
    pub fn required_role(mut self, role: impl Into<String>) -> Self {
        self.role = Some(role.into());
        self
    }
}

impl AgentTool for HumanInput {
    fn name(&self) -> &'static str {
        "human_input"
    }

    fn description(&self) -> &'static str {
        "Asks a person a question and returns the answer. Use it when a decision needs a human: a \
         preference, a missing fact, a confirmation. Input: the question."
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    fn precheck_text(&self, input: &str) -> Result<(), String> {
        if input.trim().is_empty() {
            return Err("Question must not be blank".to_owned());
        }
        if input.chars().nth(MAX_QUESTION).is_some() {
            return Err(format!("Question is longer than {MAX_QUESTION} characters"));
        }
        Ok(())
    }

    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        if let Err(why) = self.precheck_text(input) {
            return ToolResult::failure(why);
        }
        if cx.reviewer().is_none() {
            return ToolResult::success(
                "No reviewer is available. Please proceed with your best judgment.",
            );
        }
        let mut request = ReviewRequest::new(input)
            .timeout(self.timeout)
            .on_timeout(self.on_timeout);
        if let Some(role) = &self.role {
            request = request.required_role(role);
        }
        match cx.review(request).await {
            Ok(ReviewDecision::Continue) => ToolResult::success("Understood. Please continue."),
            Ok(ReviewDecision::Edit(answer)) => ToolResult::success(answer),
            Ok(ReviewDecision::ExitEarly { timed_out }) => ToolResult::halt(Halt::ExitEarly {
                message: "Human reviewer requested early exit via HumanInputTool".to_owned(),
                timed_out,
            }),
            Ok(ReviewDecision::Refuse(reason)) => {
                ToolResult::failure(format!("the person does not answer: {reason}"))
            }
            Ok(decision) => {
                ToolResult::failure(format!("the person does not answer: {}", decision.name()))
            }
            Err(halt) => ToolResult::halt(halt),
        }
    }
}
