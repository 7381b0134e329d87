//! Pipelines: section 1.8, row by row, and what we add to it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::kit::{Add, Counts, call, echo, once, text};
use callpact::{
    AgentTool, Dialect, Halt, Outcome, Permission, PipelineErrorStrategy, ToolContext,
    ToolPipeline, ToolResult, ToolSpec, Toolset,
};

fn upper() -> impl AgentTool + 'static {
    text("upper", |input, _| {
        ToolResult::success(input.to_uppercase())
    })
}

fn fails() -> impl AgentTool + 'static {
    text("fails", |_, _| ToolResult::failure("no luck"))
}

async fn run(pipeline: ToolPipeline, input: &str) -> ToolResult {
    pipeline.execute(input, &ToolContext::new()).await
}

#[tokio::test]
async fn of_names_and_describes_itself() {
    let pipeline = ToolPipeline::of(echo("a")).then(upper());
    assert_eq!(
        (pipeline.name(), pipeline.description()),
        ("a_then_upper", "Pipeline: a -> upper")
    );
    assert_eq!(
        ToolPipeline::of(echo("a")).name(),
        "a",
        "a single step is just its name"
    );
    assert_eq!(pipeline.steps().collect::<Vec<_>>(), ["a", "upper"]);
    assert_eq!(run(pipeline, "x").await.output(), "X");
}

#[test]
fn explicit_name_and_description_stay() {
    let pipeline = ToolPipeline::new("p", "does it")
        .then(echo("a"))
        .then(upper());
    assert_eq!((pipeline.name(), pipeline.description()), ("p", "does it"));
}

#[test]
fn builder_rejects_blank_pipeline_name_or_description() {
    for (name, description) in [("", "d"), (" ", "d"), ("p", ""), ("p", "  ")] {
        let pipeline = ToolPipeline::new(name, description).then(echo("a"));
        assert!(
            Toolset::builder().tool(pipeline).build().is_err(),
            "{name:?} {description:?}"
        );
    }
}

#[tokio::test]
async fn adapter_before_a_step_halts() {
    let pipeline = ToolPipeline::new("p", "d")
        .adapt(|_| String::new())
        .then(echo("a"));
    let tools = Toolset::builder().tool(pipeline.clone()).build().unwrap();
    let halt = tools
        .call(&call("p", "{}"), &ToolContext::new())
        .await
        .unwrap_err();
    assert_eq!(
        halt,
        Halt::misconfigured("pipeline 'p': adapt() must be called after a step")
    );
    assert!(run(pipeline, "").await.halted().is_some());
}

#[tokio::test]
async fn second_adapter_replaces_the_first() {
    let pipeline = ToolPipeline::of(echo("a"))
        .adapt(|_| "first".into())
        .adapt(|result| format!("second {}", result.output()))
        .then(echo("b"));
    assert_eq!(run(pipeline, "x").await.output(), "second x");
}

#[tokio::test]
async fn empty_pipeline_gives_its_input_back() {
    let empty = ToolPipeline::new("p", "d");
    assert_eq!(run(empty.clone(), "x").await.output(), "x");
    assert_eq!(run(empty.clone(), "").await.output(), "");
    assert_eq!(once(empty, r#"{"input":"y"}"#).await.to_model(), "y");
}

#[tokio::test]
async fn step_without_a_result_is_an_empty_success() {
    let nothing = text("nothing", |_, _| ToolResult::success(()));
    let pipeline = ToolPipeline::of(nothing)
        .then(text("len", |i, _| ToolResult::success(i.len().to_string())));
    assert_eq!(run(pipeline, "x").await.output(), "0");
}

#[tokio::test]
async fn fail_fast_is_default_and_names_step() {
    let ran = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&ran);
    let after = text("after", move |_, _| {
        own.fetch_add(1, Ordering::SeqCst);
        ToolResult::success("")
    });
    let pipeline = ToolPipeline::of(echo("a")).then(fails()).then(after);
    assert_eq!(pipeline.error_strategy(), PipelineErrorStrategy::FailFast);
    let result = run(pipeline, "x").await;
    assert_eq!(result.error(), Some("Step 'fails' failed: no luck"));
    assert_eq!(ran.load(Ordering::SeqCst), 0, "remaining steps are skipped");
}

#[tokio::test]
async fn continue_on_failure_hands_the_raw_message_on() {
    let called = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&called);
    let pipeline = ToolPipeline::of(fails())
        .adapt(move |_| {
            own.fetch_add(1, Ordering::SeqCst);
            String::new()
        })
        .then(echo("b"))
        .on_error(PipelineErrorStrategy::ContinueOnFailure);
    let result = run(pipeline, "x").await;
    assert_eq!(result.output(), "no luck", "without `Error: `");
    assert_eq!(
        called.load(Ordering::SeqCst),
        0,
        "the adapter is for successes"
    );
    let last = ToolPipeline::of(echo("a"))
        .then(fails())
        .on_error(PipelineErrorStrategy::ContinueOnFailure);
    assert_eq!(
        run(last, "x").await.error(),
        Some("Step 'fails' failed: no luck")
    );
}

#[tokio::test]
async fn adapter_only_when_a_step_follows() {
    let pipeline = ToolPipeline::of(echo("a")).adapt(|_| panic!("not called"));
    assert_eq!(run(pipeline, "x").await.output(), "x");
}

