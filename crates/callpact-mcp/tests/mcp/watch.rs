//! What a program may watch of its connections: messages and last words, without secrets.

use std::sync::{Arc, Mutex};

use callpact::{AgentTool, ToolCall, ToolContext, ToolResult, Toolset, secret::MemorySecrets};
use callpact_mcp::client::{LastWords, McpConfig};
use serde_json::{Value, json};

use crate::help::{fixture_program, fixture_server, serve};

type Heard = Arc<Mutex<Vec<(bool, String)>>>;

fn watched(config: McpConfig) -> (McpConfig, Heard) {
    let heard = Heard::default();
    let log = Arc::clone(&heard);
    let config = config.on_message(move |message| {
        let one = (message.sent, message.text.to_owned());
        log.lock().unwrap().push(one);
    });
    (config, heard)
}

/// Calls a tool of a server with its secret.
struct Passing(Toolset);

impl AgentTool for Passing {
    fn name(&self) -> &'static str {
        "passing"
    }
    fn description(&self) -> &'static str {
        "Passes its input on"
    }
    fn secret_params(&self) -> &'static [&'static str] {
        &["input"]
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        let call = ToolCall::new("inner", "shout", json!({ "input": input }).to_string());
        match self.0.call(&call, cx).await {
            Ok(reply) => reply.result,
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

#[tokio::test]
async fn every_message_is_heard_without_secrets() {
    let served = serve(fixture_server()).await;
    for config in [
        McpConfig::url(&served.url).header("X-Key", "header-secret"),
        McpConfig::command(fixture_program(), [""; 0]).env("KEY", "variable-secret"),
    ] {
        let (config, heard) = watched(config);
        let client = config.open().await.unwrap();
        let inner = Toolset::builder().tools(client.tools()).build().unwrap();
        let tools = Toolset::single(Passing(inner)).unwrap();
        let cx = ToolContext::new().with_secrets(MemorySecrets::new().with("token", "hunter2-\"2"));
        let call = ToolCall::new("1", "passing", r#"{"input": "<secret_ref:token>"}"#);
        let reply = tools.call(&call, &cx).await.unwrap();
        assert!(
            !reply.to_model().contains("hunter2"),
            "{}",
            reply.to_model()
        );
        // The server's own words about its settings.
        let heard = heard.lock().unwrap().clone();
        let all: Vec<Value> = heard
            .iter()
            .map(|(_, text)| serde_json::from_str(text).unwrap())
            .collect();
        let at = |method: &str| all.iter().position(|message| message["method"] == method);
        assert!(at("tools/list") < at("tools/call"), "{heard:?}");
        let call = &all[at("tools/call").unwrap()];
        assert_eq!(call["params"]["arguments"]["input"], "<secret_ref:token>");
        let answer = all
            .iter()
            .position(|message| message["id"] == call["id"] && message.get("method").is_none());
        assert!(!heard[answer.unwrap()].0 && heard[at("tools/call").unwrap()].0);
        let text = format!("{heard:?}");
        for secret in ["hunter2", "header-secret", "variable-secret"] {
            assert!(!text.contains(secret), "{text}");
        }
        client.close().await;
        assert_eq!(client.revision(), None);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn last_words_are_kept_without_variables() {
    let words = LastWords::default();
    let script = "echo first >&2; echo \"no such key: $KEY\" >&2; exit 1";
    let config = McpConfig::command("/bin/sh", ["-c", script])
        .env("KEY", "a-secret-key")
        .keep_last_words(&words);
    config.open().await.unwrap_err();
    assert_eq!(words.text(), "first\nno such key: <secret_ref:KEY>\n");
    let long = McpConfig::command("/bin/sh", ["-c", "yes no | head -c 100000 >&2; exit 1"]);
    long.keep_last_words(&words).open().await.unwrap_err();
    assert_eq!(words.text().len(), 4_000);
}

#[cfg(unix)]
#[tokio::test]
async fn no_number_or_name_of_settings_shows_one() {
    let words = LastWords::default();
    // None of the names is that of a secret.
    let settings = (0..130).map(|at| (format!("_{at}"), format!("secret-number-{at}")));
    let config = McpConfig::command("/bin/sh", ["-c", "env >&2; exit 1"]);
    let config = settings.fold(config, |config, (name, value)| config.env(name, value));
    let ended = config.keep_last_words(&words).open().await;
    ended.unwrap_err();
    let text = words.text();
    assert!(text.contains("_129=<secret_ref:setting>"), "{text}");
    assert!(!text.contains("secret-number"), "{text}");
}

#[test]
fn a_target_shows_no_variable() {
    let target = McpConfig::command("/bin/sh", ["-c", "true"]).target();
    assert_eq!(target, "/bin/sh -c true");
    let file = json!({ "mcpServers": {
        "a": { "command": "server", "args": ["--key", "${PATH}"] },
        "b": { "url": "https://example.com/mcp?key=${PATH}" },
    } });
    let servers = McpConfig::from_json(&file.to_string()).unwrap();
    assert_eq!(servers["a"].target(), "server --key ${PATH}");
    assert_eq!(servers["b"].target(), "https://example.com/mcp");
}
