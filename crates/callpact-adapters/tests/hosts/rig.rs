//! rig, its agent and its client of the chat API.

use std::sync::{Arc, Mutex};

use callpact::{
    Dialect, Halt, Permission, PermissionMode, ReviewDecision, ToolContext, ToolInput, Toolset,
    TypedAgentTool, tool,
};
use callpact_adapters::rig::{CallpactTools, Halts, NamedTool, RigTool, RigTools, Structured};
use callpact_testing::RecordingReviewer;
use rig_agent::{
    Agent, AgentBuilder,
    agent::{AgentHook, HookContext, OutcomeAction, OutcomeEvent},
    completion::PromptError,
};
use rig_core::{
    providers::openai::OpenAIConfig,
    tool::{ContextValue, ToolContext as RigContext},
};
use rig_reqwest::ReqwestClient;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    server::{Server, calls, http, sent_back, text, told},
    tools::{CHART_IN_WORDS, SOUND, TWO_FAULTS, charts, toolset, with_secrets},
};

fn model(server: &Server) -> rig_core::DynModel<rig_core::operation::Completion> {
    let config = OpenAIConfig::new("none").with_base_url(server.base().trim_end_matches('/'));
    let client = config.connect(ReqwestClient::from(http()));
    client.chat("scripted").into()
}

fn agent(server: &Server, tools: &RigTools) -> Agent {
    let agent = AgentBuilder::new(model(server)).callpact(tools);
    agent.default_max_turns(8).build()
}

async fn ask(server: &Server, tools: &RigTools) -> Result<String, PromptError> {
    let response = agent(server, tools).prompt("Go on.").await?;
    Ok(response.output())
}

fn is_cancelled(error: &PromptError, why: &str) -> bool {
    matches!(error, PromptError::Cancelled { reason, .. } if reason == why)
}

