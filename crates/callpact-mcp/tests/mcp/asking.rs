//! A server asks the user of its client, in both revisions of the protocol.
#![allow(clippy::similar_names)] // a server, and where it is served

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use callpact::{
    AgentTool, Permission, PermissionMode, ReviewDecision, ReviewRequest, State, ToolCall,
    ToolContext, ToolResult, Toolset,
    review::auto_approve,
    store::{CallStore, MemoryStore},
    tool,
};
use callpact_mcp::{
    client::{Elicited, McpConfig},
    server::{AskClients, ToolServer},
};
use rmcp::{
    ClientHandler, ErrorData, RoleClient, ServiceError, ServiceExt,
    model::{
        CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
        ElicitResult, ElicitationAction, ElicitationCapability, Implementation,
        InputRequiredResult,
    },
    service::{ClientServiceExt, RequestContext, RunningService},
};
use serde_json::{Value, json};

use crate::{
    help::{Served, connect, connect_modern, modern, request, serve, text},
    identity::Log,
    peer::transport,
};

const SECRET: &[u8] = b"thirty-two bytes from a safe place";

/// Pays a bill
#[tool(destructive)]
fn pay(euros: u32, State(paid): State<Mutex<Vec<u32>>>) -> String {
    paid.lock().unwrap().push(euros);
    format!("paid {euros} EUR")
}

/// Asks in the middle of its work.
struct Ask(&'static str, Permission);

impl AgentTool for Ask {
    fn name(&self) -> &str {
        self.0
    }
    fn description(&self) -> &'static str {
        "Asks a person."
    }
    fn permission(&self) -> Permission {
        self.1
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        match cx.review(ReviewRequest::new(input)).await {
            Ok(ReviewDecision::Edit(answer)) => ToolResult::success(answer),
            Ok(decision) => ToolResult::failure(format!("{decision:?}")),
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

/// Replaces a text, which changes once: when its first version was shown.
struct Replace(Arc<AtomicUsize>);

impl AgentTool for Replace {
    fn name(&self) -> &'static str {
        "replace"
    }
    fn description(&self) -> &'static str {
        "Replaces a text."
    }
    fn preview_text(&self, _: &str) -> Option<callpact::review::Preview> {
        let version = self.0.fetch_max(1, Ordering::SeqCst);
        Some(format!("-version {version}").into())
    }
    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success("replaced")
    }
}

type Paid = Arc<Mutex<Vec<u32>>>;

fn tools() -> Toolset {
    Toolset::builder()
        .tool(Pay)
        .tool(Ask("ask", Permission::ReadOnly))
        .tool(Ask("erase", Permission::Write))
        .build()
        .unwrap()
}

/// A server that asks, and what its tool has paid.
fn asking(cx: ToolContext) -> (ToolServer, Paid) {
    let paid = Paid::default();
    let cx = cx.with(Arc::clone(&paid));
    let server = ToolServer::new(tools(), cx).ask_clients(AskClients::new(SECRET).unwrap());
    (server, paid)
}

/// A client whose user gives this answer to everything.
#[derive(Clone)]
struct User(ElicitResult, Arc<Mutex<Vec<ElicitRequestParams>>>);

impl User {
    fn new(action: ElicitationAction, content: Value) -> Self {
        let answer = ElicitResult::new(action);
        let answer = if content.is_null() {
            answer
        } else {
            answer.with_content(content)
        };
        Self(answer, Arc::default())
    }
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let mut can = ClientCapabilities::default();
        can.elicitation = Some(ElicitationCapability::new());
        ClientConfig::new(can, Implementation::new("a client", "1"))
    }

    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.1.lock().unwrap().push(asked);
        Ok(self.0.clone())
    }
}

/// Connects a user in the older and in the newer revision.
async fn both(served: &Served, user: &User) -> [RunningService<RoleClient, User>; 2] {
    let older = user.clone().serve(transport(&served.url)).await.unwrap();
    let newer = user.clone();
    let newer = newer.serve_with_lifecycle(transport(&served.url), modern());
    [older, newer.await.unwrap()]
}

