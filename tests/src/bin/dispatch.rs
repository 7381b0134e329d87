//! Measures what a `Toolset` adds to a call: `cargo run --release -p callpact-tests --bin
//! dispatch`.

#![allow(clippy::unnecessary_literal_bound)] // the signature of the trait, as users write it

use std::{
    future::Future,
    hint::black_box,
    pin::pin,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use callpact::{
    AgentTool, Dialect, Permission, Policy, ToolCall, ToolContext, ToolInput, ToolResult, Toolset,
    TypedAgentTool, read_str,
};

#[derive(ToolInput)]
struct Input {
    /// The first number
    a: i64,
    b: i64,
    /// What to call it
    label: Option<String>,
}

struct Add(String);

impl TypedAgentTool for Add {
    type Input = Input;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        &self.0
    }
    fn description(&self) -> &str {
        "Adds two numbers and gives the sum a name."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: Input, _: &ToolContext) -> String {
        input.label.unwrap_or_default() + &(input.a + input.b).to_string()
    }
}

fn ready<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            return value;
        }
    }
}

/// Nanoseconds for one turn: the best of many rounds, because noise only adds time.
fn best(turns: u32, mut work: impl FnMut()) -> f64 {
    let mut least = Duration::MAX;
    for _ in 0..40 {
        let started = Instant::now();
        for _ in 0..turns {
            work();
        }
        least = least.min(started.elapsed());
    }
    least.as_secs_f64() * 1e9 / f64::from(turns)
}

fn tools(count: usize) -> Toolset {
    let many: Vec<_> = (0..count)
        .map(|i| Add(format!("tool_number_{i}")))
        .collect();
    match Toolset::builder().tools(many).build() {
        Ok(tools) => tools,
        Err(error) => unreachable!("{error}"),
    }
}

fn main() {
    let arguments = r#"{"a": 12345, "b": 67890, "label": "the sum of it is "}"#;
    let cx = ToolContext::new();
    let alone = Add("alone".into());
    let bare = best(5_000, || {
        let read = read_str::<Input>(black_box(arguments), &Policy::lax());
        if let Ok(read) = read {
            let text = ready(TypedAgentTool::execute(&alone, read.value, &cx));
            black_box(ToolResult::success(text));
        }
    });
    println!("reading and running           {bare:>10.0} ns");
    let bridge = best(5_000, || {
        black_box(ready(AgentTool::execute(&alone, black_box(arguments), &cx)));
    });
    println!("through `AgentTool::execute`  {bridge:>10.0} ns");
    for count in [10, 1_000, 10_000] {
        let tools = tools(count);
        let calls: Vec<_> = (0..count.min(64))
            .map(|i| {
                ToolCall::new(
                    "call-1",
                    format!("tool_number_{}", i * 7919 % count),
                    arguments,
                )
            })
            .collect();
        let mut next = calls.iter().cycle();
        let through = best(5_000, || {
            if let Some(call) = next.next() {
                black_box(ready(tools.call(black_box(call), &cx))).ok();
            }
        });
        let above = through - bare;
        println!("through {count:>6} tools           {through:>10.0} ns, {above:.0} ns above");
    }
    let resolve = best(1, || {
        black_box(tools(10_000));
    });
    println!("making and resolving 10,000   {:>10.2} ms", resolve / 1e6);
    let all = tools(10_000);
    for dialect in [Dialect::Portable, Dialect::OpenAiStrict] {
        let emit = best(1, || {
            black_box(all.specs(dialect));
        });
        let bytes = all.specs(dialect).len();
        println!(
            "specs of 10,000, {dialect}: {:.2} ms, {bytes} bytes",
            emit / 1e6
        );
    }
    let unknown = ToolCall::new("c", "tool_nubmer_77", "{}");
    let miss = best(1, || {
        black_box(ready(all.call(&unknown, &cx))).ok();
    });
    println!("an unknown tool among 10,000  {:>10.2} ms", miss / 1e6);
}
