//! How long a call takes, and how many are made in a second.

use std::time::{Duration, Instant};

use callpact::{ToolCall, ToolContext, Toolset};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{Done, serve::SUBJECT};

/// How many calls are timed one after the other.
const TIMED: usize = 1_000;

/// How many calls come before them, so that connections are open and pages are there.
const BEFORE: usize = 50;

/// How long calls are counted.
const COUNTED: Duration = Duration::from_secs(2);

/// One way to have two numbers added.
#[derive(Clone)]
pub(crate) enum Caller {
    Plain(Plain),
    Tools(Tools),
}

/// A request to a subject.
#[derive(Clone)]
pub(crate) struct Plain(pub(crate) async_nats::Client);

/// A call of a tool.
#[derive(Clone)]
pub(crate) struct Tools {
    tools: Toolset,
    name: &'static str,
}

impl Tools {
    pub(crate) fn add(tools: Toolset) -> Self {
        Self { tools, name: "add" }
    }

    pub(crate) fn rest(tools: Toolset) -> Self {
        let name = "rest";
        Self { tools, name }
    }
}

impl From<Plain> for Caller {
    fn from(plain: Plain) -> Self {
        Self::Plain(plain)
    }
}

impl From<Tools> for Caller {
    fn from(tools: Tools) -> Self {
        Self::Tools(tools)
    }
}

impl Caller {
    async fn call(&self, number: usize) -> Done {
        let arguments = format!(r#"{{"a": {number}, "b": 1}}"#);
        let sum = match self {
            Self::Plain(Plain(client)) => {
                let answer = client.request(SUBJECT, arguments.into()).await?;
                String::from_utf8(answer.payload.to_vec())?
            }
            Self::Tools(Tools { tools, name }) => {
                let call = ToolCall::new(format!("call-{number}"), *name, arguments);
                let reply = tools.call(&call, &ToolContext::new()).await?;
                reply.to_model().into_owned()
            }
        };
        if sum == (number + 1).to_string() {
            Ok(())
        } else {
            Err(format!("{number} + 1 = {sum}").into())
        }
    }
}

/// The best figures of all rounds.
#[derive(Clone, Default)]
pub(crate) struct Best {
    /// The least time of a call, and the time within which half of the calls were made.
    times: Option<(Duration, Duration)>,
    /// Calls a second.
    pub(crate) rate: u64,
}

impl Best {
    /// Times calls, one after the other.
    pub(crate) async fn add_times(&mut self, caller: &Caller) -> Done {
        let mut times = Vec::with_capacity(TIMED);
        for number in 0..BEFORE + TIMED {
            let start = Instant::now();
            caller.call(number).await?;
            times.push(start.elapsed());
        }
        let times = &mut times[BEFORE..];
        times.sort_unstable();
        let (least, half) = (times[0], times[TIMED / 2]);
        let (best_least, best_half) = self.times.unwrap_or((least, half));
        self.times = Some((least.min(best_least), half.min(best_half)));
        Ok(())
    }

    /// Counts the calls of a time, `at_once` of them at the same time.
    pub(crate) async fn add_rate(&mut self, caller: &Caller, at_once: usize) -> Done {
        let mut callers = JoinSet::new();
        let start = Instant::now();
        for place in 0..at_once {
            let caller = caller.clone();
            callers.spawn(async move {
                let mut made = 0_u32;
                while start.elapsed() < COUNTED {
                    caller.call(place).await?;
                    made += 1;
                }
                Done::Ok(made)
            });
        }
        let mut made = 0;
        while let Some(ended) = callers.join_next().await {
            made += ended??;
        }
        let rate = f64::from(made) / start.elapsed().as_secs_f64();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of calls
        let rate = rate.round() as u64;
        self.rate = self.rate.max(rate);
        Ok(())
    }

    pub(crate) fn to_json(&self) -> Value {
        let (least, half) = self.times.unwrap_or_default();
        json!({ "least": micros(least), "half": micros(half), "rate": self.rate })
    }
}

/// Microseconds, with one digit behind the point.
pub(crate) fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 10.0
}
