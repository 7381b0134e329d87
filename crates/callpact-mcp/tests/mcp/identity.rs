//! Who calls: tokens, sessions, and the context made from a request.

use std::{
    io,
    sync::{Arc, Mutex},
};

use callpact::{AgentTool, Permission, PermissionMode, ToolContext, ToolResult, Toolset};
use callpact_mcp::server::{
    AskClients, HttpServer, Identity, ProtectedResource, RateLimit, ScopeRules, StaticTokens,
    ToolServer,
};
use serde_json::{Value, json};

use crate::{
    help::{Served, run},
    raw::{hello, message, post, send, session_of},
};

const ADA: &str = "token-of-ada-0123456789";
const GRACE: &str = "token-of-grace-0123456789";

/// Says who calls, and writes if it may.
struct Whoami(Arc<Mutex<u32>>);

impl AgentTool for Whoami {
    fn name(&self) -> &'static str {
        "whoami"
    }
    fn description(&self) -> &'static str {
        "Says who calls."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
        *self.0.lock().unwrap() += 1;
        let from = cx.get::<String>().map_or("", String::as_str);
        ToolResult::success(format!("{} {from}", cx.caller().unwrap_or("nobody")))
    }
}

pub(crate) async fn bound() -> (HttpServer, Arc<Mutex<u32>>) {
    let count = Arc::default();
    let tools = Toolset::single(Whoami(Arc::clone(&count))).unwrap();
    let server = ToolServer::new(tools, ToolContext::new()).with_request_context(|info, cx| {
        let trace = info.header("x-trace").unwrap_or("none");
        let local = info.peer().is_some_and(|peer| peer.ip().is_loopback());
        let client = info.client_name().unwrap_or_default();
        let cx = cx.with(format!("{trace} {local} {client}"));
        match info.identity() {
            Some(who) if who.has_scope("write") => cx,
            _ => cx.with_permissions(PermissionMode::Deny),
        }
    });
    let server = server.bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    (server, count)
}

fn tokens() -> StaticTokens {
    StaticTokens::new()
        .token(ADA, Identity::new("ada").with_scope("write"))
        .and_then(|tokens| tokens.token(GRACE, Identity::new("grace")))
        .unwrap()
}

async fn guarded() -> (Served, Arc<Mutex<u32>>) {
    let (server, count) = bound().await;
    let resource = ProtectedResource::new("https://tools.example.com/mcp")
        .authorization_server("https://login.example.com")
        .scope("write");
    let server = server.authenticate(tokens()).protected_resource(resource);
    (run(server), count)
}

pub(crate) fn whoami() -> String {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "whoami", "arguments": {"input": "x"}},
    })
    .to_string()
}

/// The log of this thread, which also runs the server of the test.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Listens until the guard is dropped.
    pub(crate) fn listen(&self) -> tracing::subscriber::DefaultGuard {
        let writer = self.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::set_default(subscriber)
    }

    /// The log since the last call.
    pub(crate) fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a session, and gives its id.
pub(crate) async fn open(served: &Served, authorization: &str) -> String {
    let headers = [("Authorization", authorization)];
    let (status, head, _) = post(served, &headers, &hello("2025-11-25")).await;
    assert_eq!(status, 200, "{head}");
    session_of(&head)
}

pub(crate) async fn call(served: &Served, authorization: &str, session: &str) -> (u16, Value) {
    let headers = [
        ("Authorization", authorization),
        ("Mcp-Session-Id", session),
        ("Mcp-Protocol-Version", "2025-11-25"),
        ("X-Trace", "t-1"),
    ];
    let (status, _, body) = post(served, &headers, &whoami()).await;
    let body = if status == 200 {
        message(&body)
    } else {
        Value::Null
    };
    (status, body)
}

#[tokio::test]
async fn valid_token_yields_identity_with_scopes() {
    let (served, count) = guarded().await;
    let ada = format!("Bearer {ADA}");
    let session = open(&served, &ada).await;
    let (_, reply) = call(&served, &ada, &session).await;
    let said = &reply["result"]["content"][0]["text"];
    assert!(
        said.as_str().unwrap().starts_with("ada t-1 true "),
        "{reply}"
    );
    // The name of the scheme has no case.
    let (status, _) = call(&served, &format!("bEARER {ADA}"), &session).await;
    assert_eq!(status, 200);
    // Without the scope the tool is refused.
    let grace = format!("Bearer {GRACE}");
    let session = open(&served, &grace).await;
    let (_, reply) = call(&served, &grace, &session).await;
    let said = &reply["result"]["content"][0]["text"];
    assert!(
        said.as_str().unwrap().contains("not allowed here"),
        "{reply}"
    );
    assert_eq!(*count.lock().unwrap(), 2);
}