/// Makes one call in each revision; what it came to must be the same.
async fn outcome(
    served: &Served,
    user: &User,
    tool: &str,
    arguments: Value,
) -> Result<CallToolResult, String> {
    let [older, newer] = both(served, user).await;
    let call = async |client: &RunningService<RoleClient, User>| {
        let called = client.call_tool(request(tool, arguments.clone())).await;
        called.map_err(|error| match error {
            ServiceError::McpError(error) => error.message.into_owned(),
            other => panic!("{other:?}"),
        })
    };
    let (older, newer) = (call(&older).await, call(&newer).await);
    match (&older, &newer) {
        (Ok(one), Ok(other)) => assert_eq!(
            (text(one), one.is_error),
            (text(other), other.is_error),
            "both revisions"
        ),
        (Err(one), Err(other)) => assert_eq!(one, other, "both revisions"),
        other => panic!("{other:?}"),
    }
    newer
}

#[tokio::test]
async fn user_of_client_decides_in_both_revisions() {
    let (server, paid) = asking(ToolContext::new());
    let served = serve(server).await;
    let ninety = || json!({"euros": 90});
    let accept = ElicitationAction::Accept;

    let yes = User::new(
        accept.clone(),
        json!({"decision": "approve", "arguments": " ", "reason": ""}),
    );
    let result = outcome(&served, &yes, "pay", ninety()).await.unwrap();
    assert_eq!(text(&result), "paid 90 EUR");
    let asked = yes.1.lock().unwrap().clone();
    assert_eq!(asked.len(), 2, "once in each revision");
    for asked in asked {
        let ElicitRequestParams::FormElicitationParams { message, .. } = asked else {
            panic!("a form");
        };
        assert!(message.starts_with("Call pay\n"), "{message}");
        assert!(message.contains(r#"Arguments: {"euros":90}"#), "{message}");
    }

    let edit = json!({"decision": "approve", "arguments": "{\"euros\": 80}"});
    let result = outcome(&served, &User::new(accept.clone(), edit), "pay", ninety()).await;
    assert_eq!(text(&result.unwrap()), "paid 80 EUR");
    // An edit is read like arguments of the model.
    let edit = json!({"decision": "approve", "arguments": "{\"euros\": -1}"});
    let result = outcome(&served, &User::new(accept.clone(), edit), "pay", ninety()).await;
    assert!(text(&result.unwrap()).contains("euros: expected"));
    let no = json!({"decision": "refuse", "reason": "too much"});
    let result = outcome(&served, &User::new(accept.clone(), no), "pay", ninety()).await;
    let refused = "Error: The reviewer refused the call of 'pay': too much";
    assert_eq!(text(&result.unwrap()), refused);
    let decline = User::new(ElicitationAction::Decline, Value::Null);
    let result = outcome(&served, &decline, "pay", ninety()).await;
    let refused = "Error: The reviewer refused the call of 'pay'. Go on without it.";
    assert_eq!(text(&result.unwrap()), refused);
    // Only a clear yes counts.
    for (action, content) in [
        (ElicitationAction::Cancel, Value::Null),
        (accept.clone(), Value::Null),
        (accept.clone(), json!({"decision": "yes"})),
        (accept.clone(), json!({"decision": true})),
        (accept.clone(), json!({"decision": ["approve"]})),
        // Other arguments in a form that cannot be read are not the arguments that were shown.
        (
            accept.clone(),
            json!({"decision": "approve", "arguments": {"euros": 80}}),
        ),
        (
            accept.clone(),
            json!({"decision": "approve", "arguments": 80}),
        ),
        (
            accept.clone(),
            json!({"decision": "approve", "arguments": false}),
        ),
        // A yes and a reason for a no contradict each other, and what was not asked for may mean more.
        (
            accept.clone(),
            json!({"decision": "approve", "reason": "too much"}),
        ),
        (accept.clone(), json!({"decision": "approve", "reason": 5})),
        (accept.clone(), json!({"decision": "approve", "not": true})),
        (accept, json!("approve")),
    ] {
        let user = User::new(action, content);
        let result = outcome(&served, &user, "pay", ninety()).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        assert_eq!(
            text(&result),
            "Error: the call was not approved. Go on without it."
        );
    }
    assert_eq!(*paid.lock().unwrap(), [90, 90, 80, 80]);
}

#[tokio::test]
async fn preview_must_still_hold_when_call_runs() {
    let yes = || User::new(ElicitationAction::Accept, json!({"decision": "approve"}));
    let previews = |user: &User| -> Vec<String> {
        let asked = user.1.lock().unwrap();
        let preview = |asked: &ElicitRequestParams| match asked {
            ElicitRequestParams::FormElicitationParams { message, .. } => {
                let (_, preview) = message.rsplit_once("\n\nPreview: ").unwrap();
                preview.to_owned()
            }
            other => panic!("{other:?}"),
        };
        asked.iter().map(preview).collect()
    };
    // A text that changes when it was shown once, and one that does not.
    for (changes, shown) in [
        (true, ["-version 0", "-version 1"]),
        (false, ["-version 1"; 2]),
    ] {
        let served = async || {
            let replace = Replace(AtomicUsize::new(usize::from(!changes)).into());
            let server = ToolServer::new(Toolset::single(replace).unwrap(), ToolContext::new());
            serve(server.ask_clients(AskClients::new(SECRET).unwrap())).await
        };
        // The older revision holds the call while it asks, so the call is refused.
        let (one, user) = (served().await, yes());
        let [older, _] = both(&one, &user).await;
        let result = older
            .call_tool(request("replace", json!({"input": "x"})))
            .await;
        let expected = if changes {
            "Error: Tool 'replace' did not run: what it would do has changed since it was shown for approval. \
             Make the call again if it is still needed"
        } else {
            "replaced"
        };
        assert_eq!(text(&result.unwrap()), expected);
        assert_eq!(previews(&user), shown[..1]);
        // In the newer one the call comes again, which is another question now.
        let (one, user) = (served().await, yes());
        let [_, newer] = both(&one, &user).await;
        let result = newer
            .call_tool(request("replace", json!({"input": "x"})))
            .await;
        assert_eq!(text(&result.unwrap()), "replaced");
        let asked = if changes { &shown[..] } else { &shown[..1] };
        assert_eq!(previews(&user), asked);
    }
}

#[tokio::test]
async fn answers_tool_question_in_both_revisions() {
    let (server, _) = asking(ToolContext::new());
    let served = serve(server).await;
    let user = User::new(ElicitationAction::Accept, json!({"answer": "the blue one"}));
    let which = json!({"input": "Which one?"});
    let result = outcome(&served, &user, "ask", which).await.unwrap();
    assert_eq!(text(&result), "the blue one");
    let result = outcome(&served, &user, "ask", json!({"input": ""})).await;
    assert_eq!(text(&result.unwrap()), "the blue one");
}

#[tokio::test]
async fn changing_tool_never_starts_twice() {
    let mode = ToolContext::new().with_permissions(PermissionMode::AllowAll);
    let (server, _) = asking(mode);
    let served = serve(server).await;
    let user = User::new(ElicitationAction::Accept, json!({"answer": "all of it"}));
    let [older, newer] = both(&served, &user).await;
    let what = json!({"input": "What?"});
    let result = older
        .call_tool(request("erase", what.clone()))
        .await
        .unwrap();
    assert_eq!(text(&result), "all of it");
    let result = newer.call_tool(request("erase", what)).await.unwrap();
    assert_eq!(
        text(&result),
        "Error: the call was not approved. Go on without it."
    );
}

async fn required(
    client: &RunningService<RoleClient, User>,
    tool: &str,
    arguments: Value,
) -> InputRequiredResult {
    match client
        .call_tool_once(request(tool, arguments))
        .await
        .unwrap()
    {
        CallToolResponse::InputRequired(required) => required,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_state_that_was_changed_is_refused() {
    let (server, paid) = asking(ToolContext::new());
    let served = serve(server).await;
    let user = User::new(ElicitationAction::Accept, json!({"decision": "approve"}));
    let [_, client] = both(&served, &user).await;
    let ninety = json!({"euros": 90});
    let state = required(&client, "pay", ninety.clone())
        .await
        .request_state
        .unwrap();
    let answer = json!({"action": "accept", "content": {"decision": "approve"}});
    let retry = async |tool: &str, arguments: &Value, state: String, answer: Option<Value>| {
        let mut request = request(tool, arguments.clone());
        request.request_state = Some(state);
        request.input_responses = answer.map(|answer| [("decision".to_owned(), answer)].into());
        client.call_tool_once(request).await
    };
    let refused = |result: Result<CallToolResponse, ServiceError>, why: &str| {
        let Err(ServiceError::McpError(error)) = result else {
            panic!("{why}: {result:?}");
        };
        assert!(error.message.contains("state"), "{why}: {error:?}");
    };
    for at in 0..state.len() {
        let mut bytes = state.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        let result = retry("pay", &ninety, changed, Some(answer.clone())).await;
        refused(result, &format!("byte {at}"));
    }
    let more = json!({"euros": 9000});
    refused(
        retry("pay", &more, state.clone(), Some(answer.clone())).await,
        "other arguments",
    );
    let other = retry(
        "ask",
        &json!({"input": "x"}),
        state.clone(),
        Some(answer.clone()),
    )
    .await;
    refused(other, "another tool");
    refused(
        retry("pay", &ninety, state.clone(), None).await,
        "no answer",
    );
    refused(
        retry("pay", &ninety, state.clone(), Some(json!(1))).await,
        "no answer",
    );
    assert!(paid.lock().unwrap().is_empty());
    let paid_now = retry("pay", &ninety, state.clone(), Some(answer.clone())).await;
    assert!(
        matches!(paid_now, Ok(CallToolResponse::Complete(_))),
        "{paid_now:?}"
    );

    // Another process with the secret takes the answer, one with another secret does not.
    let other = |ask: AskClients| {
        let cx = ToolContext::new().with(Arc::clone(&paid));
        serve(ToolServer::new(tools(), cx).ask_clients(ask))
    };
    let old = AskClients::new(SECRET).unwrap();
    let new = AskClients::new(b"another secret of thirty-two bytes").unwrap();
    for (ask, works) in [
        (old.clone(), true),
        (new.clone().accepting(&old), true),
        (new, false),
    ] {
        let served = other(ask).await;
        let [_, client] = both(&served, &user).await;
        let mut request = request("pay", ninety.clone());
        request.request_state = Some(state.clone());
        request.input_responses = Some([("decision".to_owned(), answer.clone())].into());
        assert_eq!(client.call_tool_once(request).await.is_ok(), works);
    }
    assert_eq!(paid.lock().unwrap().len(), 3);
    assert!(AskClients::new("short").is_err());
}

#[tokio::test]
async fn request_state_counts_once_with_store() {
    let store = Arc::new(MemoryStore::new());
    let (server, paid) = asking(ToolContext::new().with_store(Arc::clone(&store)));
    let served = serve(server).await;
    let user = User::new(ElicitationAction::Accept, json!({"decision": "approve"}));
    let [_, client] = both(&served, &user).await;
    let ninety = json!({"euros": 90});
    let answer = json!({"action": "accept", "content": {"decision": "approve"}});
    let mut states = Vec::new();
    for _ in 0..2 {
        let required = required(&client, "pay", ninety.clone()).await;
        states.push(required.request_state.unwrap());
    }
    // Another process with the store and the secret knows of the first answer too.
    let cx = ToolContext::new().with_store(store).with(Arc::clone(&paid));
    let other = ToolServer::new(tools(), cx).ask_clients(AskClients::new(SECRET).unwrap());
    let other = serve(other).await;
    let [_, elsewhere] = both(&other, &user).await;
    for (state, client, payments) in [
        (&states[0], &client, 1),
        (&states[0], &client, 1),
        (&states[0], &elsewhere, 1),
        (&states[1], &elsewhere, 2),
        (&states[1], &client, 2),
    ] {
        let mut request = request("pay", ninety.clone());
        request.request_state = Some(state.clone());
        request.input_responses = Some([("decision".to_owned(), answer.clone())].into());
        let Ok(CallToolResponse::Complete(result)) = client.call_tool_once(request).await else {
            panic!("the call has a result");
        };
        assert_eq!(text(&result), "paid 90 EUR");
        assert_eq!(paid.lock().unwrap().len(), payments);
    }
}

#[tokio::test]
async fn unaskable_client_receives_call_id() {
    let store = Arc::new(MemoryStore::new());
    let (server, paid) = asking(ToolContext::new().with_store(Arc::clone(&store)));
    let served = serve(server).await;
    for client in [
        connect(&served.url).await,
        connect_modern(&served.url).await,
    ] {
        let result = client.call_tool(request("pay", json!({"euros": 90}))).await;
        let result = result.unwrap();
        let waiting = store.list().await.unwrap();
        let id = &waiting.last().unwrap().call.id;
        assert_eq!(
            text(&result),
            format!(
                "Error: the call waits for a decision under the id {id}. It runs when somebody has \
                 approved it; do not make it again"
            )
        );
        assert_eq!(result.is_error, Some(true));
    }
    // Requests of two clients with the same id are two calls.
    let waiting = store.list().await.unwrap();
    assert_eq!(waiting.len(), 2);
    assert!(paid.lock().unwrap().is_empty());
    let cx = ToolContext::new()
        .with_store(Arc::clone(&store))
        .with(Arc::clone(&paid));
    let yes = ReviewDecision::Continue;
    let reply = tools().decide(&waiting[0].call.id, yes, &cx).await;
    assert_eq!(reply.unwrap().to_model(), "paid 90 EUR");

    // Without a store the result says so, and nothing runs.
    let (server, paid) = asking(ToolContext::new());
    let served = serve(server).await;
    let client = connect(&served.url).await;
    let result = client.call_tool(request("pay", json!({"euros": 90}))).await;
    assert_eq!(result.unwrap().is_error, Some(true));
    assert!(paid.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_reviewer_of_the_program_is_asked_instead() {
    let (server, paid) = asking(ToolContext::new().with_reviewer(auto_approve()));
    let served = serve(server).await;
    let user = User::new(ElicitationAction::Decline, Value::Null);
    let result = outcome(&served, &user, "pay", json!({"euros": 5})).await;
    assert_eq!(text(&result.unwrap()), "paid 5 EUR");
    assert!(user.1.lock().unwrap().is_empty());
    assert_eq!(*paid.lock().unwrap(), [5, 5]);
}

#[tokio::test]
async fn a_clients_program_answers_the_server() {
    let (server, paid) = asking(ToolContext::new());
    let served = serve(server).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let client = McpConfig::url(&served.url).on_elicitation(move |question| {
        counted.fetch_add(1, Ordering::SeqCst);
        let answer = match question.schema.pointer("/properties/answer") {
            Some(_) => json!({"answer": "blue"}),
            None if question.message.contains("13") => Value::Null,
            None => json!({"decision": "approve"}),
        };
        async move {
            match answer {
                Value::Null => Elicited::Cancel,
                answer => Elicited::Accept(answer),
            }
        }
    });
    let tools = |client: &callpact_mcp::client::McpClient| {
        Toolset::builder().tools(client.tools()).build().unwrap()
    };
    let client = client.open().await.unwrap();
    let cx = ToolContext::new();
    let made = async |tools: &Toolset, name: &str, arguments: &str| {
        let call = ToolCall::new("1", name, arguments);
        tools.call(&call, &cx).await.unwrap()
    };
    let list = tools(&client);
    assert_eq!(
        made(&list, "pay", r#"{"euros": 7}"#).await.to_model(),
        "paid 7 EUR"
    );
    assert_eq!(
        made(&list, "ask", r#"{"input": "Which?"}"#)
            .await
            .to_model(),
        "blue"
    );
    let cancelled = made(&list, "pay", r#"{"euros": 13}"#).await;
    assert!(
        cancelled.to_model().contains("not approved"),
        "{}",
        cancelled.to_model()
    );
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    // Without a handler the server learns that nobody can be asked.
    let silent = McpConfig::url(&served.url).open().await.unwrap();
    let refused = made(&tools(&silent), "pay", r#"{"euros": 7}"#).await;
    assert!(!refused.is_success(), "{}", refused.to_model());
    assert_eq!(*paid.lock().unwrap(), [7]);
}

/// A client that answers a question with an error in its own words.
struct Failing;

impl ClientHandler for Failing {
    fn get_info(&self) -> ClientConfig {
        let mut can = ClientCapabilities::default();
        can.elicitation = Some(ElicitationCapability::new());
        ClientConfig::new(can, Implementation::new("a client", "1"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let words = "no\n2026-01-01 ERROR callpact: everything is lost";
        Err(ErrorData::internal_error(words, None))
    }
}

#[tokio::test]
async fn client_error_forges_no_log_line() {
    let log = Log::default();
    let _listening = log.listen();
    let (server, paid) = asking(ToolContext::new());
    let served = serve(server).await;
    let client = Failing.serve(transport(&served.url)).await.unwrap();
    let result = client.call_tool(request("pay", json!({"euros": 5}))).await;
    assert_eq!(result.unwrap().is_error, Some(true));
    assert!(paid.lock().unwrap().is_empty());
    let log = log.take();
    assert!(log.contains("everything is lost"), "{log}");
    assert!(!log.contains("\n2026-01-01"), "{log}");
}