#[tokio::test]
async fn a_faulty_call_is_answered_and_corrected() {
    let server = Server::start([
        calls(&[("call_1", "weather", r#"{"citty": "Bergen", "days": 9}"#)]),
        calls(&[("call_2", "weather", r#"{"city": "Bergen", "days": "2"}"#)]),
        text("9.5 degrees."),
    ])
    .await;
    let answer = ask(&server, &RigTools::new(toolset())).await;
    assert_eq!(answer.expect("an answer"), "9.5 degrees.");
    let asked = server.asked();
    assert_eq!(told(&asked[1], "call_1"), TWO_FAULTS);
    assert_eq!(told(&asked[2], "call_2"), r#"{"temperature":9.5}"#);
    let tool = &asked[0]["tools"][0]["function"];
    assert_eq!(tool["name"], "weather");
    assert_eq!(tool["parameters"]["required"], json!(["city"]));
}

#[tokio::test]
async fn an_unknown_tool_does_not_end_the_run() {
    let server = Server::start([
        calls(&[("call_1", "wether", r#"{"city": "Bergen"}"#)]),
        text("I give up."),
    ])
    .await;
    let answer = ask(&server, &RigTools::new(toolset())).await;
    assert_eq!(answer.expect("an answer"), "I give up.");
    assert_eq!(
        told(&server.asked()[1], "call_1"),
        "Error: Unknown tool 'wether'. Did you mean 'weather'? \
         Available tools: weather, delete_report, login"
    );
}

#[tokio::test]
async fn reports_invalid_json_without_running_call() {
    let server = Server::start([
        calls(&[("call_1", "weather", r#"{"city": "Berg"#)]),
        calls(&[("call_2", "delete_report", r#"{"name": "q3"#)]),
        text("I give up."),
    ])
    .await;
    let reviewer = RecordingReviewer::new([ReviewDecision::Continue]);
    let cx = ToolContext::new()
        .with_policy(callpact::Policy::repair())
        .with_reviewer(reviewer.clone());
    let tools = RigTools::new(toolset()).with_context(cx);
    ask(&server, &tools).await.expect("an answer");
    let asked = server.asked();
    for (request, id) in [(&asked[1], "call_1"), (&asked[2], "call_2")] {
        let told = told(request, id);
        assert!(told.contains("argument"), "{told}");
        assert!(
            !told.contains("deleted") && !told.contains("temperature"),
            "{told}"
        );
        // rig mends it in the history, and the model learns that.
        serde_json::from_str::<Value>(sent_back(request, id)).expect("JSON goes back");
        assert!(told.ends_with("and they did not run."), "{told}");
    }
    assert!(reviewer.requests().is_empty(), "nobody is asked about it");
}

#[tokio::test]
async fn model_reads_callpact_report_on_array_arguments() {
    let server = Server::start([
        calls(&[("call_1", "weather", "[1, 2]")]),
        text("I give up."),
    ])
    .await;
    let answer = ask(&server, &RigTools::new(toolset())).await;
    answer.expect("an answer");
    let asked = server.asked();
    let told = told(&asked[1], "call_1");
    assert!(told.starts_with("Error: Invalid arguments"), "{told}");
}

#[tokio::test]
async fn what_was_dropped_is_told() {
    let server = Server::start([
        calls(&[("call_1", "weather", r#"{"city": "Bergen", "unit": "F"}"#)]),
        text("7.5 degrees."),
    ])
    .await;
    let answer = ask(&server, &RigTools::new(toolset())).await;
    answer.expect("an answer");
    let asked = server.asked();
    let told = told(&asked[1], "call_1");
    assert!(told.ends_with("- unit: not a parameter, ignored"), "{told}");
}

#[tokio::test]
async fn what_is_denied_is_answered() {
    let server = Server::start([
        calls(&[("call_1", "delete_report", r#"{"name": "q3"}"#)]),
        text("Then not."),
    ])
    .await;
    let cx = ToolContext::new().with_permissions(PermissionMode::Deny);
    let tools = RigTools::new(toolset()).with_context(cx);
    let answer = ask(&server, &tools).await;
    assert_eq!(answer.expect("an answer"), "Then not.");
    assert_eq!(
        told(&server.asked()[1], "call_1"),
        "Error: Tool 'delete_report' destroys things, which is not allowed here. Go on without it."
    );
    assert!(tools.take_halts().is_empty());
}

#[tokio::test]
async fn what_is_rejected_ends_the_run() {
    let server = Server::start([
        calls(&[("call_1", "delete_report", r#"{"name": "q3"}"#)]),
        text("Never said."),
    ])
    .await;
    let reviewer = RecordingReviewer::new([ReviewDecision::REJECT]);
    let cx = ToolContext::new().with_reviewer(reviewer.clone());
    let tools = RigTools::new(toolset()).with_context(cx);
    let error = ask(&server, &tools).await.expect_err("a halt");
    let why = "the call of 'delete_report' was rejected by the reviewer";
    assert!(is_cancelled(&error, why), "{error}");
    assert!(matches!(&tools.take_halts()[..], [Halt::ExitEarly { .. }]));
    assert_eq!(reviewer.requests()[0].call_id, "call_1");
    assert_eq!(server.asked().len(), 1, "the model is not asked again");
}

#[tokio::test]
async fn pending_call_ends_run_and_resumes() {
    let server = Server::start([
        calls(&[("call_1", "delete_report", r#"{"name": "q3"}"#)]),
        text("Never said."),
    ])
    .await;
    let cx = ToolContext::new().with_deferred_approval();
    let tools = RigTools::new(toolset()).with_context(cx.clone());
    ask(&server, &tools).await.expect_err("a halt");
    let halts = tools.take_halts();
    let [Halt::Pending(pending)] = &halts[..] else {
        panic!("{halts:?}");
    };
    assert_eq!(pending.call_id, "call_1");
    let list = toolset();
    let resumed = list.decide(pending, ReviewDecision::Continue, &cx).await;
    assert_eq!(resumed.expect("a reply").to_model(), "deleted q3");
}

#[tokio::test]
async fn runs_edited_call_and_hides_secret() {
    let server = Server::start([
        calls(&[
            ("call_1", "delete_report", r#"{"name": "everything"}"#),
            ("call_2", "login", r#"{"token": "<secret_ref:api_token>"}"#),
        ]),
        text("Done."),
    ])
    .await;
    let reviewer = RecordingReviewer::new([
        ReviewDecision::Edit(r#"{"name": "q3"}"#.to_owned()),
        ReviewDecision::Continue,
    ]);
    let tools = RigTools::new(toolset()).with_context(with_secrets().with_reviewer(reviewer));
    ask(&server, &tools).await.expect("an answer");
    let asked = server.asked();
    assert_eq!(
        told(&asked[1], "call_1"),
        "deleted q3\n\nNote: a person edited this call to: {\"name\": \"q3\"}"
    );
    assert_eq!(
        told(&asked[1], "call_2"),
        "logged in with <secret_ref:api_token>, 15 characters"
    );
}

#[tokio::test]
async fn sends_images_beside_text_on_request() {
    let script = || {
        [
            calls(&[("call_1", "chart", r#"{"input": "costs"}"#)]),
            text("Nice."),
        ]
    };
    let server = Server::start(script()).await;
    let tools = RigTools::new(charts());
    ask(&server, &tools).await.expect("an answer");
    assert_eq!(told(&server.asked()[1], "call_1"), CHART_IN_WORDS);

    let server = Server::start(script()).await;
    ask(&server, &tools.with_images(true))
        .await
        .expect("an answer");
    let asked = server.asked();
    let told = told(&asked[1], "call_1");
    assert!(
        told.starts_with("a chart\n") && told.ends_with(SOUND),
        "{told}"
    );
    assert!(!told.contains("image/png"), "it is shown: {told}");
    // In chat completions rig sends the images of a result in a user message after it.
    let messages = asked[1]["messages"].as_array().expect("messages");
    let picture = &messages.last().expect("a message")["content"][1]["image_url"];
    assert_eq!(picture["url"], "data:image/png;base64,iVBORw0KGgo=");
}

#[derive(Serialize, Deserialize)]
struct User(String);

impl ContextValue for User {
    const KEY: &'static str = "user";
}

/// The user of the session
#[tool(read_only)]
fn whoami(cx: &ToolContext) -> String {
    let user = cx.get::<User>().map_or("nobody", |user| &user.0);
    format!("{user}, {}", cx.role())
}

/// Keeps the structured output of every call.
#[derive(Clone, Default)]
struct Outputs(Arc<Mutex<Vec<Option<Structured>>>>);

impl AgentHook for Outputs {
    async fn on_outcome(&self, _: &HookContext, event: OutcomeEvent<'_>) -> OutcomeAction {
        if let Some(context) = event.tool_context() {
            let output = context.result::<Structured>().expect("of that form");
            self.0.lock().expect("no panic").push(output);
        }
        OutcomeAction::proceed()
    }
}

#[tokio::test]
async fn contexts_meet_and_structured_output_reaches_the_program() {
    let server = Server::start([
        calls(&[
            ("call_1", "whoami", "{}"),
            ("call_2", "weather", r#"{"city": "Bergen"}"#),
        ]),
        text("Done."),
    ])
    .await;
    let list = Toolset::builder().tool(Whoami).tools(toolset()).build();
    let tools = RigTools::new(list.expect("nothing conflicts"))
        .with_context(ToolContext::new().with_role("researcher"))
        .with_context_of_call(|cx, theirs| match theirs.get::<User>() {
            Ok(Some(user)) => cx.with(user),
            _ => cx,
        });
    let outputs = Outputs::default();
    let agent = AgentBuilder::new(model(&server))
        .callpact(&tools)
        .add_hook(outputs.clone())
        .default_max_turns(4)
        .build();
    let mut theirs = RigContext::new();
    theirs.insert(User("ada".to_owned())).expect("it is data");
    let run = agent.prompt("Go on.").tool_context(theirs);
    assert_eq!(run.await.expect("an answer").output(), "Done.");
    assert_eq!(told(&server.asked()[1], "call_1"), "ada, researcher");
    let outputs = outputs.0.lock().expect("no panic");
    assert_eq!(
        outputs[..],
        [None, Some(Structured(json!({"temperature": 7.5})))]
    );
}

#[derive(ToolInput)]
struct AddInput {
    a: i64,
    b: i64,
}

struct Add;

impl NamedTool for Add {
    const NAME: &'static str = "add";
}

impl TypedAgentTool for Add {
    type Input = AddInput;
    type Output = Result<i64, Halt>;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "sum"
    }
    fn description(&self) -> &'static str {
        "Adds two numbers."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: AddInput, _: &ToolContext) -> Self::Output {
        let sum = input.a.checked_add(input.b);
        sum.ok_or_else(|| Halt::misconfigured("no numbers are left"))
    }
}

#[tokio::test]
async fn one_typed_tool_is_a_tool_of_rig() {
    let server = Server::start([
        calls(&[("call_1", "add", r#"{"a": 1.5}"#)]),
        calls(&[("call_2", "add", r#"{"a": "2", "b": 3}"#)]),
        calls(&[("call_3", "add", r#"{"a": 9223372036854775807, "b": 1}"#)]),
        text("Never said."),
    ])
    .await;
    let halts = Halts::default();
    let agent = AgentBuilder::new(model(&server))
        .tool(RigTool::new(Add).expect("a tool"))
        .add_hook(halts.clone())
        .default_max_turns(8)
        .build();
    let error = agent.prompt("Go on.").await.expect_err("a halt");
    assert!(is_cancelled(&error, "no numbers are left"), "{error}");
    assert!(matches!(&halts.take()[..], [Halt::Misconfigured(_)]));
    let asked = server.asked();
    let faults = told(&asked[1], "call_1");
    assert!(
        faults.starts_with("Error: Invalid arguments, 2 problems:"),
        "{faults}"
    );
    assert_eq!(told(&asked[2], "call_2"), "5");
    assert_eq!(asked.len(), 3, "the model is not asked again");
}

#[tokio::test]
async fn uses_configured_dialect_and_context() {
    // The strict dialect requires every parameter; the portable one does not require optional ones.
    let portable = RigTools::new(toolset());
    let strict = portable.clone().with_dialect(Dialect::OpenAiStrict);
    let required = |tools: &RigTools| {
        let definition = tools.dynamic_tools()[0].definition();
        definition.parameters["required"].clone()
    };
    assert_eq!(required(&portable), json!(["city"]));
    assert_eq!(required(&strict), json!(["city", "days"]));

    let single = RigTool::new(Forecaster).expect("a tool");
    let definition = rig_core::tool::Tool::parameters(&single);
    assert_eq!(definition["required"], json!(["city"]));
    let single = single
        .with_dialect(Dialect::OpenAiStrict)
        .with_context(ToolContext::new().with_role("researcher"));
    let definition = rig_core::tool::Tool::parameters(&single);
    assert_eq!(definition["required"], json!(["city", "days"]));

    let server = Server::start([
        calls(&[("call_1", "forecast", r#"{"city": "Bergen", "days": null}"#)]),
        calls(&[("call_2", "weather", r#"{"city": "Bergen"}"#)]),
        text("Rain."),
    ])
    .await;
    // An agent with tools of its own gets these too.
    let agent = AgentBuilder::new(model(&server))
        .tool(single)
        .callpact(&portable)
        .default_max_turns(4)
        .build();
    assert_eq!(
        agent.prompt("Go on.").await.expect("an answer").output(),
        "Rain."
    );
    let asked = server.asked();
    assert_eq!(told(&asked[1], "call_1"), "Bergen for researcher");
    assert_eq!(told(&asked[2], "call_2"), r#"{"temperature":7.5}"#);
}

#[derive(ToolInput)]
struct ForecastInput {
    city: String,
    days: Option<u32>,
}

struct Forecaster;

impl NamedTool for Forecaster {
    const NAME: &'static str = "forecast";
}

impl TypedAgentTool for Forecaster {
    type Input = ForecastInput;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "forecast"
    }
    fn description(&self) -> &'static str {
        "Forecasts."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: ForecastInput, cx: &ToolContext) -> String {
        match input.days {
            Some(days) => format!("{} in {days} days", input.city),
            None => format!("{} for {}", input.city, cx.role()),
        }
    }
}