#[expect(clippy::too_many_lines, reason = "a table of attacks")]
#[tokio::test]
async fn rejects_every_token_attack_with_401() {
    let journal = Log::default();
    let _logging = journal.listen();
    let (served, count) = guarded().await;
    let ada = format!("Bearer {ADA}");
    let session = open(&served, &ada).await;
    let long = format!("Bearer {}", "a".repeat(9 << 10));
    let huge = format!("Bearer {ADA}{}", "=".repeat(8 << 10));
    let upper = format!("Bearer {}", ADA.to_uppercase());
    let cut = format!("Bearer {}", &ADA[..ADA.len() - 1]);
    let hash = hex(ADA);
    let attacks: Vec<String> = [
        "",
        "Bearer",
        "Bearer ",
        "Bearer  ",
        "Basic YWRhOnRva2Vu",
        "Bearer null",
        "Bearer undefined",
        "Bearer *",
        "Bearer %",
        "Bearer ' OR 1=1 --",
        "Bearer ../../tokens",
        "Bearer {}",
        "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.",
        "Bearer eyJhbGciOiJIUzI1NiIsImtpZCI6Ii4uLy4uL2Rldi9udWxsIn0.eyJzdWIiOiJhZGEifQ.AA",
        "Digest username=\"ada\"",
        "Negotiate abc",
        "token",
        "ada",
        &long,
        &huge,
        &upper,
        &cut,
        &hash,
        ADA,
    ]
    .into_iter()
    .map(str::to_owned)
    .chain(
        [
            "Bearer {}x",
            "Bearer x{}",
            "Bearer {}=",
            "Bearer {} ada",
            "Bearer {},{}",
            "Bearer {};",
            "Bearer \"{}\"",
            "Bearer <{}>",
            "Bearer: {}",
            "Bearer\t{}",
            "Basic {}",
            "Bearer Bearer {}",
            "Bearer, {}",
            "BearerX {}",
            "Bearer token={}",
            "Bearer  {}",
            "Token {}",
            "Bearer {}\u{e9}",
        ]
        .map(|form| form.replace("{}", ADA)),
    )
    .collect();
    assert!(attacks.len() >= 40, "{}", attacks.len());
    journal.take();
    for attack in &attacks {
        let headers = [("Authorization", &**attack), ("Mcp-Session-Id", &*session)];
        let (status, head, body) = post(&served, &headers, &whoami()).await;
        assert_eq!(status, 401, "{attack}");
        let challenge = "www-authenticate: Bearer resource_metadata=\
            \"https://tools.example.com/.well-known/oauth-protected-resource/mcp\", \
            error=\"invalid_token\"";
        assert!(head.contains(challenge), "{attack}: {head}");
        assert!(!head.contains(ADA) && !body.contains(ADA));
        let logged = journal.take();
        assert_eq!(logged.lines().count(), 1, "{attack}: {logged}");
        assert!(!logged.to_lowercase().contains(&ADA[..8]), "{logged}");
    }
    // Two headers, in either order; and none.
    let grace = format!("Bearer {GRACE}");
    for (one, other) in [(&ada, &grace), (&ada, &ada), (&grace, &ada)] {
        let headers = [("Authorization", &**one), ("Authorization", &**other)];
        assert_eq!(post(&served, &headers, &whoami()).await.0, 401);
        let logged = journal.take();
        assert!(
            logged.lines().count() == 1 && !logged.contains("token-of"),
            "{logged}"
        );
    }
    for method in ["POST", "GET", "DELETE"] {
        let (status, head, _) = send(&served, method, &[("Mcp-Session-Id", &session)], "").await;
        assert_eq!(status, 401, "{method}");
        assert!(
            !head.contains("invalid_token"),
            "no token is not a wrong one: {head}"
        );
    }
    assert_eq!(*count.lock().unwrap(), 0);
    assert_eq!(
        call(&served, &ada, &session).await.0,
        200,
        "the session is unharmed"
    );
}

fn hex(token: &str) -> String {
    let digits = token.bytes().map(|byte| format!("{byte:02x}"));
    format!("Bearer {}", digits.collect::<String>())
}

