//! A model that follows a script.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use callpact::{Halt, ToolCall, ToolContext, ToolReply, Toolset};

/// One turn of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Turn {
    /// The model says something, and the conversation ends.
    Text(String),
    /// The model calls tools, and waits for their replies.
    Calls(Vec<ToolCall>),
}

/// A model that takes its turns from a script and records what it is sent.
///
/// ```
/// use callpact::{ToolContext, Toolset, tool};
/// use callpact_testing::ScriptedModel;
///
/// /// Adds two numbers
/// #[tool(read_only)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().tool(Add).build()?;
/// let model = ScriptedModel::new().call("add", r#"{"a": 40, "b": 2}"#).say("It is 42.");
/// let went = model.run("What is 40 + 2?", &tools, &ToolContext::new()).await?;
/// assert_eq!(went.text.as_deref(), Some("It is 42."));
/// assert_eq!(model.sent(), ["What is 40 + 2?", "42"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct ScriptedModel(Mutex<ModelScript>);

#[derive(Debug, Default)]
struct ModelScript {
    turns: VecDeque<Turn>,
    sent: Vec<String>,
    calls: usize,
}

/// The end of a conversation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Transcript {
    /// The last words of the model; `None` when the script ended first.
    pub text: Option<String>,
    /// The replies of the tools, in order.
    pub replies: Vec<ToolReply>,
}

impl ScriptedModel {
    /// A model without turns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a turn in which the model says something.
    #[must_use]
    pub fn say(self, text: impl Into<String>) -> Self {
        self.turn(Turn::Text(text.into()))
    }

    /// Adds a turn in which the model calls one tool; the id is `call-1`, `call-2` and so on.
    #[must_use]
    pub fn call(self, name: &str, arguments: &str) -> Self {
        self.calls([(name, arguments)])
    }

    /// Adds a turn in which the model calls several tools at once.
    #[must_use]
    pub fn calls<'a>(self, calls: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let calls = self.script(|script| {
            calls
                .into_iter()
                .map(|(name, arguments)| {
                    script.calls += 1;
                    ToolCall::new(format!("call-{}", script.calls), name, arguments)
                })
                .collect()
        });
        self.turn(Turn::Calls(calls))
    }

    /// Adds a turn.
    #[must_use]
    pub fn turn(self, turn: Turn) -> Self {
        self.script(|script| script.turns.push_back(turn));
        self
    }

    /// Sends something to the model and takes its next turn; `None` when the script is at its end.
    pub fn next(&self, sent: impl IntoIterator<Item = impl Into<String>>) -> Option<Turn> {
        self.script(|script| {
            script.sent.extend(sent.into_iter().map(Into::into));
            script.turns.pop_front()
        })
    }

    /// Everything that the model was sent: the prompt, and the text of every reply.
    pub fn sent(&self) -> Vec<String> {
        self.script(|script| script.sent.clone())
    }

    /// How many turns are left.
    pub fn left(&self) -> usize {
        self.script(|script| script.turns.len())
    }

    /// The loop of an agent: sends the prompt, makes the calls, sends the replies, until the model
    /// says something or its script ends.
    ///
    /// # Errors
    /// When a call halts.
    pub async fn run(
        &self,
        prompt: &str,
        tools: &Toolset,
        cx: &ToolContext,
    ) -> Result<Transcript, Halt> {
        let mut went = Transcript {
            text: None,
            replies: Vec::new(),
        };
        let mut send = vec![prompt.to_owned()];
        while let Some(turn) = self.next(send) {
            send = Vec::new();
            match turn {
                Turn::Text(text) => {
                    went.text = Some(text);
                    break;
                }
                Turn::Calls(calls) => {
                    for call in &calls {
                        let reply = tools.call(call, cx).await?;
                        send.push(reply.to_model().into_owned());
                        went.replies.push(reply);
                    }
                }
            }
        }
        Ok(went)
    }

    fn script<R>(&self, of: impl FnOnce(&mut ModelScript) -> R) -> R {
        of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
