//! A server sends the user of its client to a page, in both revisions of the protocol.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use callpact::{
    AgentTool, Permission, ReviewDecision, ReviewRequest, State, ToolCall, ToolContext, ToolResult,
    Toolset,
    store::{CallStore, Decided, MemoryStore, Moment},
    tool,
};
use callpact_mcp::{
    client::{Elicited, McpConfig},
    server::{AskClients, HttpServer, ToolServer},
};
use rmcp::{
    ClientHandler, ErrorData, RoleClient, RoleServer, ServerHandler, ServiceError, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
        ContentBlock, CustomNotification, ElicitRequestParams, ElicitResult, ElicitationAction,
        ElicitationCapability, ErrorCode, FormElicitationCapability, Implementation,
        InputRequiredResult, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
        ServerConfig, Tool, UrlElicitationCapability,
    },
    service::{ClientServiceExt, NotificationContext, RequestContext, RunningService},
};
use serde_json::{Value, json};

use crate::{
    help::{Served, modern, request, run, serve, text},
    peer::transport,
};

const PAGE: &str = "https://bank.example/sign-in?for=ada";

/// Pays a bill
#[tool(destructive)]
fn pay(euros: u32, State(paid): State<Mutex<Vec<u32>>>) -> String {
    paid.lock().unwrap().push(euros);
    format!("paid {euros} EUR")
}

/// Sends the person to a page.
struct SignIn;

impl AgentTool for SignIn {
    fn name(&self) -> &'static str {
        "sign_in"
    }
    fn description(&self) -> &'static str {
        "Signs in at the page of the input."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        let request = ReviewRequest::new("Sign in to your bank").page(input);
        match cx.review(request).await {
            Ok(decision) => ToolResult::success(format!("{decision:?}")),
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

fn tools() -> Toolset {
    Toolset::builder().tool(Pay).tool(SignIn).build().unwrap()
}

fn ask() -> AskClients {
    AskClients::new("thirty-two bytes from a safe place").unwrap()
}

/// The action of a user who is sent to a page, before the client answers.
type Visit = Arc<dyn Fn(String) -> Action + Send + Sync>;
type Action = std::pin::Pin<Box<dyn Future<Output = ElicitationAction> + Send>>;

/// A client whose user visits pages.
#[derive(Clone)]
struct User {
    visit: Visit,
    shows_pages: bool,
    asked: Arc<Mutex<Vec<ElicitRequestParams>>>,
    heard: Arc<Mutex<Vec<CustomNotification>>>,
}

impl User {
    fn new<F: Future<Output = ElicitationAction> + Send + 'static>(
        visit: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> Self {
        Self {
            visit: Arc::new(move |page| Box::pin(visit(page))),
            shows_pages: true,
            asked: Arc::default(),
            heard: Arc::default(),
        }
    }

    fn says(action: ElicitationAction) -> Self {
        Self::new(move |_| std::future::ready(action.clone()))
    }

    fn forms_alone(mut self) -> Self {
        self.shows_pages = false;
        self
    }

    /// The pages and their texts.
    fn pages(&self) -> Vec<(String, String)> {
        let asked = self.asked.lock().unwrap();
        let page = |asked: &ElicitRequestParams| match asked {
            ElicitRequestParams::UrlElicitationParams { url, message, .. } => {
                (url.clone(), message.clone())
            }
            other => panic!("{other:?}"),
        };
        asked.iter().map(page).collect()
    }
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let mut can = ClientCapabilities::default();
        let shows = ElicitationCapability::new().with_form(FormElicitationCapability::new());
        can.elicitation = Some(if self.shows_pages {
            shows.with_url(UrlElicitationCapability::new())
        } else {
            shows
        });
        ClientConfig::new(can, Implementation::new("a client", "1"))
    }

    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.asked.lock().unwrap().push(asked.clone());
        match asked {
            ElicitRequestParams::UrlElicitationParams { url, .. } => {
                Ok(ElicitResult::new((self.visit)(url).await))
            }
            // A yes in a form, which must not count if a page is named.
            _ => Ok(ElicitResult::new(ElicitationAction::Accept)
                .with_content(json!({"decision": "approve"}))),
        }
    }

    async fn on_custom_notification(
        &self,
        note: CustomNotification,
        _: NotificationContext<RoleClient>,
    ) {
        self.heard.lock().unwrap().push(note);
    }
}