#[tokio::test]
async fn a_session_belongs_to_whoever_opened_it() {
    let (served, count) = guarded().await;
    let (ada, grace) = (format!("Bearer {ADA}"), format!("Bearer {GRACE}"));
    let session = open(&served, &ada).await;
    assert_eq!(call(&served, &grace, &session).await.0, 404);
    for method in ["GET", "DELETE"] {
        let headers = [("Authorization", &*grace), ("Mcp-Session-Id", &*session)];
        assert_eq!(send(&served, method, &headers, "").await.0, 404, "{method}");
    }
    assert_eq!(call(&served, &ada, "no-such-session").await.0, 404);
    assert_eq!(*count.lock().unwrap(), 0);
    assert_eq!(call(&served, &ada, &session).await.0, 200);
    let headers = [("Authorization", &*ada), ("Mcp-Session-Id", &*session)];
    assert!(send(&served, "DELETE", &headers, "").await.0 < 300);
    assert_eq!(call(&served, &ada, &session).await.0, 404, "it is over");
}

#[tokio::test]
async fn scopes_decide_about_modes_and_roles() {
    let rules = ScopeRules::new()
        .mode("read", PermissionMode::Deny)
        .mode("write", PermissionMode::AllowAll)
        .role("write", "editor");
    let count = Arc::default();
    let tools = Toolset::single(Whoami(Arc::clone(&count))).unwrap();
    let bound = ToolServer::new(tools, ToolContext::new())
        .with_request_context(move |info, cx| {
            let cx = rules.apply(info.identity(), cx);
            let role = cx.role().to_owned();
            cx.with(role)
        })
        .bind("127.0.0.1:0".parse().unwrap());
    let served = run(bound.await.unwrap().authenticate(tokens()));
    let say = async |token: &str| {
        let bearer = format!("Bearer {token}");
        let session = open(&served, &bearer).await;
        let (_, reply) = call(&served, &bearer, &session).await;
        let said = &reply["result"]["content"][0]["text"];
        said.as_str().unwrap().to_owned()
    };
    assert_eq!(say(ADA).await, "ada editor");
    let refused = say(GRACE).await;
    assert!(refused.contains("not allowed here"), "{refused}");
    assert_eq!(*count.lock().unwrap(), 1);
}

/// One call in the newer revision, which keeps no session.
async fn call_modern(served: &Served, token: &str, more: &Value) -> Value {
    let mut params = json!({
        "name": "whoami", "arguments": {"input": "x"},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        },
    });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let headers = [
        ("Authorization", &*format!("Bearer {token}")),
        ("Mcp-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "whoami"),
    ];
    let (status, head, body) = post(served, &headers, &call.to_string()).await;
    assert!(status == 200 || status == 400, "{head}{body}");
    message(&body)
}

#[tokio::test]
async fn user_decides_for_role_of_scopes() {
    let count = Arc::default();
    let tools = Toolset::builder().tool(Whoami(Arc::clone(&count)));
    let tools = tools
        .require_approval_by("whoami", "editor")
        .build()
        .unwrap();
    let rules = ScopeRules::new().role("write", "editor");
    let ask = AskClients::new("thirty-two bytes from a safe place").unwrap();
    let bound = ToolServer::new(tools, ToolContext::new())
        .ask_clients(ask.roles(rules))
        .bind("127.0.0.1:0".parse().unwrap());
    let served = run(bound.await.unwrap().authenticate(tokens()));
    let asked = call_modern(&served, ADA, &json!({})).await;
    let state = asked["result"]["requestState"].clone();
    assert!(state.is_string(), "{asked}");
    let answer = json!({
        "requestState": state,
        "inputResponses": {"decision": {"action": "accept", "content": {"decision": "approve"}}},
    });
    // The question was for ada, and grace has no such role.
    let refused = call_modern(&served, GRACE, &answer).await;
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("state"),
        "{refused}"
    );
    let refused = call_modern(&served, GRACE, &json!({})).await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    assert_eq!(*count.lock().unwrap(), 0);
    let done = call_modern(&served, ADA, &answer).await;
    let said = done["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(said.starts_with("ada"), "{done}");
    assert_eq!(*count.lock().unwrap(), 1);
}

#[tokio::test]
async fn the_metadata_say_where_tokens_come_from() {
    let (served, _) = guarded().await;
    let (status, _, body) =
        crate::raw::get(&served, "/.well-known/oauth-protected-resource/mcp").await;
    assert_eq!(status, 200);
    let metadata: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        metadata,
        json!({
            "resource": "https://tools.example.com/mcp",
            "authorization_servers": ["https://login.example.com"],
            "scopes_supported": ["write"],
            "bearer_methods_supported": ["header"],
        })
    );
}

#[tokio::test]
async fn other_machines_are_not_served_without_a_word() {
    let address = "0.0.0.0:0".parse().unwrap();
    let server = || ToolServer::new(Toolset::builder().build().unwrap(), ToolContext::new());
    let bare = server().bind(address).await.unwrap().run().await;
    let error = bare.unwrap_err().to_string();
    assert!(error.contains("there is no authenticator"), "{error}");
    for served in [
        server().bind(address).await.unwrap().insecure(),
        server().bind(address).await.unwrap().authenticate(tokens()),
    ] {
        let stop = served.stopper();
        stop.stop();
        assert!(served.run().await.is_ok());
    }
}