#[tokio::test]
async fn adapter_sees_structured_output() {
    let first = text("first", |_, _| {
        ToolResult::success("t").with_structured(serde_json::json!({"n": 4}))
    });
    let pipeline = ToolPipeline::of(first)
        .adapt(|result| format!(r#"{{"a":{},"b":1}}"#, result.structured().unwrap()["n"]))
        .then(Add);
    assert_eq!(run(pipeline, "").await.output(), "5");
}

#[tokio::test]
async fn adapter_crash_is_failure_naming_step() {
    let pipeline = ToolPipeline::of(echo("a"))
        .adapt(|_| panic!("/home/x"))
        .then(echo("b"));
    assert_eq!(
        run(pipeline, "").await.error(),
        Some("the adapter behind step 'a' crashed")
    );
}

#[tokio::test]
async fn a_step_that_crashes_is_named() {
    let pipeline = ToolPipeline::of(echo("a")).then(text("boom", |_, _| panic!("/home/x")));
    let result = run(pipeline, "").await;
    assert_eq!(
        result.error(),
        Some("Step 'boom' failed: it crashed; what it was doing may be half done")
    );
    let on = ToolPipeline::of(text("boom", |_, _| panic!("x")))
        .then(echo("b"))
        .on_error(PipelineErrorStrategy::ContinueOnFailure);
    assert!(run(on, "").await.output().starts_with("it crashed"));
}

#[tokio::test]
async fn halts_propagate_under_both_strategies() {
    for strategy in [
        PipelineErrorStrategy::FailFast,
        PipelineErrorStrategy::ContinueOnFailure,
    ] {
        for place in 0..3 {
            let stop = || text("stop", |_, _| ToolResult::halt(Halt::exit_early("enough")));
            let pipeline = match place {
                0 => ToolPipeline::of(stop()).then(echo("b")),
                1 => ToolPipeline::of(echo("a")).then(stop()).then(echo("b")),
                _ => ToolPipeline::of(echo("a"))
                    .then(ToolPipeline::of(stop()).then(echo("c")))
                    .then(echo("b")),
            };
            let pipeline = ToolPipeline::new("p", "d").then(pipeline.on_error(strategy));
            let tools = Toolset::builder().tool(pipeline).build().unwrap();
            let halt = tools
                .call(&call("p", "{}"), &ToolContext::new())
                .await
                .unwrap_err();
            assert_eq!(halt, Halt::exit_early("enough"));
        }
    }
}

#[tokio::test]
async fn context_and_metrics_reach_nested_pipelines() {
    struct Mark(&'static str);
    let sees = || {
        text("sees", |_, cx| {
            let mark = cx.get::<Mark>().map(|mark| mark.0).unwrap_or_default();
            ToolResult::success(format!(
                "{} {} {} {mark}",
                cx.tool_name(),
                cx.call_id(),
                cx.role()
            ))
        })
    };
    let inner = ToolPipeline::new("inner", "d").then(echo("a")).then(sees());
    let outer = ToolPipeline::new("outer", "d")
        .then(inner)
        .then(echo("last"));
    let tools = Toolset::builder().tool(outer).build().unwrap();
    let counts = Counts::default();
    let cx = ToolContext::new()
        .with_role("r")
        .with_metrics(counts.clone())
        .with(Mark("mark"));
    let reply = tools.call(&call("outer", "{}"), &cx).await.unwrap();
    assert_eq!(reply.to_model(), "sees call-1 r mark");
    let successes: Vec<_> = counts
        .lines()
        .into_iter()
        .filter(|line| line.starts_with("success"))
        .collect();
    assert_eq!(
        successes,
        [
            "success a r",
            "success sees r",
            "success inner r",
            "success last r",
            "success outer r"
        ]
    );
}

#[tokio::test]
async fn a_typed_first_step_exposes_its_schema() {
    let pipeline = ToolPipeline::of(Add).then(upper());
    assert_eq!(
        ToolSpec::of(&pipeline, Dialect::Portable).parameters,
        ToolSpec::of(&Add, Dialect::Portable).parameters
    );
    assert_eq!(
        once(pipeline.clone(), r#"{"a":1,"b":2}"#).await.to_model(),
        "3"
    );
    let reply = once(pipeline.clone(), r#"{"a":1}"#).await;
    assert_eq!(reply.outcome, Outcome::InvalidArguments);
    let reply = once(pipeline, r#"{"a":13,"b":2}"#).await;
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Refused, "Error: 13 is not added here")
    );
}

#[tokio::test]
async fn invalid_input_of_later_step_is_failure() {
    let reply = once(ToolPipeline::of(echo("a")).then(Add), r#"{"input":"{}"}"#).await;
    assert_eq!(reply.outcome, Outcome::Failure);
    assert!(
        reply.result.report().is_none(),
        "it is not about what the model wrote"
    );
    assert!(
        reply
            .to_model()
            .starts_with("Error: Step 'add' failed: Invalid arguments, 2 problems:"),
        "{}",
        reply.to_model()
    );
}

#[test]
fn names_stay_within_the_limit() {
    let long = || {
        text("a_name_of_some_length_that_somebody_chose", |i, _| {
            ToolResult::success(i)
        })
    };
    let one = ToolPipeline::of(long()).then(long()).then(echo("a"));
    let other = ToolPipeline::of(long()).then(long()).then(echo("b"));
    assert_eq!(one.name().len(), 64);
    assert_ne!(
        one.name(),
        other.name(),
        "what differs behind the cut stays apart"
    );
    assert!(Toolset::builder().tool(one).tool(other).build().is_ok());
}

#[test]
fn pipeline_has_permission_of_most_powerful_step() {
    let destroys = destroys();
    assert_eq!(
        ToolPipeline::of(Add).then(destroys).permission(),
        Permission::Destructive
    );
    assert_eq!(
        ToolPipeline::new("p", "d").permission(),
        Permission::ReadOnly
    );
}

fn destroys() -> impl AgentTool + 'static {
    let mut tool = text("destroys", |i, _| ToolResult::success(i));
    tool.permission = Permission::Destructive;
    tool
}