/// Connects a user in the older and in the newer revision.
async fn both(served: &Served, user: &User) -> [RunningService<RoleClient, User>; 2] {
    let older = user.clone().serve(transport(&served.url)).await.unwrap();
    let newer = user.clone();
    let newer = newer.serve_with_lifecycle(transport(&served.url), modern());
    [older, newer.await.unwrap()]
}

/// The text of a call's result, or of its error.
async fn outcome(
    client: &RunningService<RoleClient, User>,
    tool: &str,
    arguments: Value,
) -> String {
    match client.call_tool(request(tool, arguments)).await {
        Ok(result) => text(&result).to_owned(),
        Err(ServiceError::McpError(error)) => error.message.into_owned(),
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn tool_sends_user_to_page_in_both_revisions() {
    let served = serve(ToolServer::new(tools(), ToolContext::new()).ask_clients(ask())).await;
    for (action, decision) in [
        (ElicitationAction::Accept, "Continue"),
        (ElicitationAction::Decline, r#"Refuse("")"#),
        (ElicitationAction::Cancel, "ExitEarly { timed_out: false }"),
    ] {
        let user = User::says(action);
        for client in both(&served, &user).await {
            let input = json!({ "input": PAGE });
            assert_eq!(outcome(&client, "sign_in", input).await, decision);
        }
        // Once in each revision, and the whole address.
        let page = (PAGE.to_owned(), "Sign in to your bank".to_owned());
        assert_eq!(user.pages(), [page.clone(), page]);
    }
    // A client that does not show pages is not sent to one, and no form takes its place.
    let user = User::says(ElicitationAction::Accept).forms_alone();
    for client in both(&served, &user).await {
        let input = json!({ "input": PAGE });
        let error = outcome(&client, "sign_in", input).await;
        assert_eq!(error, "Error: the call was not approved. Go on without it.");
    }
    assert!(user.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn never_sends_unsafe_page() {
    let served = serve(ToolServer::new(tools(), ToolContext::new()).ask_clients(ask())).await;
    let user = User::says(ElicitationAction::Accept);
    let clients = both(&served, &user).await;
    for page in [
        "http://bank.example/",
        "https://bank.example@evil.example/",
        "javascript:alert(1)",
        "/sign-in",
        "",
    ] {
        for client in &clients {
            let error = outcome(client, "sign_in", json!({ "input": page })).await;
            assert_eq!(
                error, "Error: the call was not approved. Go on without it.",
                "{page}"
            );
        }
    }
    assert!(user.asked.lock().unwrap().is_empty());
}

/// A server whose calls are decided about at a page, its store, and what its tool has paid.
struct Office {
    served: Served,
    store: Arc<MemoryStore>,
    paid: Arc<Mutex<Vec<u32>>>,
}

async fn office(ask: AskClients) -> Office {
    let (store, paid) = (Arc::new(MemoryStore::new()), Arc::default());
    let cx = ToolContext::new()
        .with(Arc::clone(&paid))
        .with_store(Arc::clone(&store))
        .with_caller("the client");
    let ask = ask.decide_at(|call| format!("https://desk.example/calls/{}", call.id));
    let server = ToolServer::new(tools(), cx).ask_clients(ask);
    Office {
        served: serve(server).await,
        store,
        paid,
    }
}

impl Office {
    /// A user who goes to the page. The decision is made at once or, if there is none, later.
    fn visitor(&self, decision: Option<ReviewDecision>, late: bool) -> User {
        let store = Arc::clone(&self.store);
        User::new(move |page| {
            let (store, decision) = (Arc::clone(&store), decision.clone());
            async move {
                let id = page
                    .strip_prefix("https://desk.example/calls/")
                    .unwrap()
                    .to_owned();
                let decide = async move {
                    if let Some(decision) = decision {
                        let decided = Decided::new(decision, "grace", Moment::now());
                        store.take(&id, &decided).await.unwrap();
                    }
                };
                if late {
                    // After the answer, as a person does.
                    tokio::spawn(async {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        decide.await;
                    });
                } else {
                    decide.await;
                }
                ElicitationAction::Accept
            }
        })
    }

    async fn waiting(&self) -> Vec<String> {
        let calls = self.store.list().await.unwrap().into_iter();
        calls.map(|call| call.call.id).collect()
    }
}

const NINETY: fn() -> Value = || json!({ "euros": 90 });

#[tokio::test]
async fn page_decides_call_in_both_revisions() {
    let office = office(ask()).await;
    let edit = ReviewDecision::Edit(r#"{"euros": 80}"#.to_owned());
    for (decision, late, said) in [
        (ReviewDecision::Continue, false, "paid 90 EUR"),
        (ReviewDecision::Continue, true, "paid 90 EUR"),
        (edit, false, "paid 80 EUR"),
        (
            ReviewDecision::Refuse("too much".to_owned()),
            true,
            "Error: The reviewer refused the call of 'pay': too much",
        ),
        (
            ReviewDecision::REJECT,
            false,
            "Error: the call was not approved. Go on without it.",
        ),
    ] {
        let user = office.visitor(Some(decision), late);
        for client in both(&office.served, &user).await {
            assert_eq!(outcome(&client, "pay", NINETY()).await, said);
        }
        for (page, message) in user.pages() {
            assert!(page.starts_with("https://desk.example/calls/"), "{page}");
            assert!(message.starts_with("Call pay\n"), "{message}");
            assert!(message.contains(r#"Arguments: {"euros":90}"#), "{message}");
        }
        assert_eq!(user.pages().len(), 2);
    }
    assert_eq!(*office.paid.lock().unwrap(), [90, 90, 90, 90, 80, 80]);
    assert!(office.waiting().await.is_empty());
}

#[tokio::test]
async fn older_revision_learns_of_page_decision() {
    let office = office(ask()).await;
    let user = office.visitor(Some(ReviewDecision::Continue), false);
    let [older, _newer] = both(&office.served, &user).await;
    assert_eq!(outcome(&older, "pay", NINETY()).await, "paid 90 EUR");
    let Some(ElicitRequestParams::UrlElicitationParams { elicitation_id, .. }) =
        user.asked.lock().unwrap().first().cloned()
    else {
        panic!("a page");
    };
    let end = std::time::Instant::now() + Duration::from_secs(10);
    while user.heard.lock().unwrap().is_empty() {
        assert!(std::time::Instant::now() < end, "no note");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let heard = user.heard.lock().unwrap();
    assert_eq!(heard[0].method, "notifications/elicitation/complete");
    let id = json!({ "elicitationId": elicitation_id });
    assert_eq!(heard[0].params, Some(id));
}

#[tokio::test]
async fn what_the_client_says_is_no_approval() {
    // Nobody decides in time.
    let office = office(ask().valid_for(Duration::from_secs(1))).await;
    let waits = |id: &str| {
        format!(
            "Error: the call waits for a decision at https://desk.example/calls/{id} under the id {id}. It runs \
             when somebody has approved it; do not make it again"
        )
    };
    for user in [
        // The user goes there and does nothing, or does not go.
        office.visitor(None, false),
        User::says(ElicitationAction::Cancel),
        // The client shows forms alone, and its user would say yes in one.
        User::says(ElicitationAction::Accept).forms_alone(),
    ] {
        for client in both(&office.served, &user).await {
            let said = outcome(&client, "pay", NINETY()).await;
            assert_eq!(said, waits(office.waiting().await.last().unwrap()));
        }
    }
    assert_eq!(office.waiting().await.len(), 6);
    assert!(office.paid.lock().unwrap().is_empty());
    // A no needs no page, and is recorded.
    let user = User::says(ElicitationAction::Decline);
    for client in both(&office.served, &user).await {
        let said = outcome(&client, "pay", NINETY()).await;
        let refused = "Error: The reviewer refused the call of 'pay'. Go on without it.";
        assert_eq!(said, refused);
    }
    assert_eq!(office.waiting().await.len(), 6);
    // Somebody else was faster, so their decision counts.
    let store = Arc::clone(&office.store);
    let user = User::new(move |page| {
        let store = Arc::clone(&store);
        async move {
            let id = page.rsplit('/').next().unwrap();
            let decided = Decided::new(ReviewDecision::Continue, "grace", Moment::now());
            store.take(id, &decided).await.unwrap();
            ElicitationAction::Decline
        }
    });
    for client in both(&office.served, &user).await {
        assert_eq!(outcome(&client, "pay", NINETY()).await, "paid 90 EUR");
    }
    assert_eq!(office.paid.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn page_state_belongs_to_single_call() {
    let office = office(ask()).await;
    let user = User::says(ElicitationAction::Accept);
    let [_older, client] = both(&office.served, &user).await;
    let required = client.call_tool_once(request("pay", NINETY())).await;
    let CallToolResponse::InputRequired(required) = required.unwrap() else {
        panic!("a page");
    };
    let state = required.request_state.unwrap();
    let id = office.waiting().await.remove(0);
    let decided = Decided::new(ReviewDecision::Continue, "grace", Moment::now());
    office.store.take(&id, &decided).await.unwrap();
    let retry = async |arguments: Value, state: String| {
        let mut request = request("pay", arguments);
        request.request_state = Some(state);
        let accept = json!({ "action": "accept" });
        request.input_responses = Some([("decision".to_owned(), accept)].into());
        client.call_tool_once(request).await
    };
    for at in 0..state.len() {
        let mut bytes = state.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        assert!(retry(NINETY(), changed).await.is_err(), "byte {at}");
    }
    let more = retry(json!({ "euros": 9000 }), state.clone()).await;
    assert!(more.is_err(), "other arguments");
    assert!(office.paid.lock().unwrap().is_empty());
    // Twice the same answer: one payment, and its result again.
    for _ in 0..2 {
        let result = retry(NINETY(), state.clone()).await.unwrap();
        let CallToolResponse::Complete(result) = result else {
            panic!("{result:?}");
        };
        assert_eq!(text(&result), "paid 90 EUR");
    }
    assert_eq!(*office.paid.lock().unwrap(), [90]);
}

#[tokio::test]
async fn a_page_for_decisions_needs_a_store() {
    let paid: Arc<Mutex<Vec<u32>>> = Arc::default();
    let cx = ToolContext::new().with(Arc::clone(&paid));
    let ask = ask().decide_at(|_| "https://desk.example/".to_owned());
    let served = serve(ToolServer::new(tools(), cx).ask_clients(ask)).await;
    let user = User::says(ElicitationAction::Accept);
    for client in both(&served, &user).await {
        let error = outcome(&client, "pay", NINETY()).await;
        assert!(
            error.starts_with("Error: the server is not set up for this call"),
            "{error}"
        );
    }
    assert!(user.asked.lock().unwrap().is_empty() && paid.lock().unwrap().is_empty());
}

/// A server that requires a page, in the newer revision by a question, and with the tool `error` by an error.
#[derive(Clone)]
struct Demanding(Arc<AtomicUsize>);

impl ServerHandler for Demanding {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &'static str| {
            let schema = json!({
                "type": "object", "properties": {"page": {"type": "string"}}, "required": ["page"],
            });
            Tool::new(name, name, schema.as_object().cloned().unwrap())
        };
        let tools = ["question", "error"].map(tool).to_vec();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let page = request.arguments.unwrap_or_default()["page"].clone();
        let asked = json!({"mode": "url", "message": "Go", "url": page, "elicitationId": "1"});
        let made = self.0.fetch_add(1, Ordering::SeqCst);
        if request.name == "error" && made < 2 {
            let data = json!({ "elicitations": [asked] });
            let code = ErrorCode(-32042);
            return Err(ErrorData::new(code, "more is required", Some(data)));
        }
        if request.name == "question" && request.input_responses.is_none() {
            let asked = json!({"method": "elicitation/create", "params": asked});
            let asked =
                BTreeMap::from([("page".to_owned(), serde_json::from_value(asked).unwrap())]);
            return Ok(InputRequiredResult::new(Some(asked), None).into());
        }
        let said = json!(request.input_responses).to_string();
        Ok(CallToolResult::success(vec![ContentBlock::text(said)]).into())
    }
}

#[tokio::test]
async fn client_program_shows_page_without_opening() {
    let made = Arc::new(AtomicUsize::new(0));
    let address = "127.0.0.1:0".parse().unwrap();
    let bound = HttpServer::bind(Demanding(Arc::clone(&made)), address).await;
    let served = run(bound.unwrap());
    // A page of this machine that counts its visitors.
    let page = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    page.set_nonblocking(true).unwrap();
    let here = format!("http://{}/pay?id=1", page.local_addr().unwrap());
    let asked: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
    let open = async |answer: Elicited| {
        let asked = Arc::clone(&asked);
        let config = McpConfig::url(&served.url).on_elicitation(move |question| {
            assert!(question.schema.is_null());
            let page = question.page.clone().expect("a page");
            let host = question.host().expect("its host").to_owned();
            asked.lock().unwrap().push((page, host));
            std::future::ready(answer.clone())
        });
        let client = config.open().await.unwrap();
        Toolset::builder().tools(client.tools()).build().unwrap()
    };
    let call = async |tools: &Toolset, name: &str, page: &str| {
        made.store(0, Ordering::SeqCst);
        let call = ToolCall::new("1", name, json!({ "page": page }).to_string());
        let reply = tools.call(&call, &ToolContext::new()).await.unwrap();
        reply.to_model().into_owned()
    };
    let answered = |action: &str| json!({"page": {"action": action}}).to_string();
    for (answer, action) in [
        (Elicited::Consent, "accept"),
        (Elicited::Decline, "decline"),
        (Elicited::Cancel, "cancel"),
        // An answer to a form is no consent.
        (Elicited::Accept(json!({"decision": "approve"})), "cancel"),
    ] {
        let tools = open(answer).await;
        assert_eq!(call(&tools, "question", &here).await, answered(action));
        let host = page.local_addr().unwrap().to_string();
        assert_eq!(
            asked.lock().unwrap().drain(..).collect::<Vec<_>>(),
            [(here.clone(), host)]
        );
    }
    let tools = open(Elicited::Consent).await;
    // Nobody is asked about an unsafe page.
    for unsafe_page in [
        "http://bank.example/",
        "https://a@b.example/",
        "file:///etc/passwd",
    ] {
        let said = call(&tools, "question", unsafe_page).await;
        assert_eq!(said, answered("decline"), "{unsafe_page}");
        let said = call(&tools, "error", unsafe_page).await;
        assert!(said.contains("more is required"), "{said}");
    }
    assert!(asked.lock().unwrap().is_empty());
    // An error that requires a page: the user is asked, and the call made again, until it succeeds.
    assert_eq!(call(&tools, "error", &here).await, "null");
    assert_eq!(
        (asked.lock().unwrap().len(), made.load(Ordering::SeqCst)),
        (2, 3)
    );
    let tools = open(Elicited::Decline).await;
    let said = call(&tools, "error", &here).await;
    assert!(said.contains("more is required"), "{said}");
    assert_eq!(made.load(Ordering::SeqCst), 1);
    let nobody = page.accept().expect_err("somebody opened the page");
    assert_eq!(nobody.kind(), std::io::ErrorKind::WouldBlock);
}

#[tokio::test]
async fn both_ends_agree_about_a_page() {
    let office = office(ask()).await;
    let store = Arc::clone(&office.store);
    let client = McpConfig::url(&office.served.url).on_elicitation(move |question| {
        let store = Arc::clone(&store);
        async move {
            let page = question.page.expect("a page");
            let id = page.rsplit('/').next().unwrap();
            let decided = Decided::new(ReviewDecision::Continue, "grace", Moment::now());
            store.take(id, &decided).await.unwrap();
            Elicited::Consent
        }
    });
    let client = client.open().await.unwrap();
    let tools = Toolset::builder().tools(client.tools()).build().unwrap();
    let call = ToolCall::new("1", "pay", r#"{"euros": 90}"#);
    let reply = tools.call(&call, &ToolContext::new()).await.unwrap();
    assert_eq!(reply.to_model(), "paid 90 EUR");
    assert_eq!(*office.paid.lock().unwrap(), [90]);
}