/// The names and the scope of the list that a token gets, without a session.
async fn list(served: &Served, token: Option<&str>) -> (Vec<String>, Value) {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    } } });
    let token = token.map(|token| format!("Bearer {token}"));
    let mut headers = vec![
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/list"),
    ];
    headers.extend(token.as_deref().map(|token| ("Authorization", token)));
    let (status, _, body) = post(served, &headers, &body.to_string()).await;
    assert_eq!(status, 200, "{body}");
    let result = message(&body)["result"].take();
    let tools = result["tools"].as_array().unwrap().iter();
    let names = tools.map(|tool| tool["name"].as_str().unwrap().to_owned());
    (names.collect(), result["cacheScope"].clone())
}

#[tokio::test]
async fn caller_sees_only_permitted_tools() {
    let (server, _) = bound().await;
    let running = run(server.authenticate(tokens()));
    assert_eq!(
        list(&running, Some(ADA)).await,
        (vec!["whoami".to_owned()], json!("private"))
    );
    assert_eq!(
        list(&running, Some(GRACE)).await,
        (Vec::new(), json!("private"))
    );
    // Nor does a near name lead to the hidden tool.
    let session = CallerSession::open(&running, GRACE).await;
    let answer = session.call("whoam").await;
    let words = answer["error"]["message"].as_str().unwrap();
    assert!(!words.contains("whoami"), "{words}");
}

/// A session of a caller.
struct CallerSession<'a> {
    served: &'a Served,
    token: String,
    session: String,
}

impl<'a> CallerSession<'a> {
    async fn open(served: &'a Served, token: &str) -> Self {
        let token = format!("Bearer {token}");
        let headers = [("Authorization", &*token)];
        let (_, head, _) = post(served, &headers, &hello("2025-11-25")).await;
        let session = session_of(&head);
        Self {
            served,
            token,
            session,
        }
    }

    /// Calls a tool, and returns the answer.
    async fn call(&self, name: &str) -> Value {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": name, "arguments": { "input": "" },
        } });
        let headers = [
            ("Authorization", &*self.token),
            ("Mcp-Session-Id", &*self.session),
        ];
        let (_, _, body) = post(self.served, &headers, &call.to_string()).await;
        message(&body)
    }
}

#[tokio::test]
async fn caller_with_many_calls_slows_no_other() {
    let tools = Toolset::single(Whoami(Arc::default())).unwrap();
    let server = ToolServer::new(tools, ToolContext::new()).with_rate_limit(RateLimit::new(2, 0.0));
    let server = server.bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let running = run(server.authenticate(tokens()));
    let words = |answer: &Value| answer["result"]["content"][0]["text"].clone();
    let grace = CallerSession::open(&running, GRACE).await;
    for _ in 0..2 {
        assert_eq!(words(&grace.call("whoami").await), "grace ");
    }
    // Another session has no turns of its own.
    for grace in [grace, CallerSession::open(&running, GRACE).await] {
        let answer = words(&grace.call("whoami").await);
        let answer = answer.as_str().unwrap();
        assert!(answer.starts_with("Error: too many calls"), "{answer}");
    }
    let ada = CallerSession::open(&running, ADA).await;
    assert_eq!(words(&ada.call("whoami").await), "ada ");
}

#[tokio::test]
async fn a_list_for_a_caller_hides_other_tools() {
    let tools = Toolset::single(Whoami(Arc::default())).unwrap();
    let server = ToolServer::new(tools.clone(), ToolContext::new())
        .list_for(|identity, _| identity.is_some_and(|who| who.has_scope("write")));
    let server = server.bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let running = run(server.authenticate(tokens()));
    assert_eq!(list(&running, Some(ADA)).await.0, ["whoami"]);
    assert_eq!(list(&running, Some(GRACE)).await.0, Vec::<String>::new());
    // Nor is the hidden tool named or called.
    let grace = CallerSession::open(&running, GRACE).await;
    for name in ["whoami", "whoam"] {
        let answer = grace.call(name).await;
        assert_eq!(answer["error"]["code"], -32_602, "{answer}");
        let words = answer["error"]["message"].as_str().unwrap();
        assert!(!words.replace(name, "").contains("whoami"), "{words}");
    }
    // A list that is the same for everybody may be shared.
    let server = ToolServer::new(tools, ToolContext::new());
    let server = server.bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let all = (vec!["whoami".to_owned()], json!("public"));
    assert_eq!(list(&run(server), None).await, all);
}
