//! What the schema of a server's tool says, at both ends.

use callpact::{
    Dialect, DynamicTool, Outcome, Permission, ToolCall, ToolContext, ToolInput, ToolReply,
    Toolset, TypedAgentTool,
};
use callpact_mcp::{client::McpConfig, server::ToolServer};
use serde_json::json;

use crate::help::serve;

#[derive(ToolInput)]
struct Login {
    user: String,
    #[tool_param(secret, max_length = 8)]
    password: String,
    #[tool_param(secret)]
    pin: Option<u8>,
}

struct Enter;

impl TypedAgentTool for Enter {
    type Input = Login;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &'static str {
        "enter"
    }
    fn description(&self) -> &'static str {
        "Logs in."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: Login, _: &ToolContext) -> String {
        format!("{} {} {:?}", input.user, input.password.len(), input.pin)
    }
}

/// A tool of a foreign schema, which answers with its arguments.
fn echo(name: &str, schema: &serde_json::Value) -> DynamicTool {
    let made = DynamicTool::new(
        name,
        "Answers.",
        Some(&schema.to_string()),
        |value, _| async move { value.to_string() },
    );
    made.unwrap().with_permission(Permission::ReadOnly)
}

async fn reply(tools: &Toolset, name: &str, arguments: &serde_json::Value) -> ToolReply {
    let call = ToolCall::new("call-1", name, arguments.to_string());
    tools.call(&call, &ToolContext::new()).await.unwrap()
}

#[tokio::test]
async fn keeps_secrets_out_of_replies_at_both_ends() {
    let own = Toolset::builder().tool(Enter).build().unwrap();
    let served = serve(ToolServer::new(own.clone(), ToolContext::new())).await;
    let client = McpConfig::url(&served.url).open().await.unwrap();
    let far = Toolset::builder().tools(client.tools()).build().unwrap();
    for tools in [&own, &far] {
        let spec = tools.spec("enter", Dialect::Mcp20260728).unwrap();
        let marks = spec.parameters.matches(r#""writeOnly":true"#).count();
        assert_eq!(marks, 2, "{}", spec.parameters);
        for arguments in [
            json!({"user": 5, "password": "hunter2-hunter2", "pin": 1}),
            json!({"user": "a", "password": ["hunter2"], "pin": 1}),
            json!({"user": "a", "password": {"text": "hunter2"}}),
            json!({"user": "a", "password": "a", "pin": "hunter2"}),
            json!({"user": "a", "pasword": "hunter2"}),
        ] {
            let said = reply(tools, "enter", &arguments).await;
            assert_eq!(said.outcome, Outcome::InvalidArguments, "{arguments}");
            let said = said.to_model().into_owned();
            assert!(!said.contains("hunter2"), "{arguments}: {said}");
        }
        let right = json!({"user": "a", "password": "hunter2", "pin": 7});
        assert_eq!(
            reply(tools, "enter", &right).await.to_model(),
            "a 7 Some(7)"
        );
    }
    served.stop();
}

#[tokio::test]
async fn checks_formats_unless_switched_off() {
    let schema =
        json!({"type": "object", "properties": {"day": {"type": "string", "format": "date"}}});
    let own = Toolset::single(echo("book", &schema).clone()).unwrap();
    let served = serve(ToolServer::new(own, ToolContext::new())).await;
    let friday = json!({"day": "next Friday"});
    let client = McpConfig::url(&served.url).open().await.unwrap();
    let tools = Toolset::builder().tools(client.tools()).build().unwrap();
    let refused = reply(&tools, "book", &friday).await;
    assert_eq!(refused.outcome, Outcome::InvalidArguments);
    let config = McpConfig::url(&served.url).without_format_checks();
    let client = config.open().await.unwrap();
    let tools = Toolset::builder().tools(client.tools()).build().unwrap();
    // The server has checks of its own, and its words are not those of the client.
    let sent = reply(&tools, "book", &friday).await;
    assert_ne!(sent.outcome, Outcome::InvalidArguments);
    served.stop();
}

#[tokio::test]
async fn offers_tools_whose_schemas_contain_themselves() {
    let schema = json!({
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/node"}},
        "required": ["root"],
        "$defs": {"node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}}
            },
            "required": ["name"],
            "additionalProperties": false
        }}
    });
    let own = Toolset::single(echo("grow", &schema)).unwrap();
    let served = serve(ToolServer::new(own, ToolContext::new())).await;
    let client = McpConfig::url(&served.url).open().await.unwrap();
    assert!(client.unusable().is_empty(), "{:?}", client.unusable());
    let tools = Toolset::builder().tools(client.tools()).build().unwrap();
    for dialect in Dialect::ALL {
        assert!(
            tools
                .spec("grow", dialect)
                .unwrap()
                .parameters
                .contains("kids"),
            "{dialect}"
        );
    }
    let tree = json!({"root": {"name": "a", "kids": [{"name": "b", "kids": [{"name": "c"}]}]}});
    assert_eq!(reply(&tools, "grow", &tree).await.outcome, Outcome::Success);
    let wrong = json!({"root": {"name": "a", "kids": [{"name": "b", "kids": [{"nom": "c"}]}]}});
    let said = reply(&tools, "grow", &wrong).await;
    assert_eq!(said.outcome, Outcome::InvalidArguments);
    assert!(
        said.to_model().contains("root.kids[0].kids[0].name"),
        "{}",
        said.to_model()
    );
    served.stop();
}
