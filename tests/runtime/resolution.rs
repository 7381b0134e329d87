//! How a list comes together.

use std::time::Instant;

use crate::kit::{Add, call, echo, text};
use callpact::{
    AgentTool, Dialect, DynamicTool, Json, Outcome, ToolContext, ToolPipeline, ToolResult, Toolset,
    toolset::{Conflict, Tools},
};

struct Named(String, &'static str, &'static [&'static str]);

impl AgentTool for Named {
    fn name(&self) -> &str {
        &self.0
    }
    fn description(&self) -> &str {
        self.1
    }
    fn secret_params(&self) -> &'static [&'static str] {
        self.2
    }
    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success(input)
    }
}

fn named(name: &str) -> Named {
    Named(name.into(), "d", &[])
}

#[test]
fn reports_all_conflicts_in_list_order() {
    let build = || {
        Toolset::builder()
            .tool(named("a"))
            .tool(named("a"))
            .tool(named("b b"))
            .tool(Named("c".into(), "  ", &[]))
            .tool(Named("d".into(), "d", &["a..b"]))
            .timeout("nobody", std::time::Duration::from_secs(1))
            .require_approval("no one")
            .build()
            .unwrap_err()
    };
    let text = "Duplicate tool name: 'a'\n\
                Invalid tool name: 'b b': a name is 1 to 64 letters, digits, `_` and `-`\n\
                Tool 'c' has no description: say what it does and when to use it\n\
                Tool 'd' names 'a..b' as a secret parameter, which is not a path\n\
                There is no tool 'nobody' in this list\n\
                There is no tool 'no one' in this list";
    for _ in 0..5 {
        assert_eq!(build().to_string(), text);
    }
    assert_eq!(build().conflicts.len(), 6);
}

#[test]
fn names_that_collide_when_they_are_made_safe() {
    let error = Toolset::builder()
        .tool(named("a.b"))
        .tool(named("a_b"))
        .tool(named("a/b"))
        .tool(named("x"))
        .tool(named("x"))
        .safe_names()
        .build()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "Duplicate tool name: 'x'\n\
         Tool names 'a.b' and 'a_b' both become 'a_b' for providers\n\
         Tool names 'a.b' and 'a/b' both become 'a_b' for providers"
    );
}

#[tokio::test]
async fn safe_names_lead_back() {
    let long = "n".repeat(100);
    let tools = Toolset::builder()
        .tool(named("admin.tools.list"))
        .tool(named(&long))
        .tool(named("plain"))
        .safe_names()
        .build()
        .unwrap();
    let names: Vec<_> = tools.names().collect();
    assert_eq!((names[0], names[2]), ("admin_tools_list", "plain"));
    assert_eq!(
        tools.original_name("admin_tools_list"),
        Some("admin.tools.list")
    );
    assert_eq!(tools.original_name(names[1]), Some(&*long));
    assert!(
        names
            .iter()
            .all(|name| callpact::names::is_provider_name(name))
    );
    let reply = tools
        .call(
            &call("admin_tools_list", r#"{"input":"x"}"#),
            &ToolContext::new(),
        )
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "x");
}

fn dynamic() -> DynamicTool {
    DynamicTool::new(
        "dynamic",
        "Takes nothing",
        None,
        |arguments, _| async move { Json(arguments) },
    )
    .unwrap()
}

fn mixed() -> Toolset {
    let inner = Toolset::builder().tool(echo("nested")).build().unwrap();
    let more: Tools = vec![named("v1"), named("v2")].into_iter().collect();
    Toolset::builder()
        .tool(echo("string"))
        .tool(Add)
        .tool(dynamic())
        .tool(ToolPipeline::of(Add).then(echo("e")))
        .tools(inner)
        .tools(vec![named("in_vec")])
        .tools(more)
        .tools(Tools::new().with(named("with")))
        .build()
        .unwrap()
}

#[tokio::test]
async fn every_kind_of_tool_lives_in_one_list() {
    let tools = mixed();
    let names: Vec<_> = tools.names().collect();
    assert_eq!(
        names,
        [
            "string",
            "add",
            "dynamic",
            "add_then_e",
            "nested",
            "in_vec",
            "v1",
            "v2",
            "with"
        ]
    );
    assert_eq!((tools.len(), tools.is_empty()), (9, false));
    let cx = ToolContext::new();
    for (name, arguments, text) in [
        ("string", r#"{"input":"x"}"#, "x"),
        ("add", r#"{"a":1,"b":2}"#, "3"),
        ("dynamic", "", "{}"),
        ("add_then_e", r#"{"a":1,"b":2}"#, "3"),
        ("nested", r#"{"input":"x"}"#, "x"),
        ("v2", r#"{"input":"x"}"#, "x"),
    ] {
        assert_eq!(
            tools
                .call(&call(name, arguments), &cx)
                .await
                .unwrap()
                .to_model(),
            text
        );
    }
}

#[test]
fn every_dialect_writes_stable_valid_json_spec_list() {
    for dialect in Dialect::ALL {
        let one = mixed().specs(dialect);
        assert_eq!(one, mixed().specs(dialect), "{dialect}");
        let value: serde_json::Value = serde_json::from_str(&one).unwrap();
        let list = value.as_array().unwrap();
        let list = match list[0].get("functionDeclarations") {
            Some(inner) => inner.as_array().unwrap(),
            None => list,
        };
        assert_eq!(list.len(), 9, "{dialect}");
        for (spec, name) in list.iter().zip(mixed().names()) {
            assert!(
                spec.to_string().contains(&format!(r#""name":"{name}""#)),
                "{spec}"
            );
        }
        assert_eq!(mixed().spec_list(dialect).len(), 9);
        assert_eq!(
            mixed().spec("add", dialect),
            Some(mixed().spec_list(dialect).remove(1))
        );
    }
}

#[tokio::test]
async fn combinators() {
    let tools = mixed();
    let prefixed = tools
        .filter(|name| name.starts_with('v'))
        .prefix("my-")
        .unwrap();
    assert_eq!(prefixed.names().collect::<Vec<_>>(), ["my-v1", "my-v2"]);
    assert_eq!(prefixed.original_name("my-v1"), Some("v1"));
    assert_eq!(tools.len(), 9, "the old list stays");
    let renamed = prefixed.rename("my-v1", "other").unwrap();
    assert_eq!(renamed.names().collect::<Vec<_>>(), ["other", "my-v2"]);
    let reply = renamed
        .call(&call("other", r#"{"input":"x"}"#), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!((&*reply.tool, &*reply.to_model()), ("other", "x"));
    assert_eq!(
        prefixed.rename("my-v1", "my-v2").unwrap_err().conflicts,
        [Conflict::DuplicateName {
            name: "my-v2".into()
        }]
    );
    assert_eq!(
        prefixed.rename("gone", "x").unwrap_err().conflicts,
        [Conflict::NoSuchTool {
            name: "gone".into()
        }]
    );
    assert!(matches!(
        prefixed.prefix(&"p".repeat(64)).unwrap_err().conflicts[..],
        [Conflict::InvalidName { .. }, Conflict::InvalidName { .. }]
    ));
    assert!(prefixed.prefix("a b").is_err());
    assert!(tools.filter(|_| false).is_empty());
    // The demands of a list stay in lists made from it, under every name.
    let demanding = tools
        .require_approval(|name| name == "v1")
        .prefix("p_")
        .unwrap();
    let outer = Toolset::builder().tools(demanding).build().unwrap();
    assert!(
        outer
            .call(&call("p_v1", "{}"), &ToolContext::new())
            .await
            .is_err()
    );
    assert!(
        outer
            .call(&call("p_v2", "{}"), &ToolContext::new())
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn an_unknown_tool_among_ten_thousand() {
    let many: Vec<_> = (0..10_000)
        .map(|i| named(&format!("tool_number_{i}")))
        .collect();
    let tools = Toolset::builder().tools(many).build().unwrap();
    let cx = ToolContext::new();
    let reply = tools
        .call(&call("tool_nubmer_77", "{}"), &cx)
        .await
        .unwrap();
    let text = reply.to_model();
    assert_eq!(
        text,
        "Error: Unknown tool 'tool_nubmer_77'. Did you mean 'tool_number_77'? \
         The nearest of 10000 tools: tool_number_77, tool_number_7, tool_number_17, tool_number_27, tool_number_37"
    );
    let started = Instant::now();
    let long = "x\u{202e}\n".repeat(1 << 20);
    let reply = tools.call(&call(&long, "{}"), &cx).await.unwrap();
    assert!(reply.to_model().len() < 2_000, "bounded");
    assert!(!reply.to_model().contains('\u{202e}'), "and harmless");
    assert!(reply.tool.len() < 1_000);
    assert!(started.elapsed().as_secs() < 50);
}

#[tokio::test]
async fn a_name_with_a_prefix_names_its_tool() {
    let cx = ToolContext::new();
    let hint = async |names: &[&str], name: &str| {
        let all: Vec<_> = names.iter().map(|name| named(name)).collect();
        let tools = Toolset::builder().tools(all).build().unwrap();
        let reply = tools.call(&call(name, "{}"), &cx).await.unwrap();
        assert_eq!(reply.outcome, Outcome::UnknownTool, "{name}");
        let text = reply.to_model().into_owned();
        let near = text.split_once("Did you mean '");
        near.and_then(|(_, near)| Some(near.split_once('\'')?.0.to_owned()))
    };
    let names = ["add", "git__log", "mail__send", "chat__send"];
    for (name, meant) in [
        ("functions.add", "add"),
        ("mcp__calc__add", "add"),
        ("calc/add", "add"),
        ("functions.ADD", "add"),
        ("mcp__server__git__log", "git__log"),
        ("log", "git__log"),
    ] {
        assert_eq!(hint(&names, name).await.as_deref(), Some(meant), "{name}");
    }
    // Two tools have that end, and nothing follows these prefixes.
    for name in ["send", "functions.", "mcp____", "functions.zzz"] {
        assert_eq!(hint(&names, name).await, None, "{name}");
    }
}

#[test]
fn the_order_is_the_order_of_adding() {
    let names: Vec<String> = (0..500).map(|i| format!("t{}", (i * 7919) % 500)).collect();
    let tools = Toolset::builder()
        .tools(names.iter().map(|name| named(name)).collect::<Vec<_>>())
        .build()
        .unwrap();
    assert_eq!(tools.names().collect::<Vec<_>>(), names);
}

#[tokio::test]
async fn unknown_name_with_newline_forges_no_log_line() {
    let tools = Toolset::builder()
        .tool(text("t", |_, _| ToolResult::success("")))
        .build()
        .unwrap();
    let long = "x".repeat(100_000);
    for name in [
        "x\n2026 INFO forged",
        "x\r\n2026 INFO forged",
        "x\u{85}2026\u{2028}INFO\u{2029}forged",
        "x\u{1b}[2J\u{202e}\u{8}",
        &long,
    ] {
        let logs = crate::kit::Logs::at(tracing::Level::TRACE);
        tools
            .call(&call(name, "{}"), &ToolContext::new())
            .await
            .unwrap();
        let logged = logs.all();
        assert_eq!(logged.lines().count(), 1, "{logged}");
        assert!(logged.len() < 1_000, "{} bytes", logged.len());
        let hidden =
            |c: char| c != '\n' && (c.is_control() || "\u{2028}\u{2029}\u{202e}".contains(c));
        assert!(!logged.contains(hidden), "{logged:?}");
    }
}
