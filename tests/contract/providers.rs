//! Calls and replies of every provider, lints, and the planner for strict mode.

use std::collections::BTreeMap;

use callpact::{
    Dialect, DynamicTool, Permission, ToolCall, ToolContext, ToolInput, Toolset, TypedAgentTool,
    adapter::{Severity, StrictBudget},
};
use serde_json::json;

#[test]
fn calls_of_every_provider() {
    let call = |id: &str| vec![ToolCall::new(id, "search", r#"{"query":"lamp"}"#)];
    let text = r#"{"query":"lamp"}"#;
    let chat =
        json!({"id": "c1", "type": "function", "function": {"name": "search", "arguments": text}});
    for response in [
        json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [chat]}}]}),
        json!({"role": "assistant", "tool_calls": [chat]}),
        json!([chat]),
        chat.clone(),
    ] {
        assert_eq!(
            ToolCall::parse(&response, Dialect::OpenAi),
            Ok(call("c1")),
            "{response}"
        );
        assert_eq!(ToolCall::parse(&response, Dialect::Mistral), Ok(call("c1")));
    }
    let ollama = json!({"message": {"tool_calls": [{"function": {"name": "search", "arguments": {"query": "lamp"}}}]}});
    assert_eq!(
        ToolCall::parse(&ollama, Dialect::Ollama),
        Ok(call("call_0"))
    );
    let responses = json!({"output": [
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "id": "fc_1", "call_id": "c2", "name": "search", "arguments": text},
    ]});
    assert_eq!(
        ToolCall::parse(&responses, Dialect::OpenAiResponses),
        Ok(call("c2"))
    );
    let gemini = json!({"candidates": [{"content": {"parts": [
        {"text": "ok"}, {"functionCall": {"id": "c3", "name": "search", "args": {"query": "lamp"}}},
    ]}}]});
    assert_eq!(ToolCall::parse(&gemini, Dialect::Gemini), Ok(call("c3")));
    let converse = json!({"output": {"message": {"content": [
        {"toolUse": {"toolUseId": "c4", "name": "search", "input": {"query": "lamp"}}},
    ]}}});
    assert_eq!(ToolCall::parse(&converse, Dialect::Bedrock), Ok(call("c4")));
    let mcp = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "lamp"}}});
    assert_eq!(ToolCall::parse(&mcp, Dialect::Mcp20260728), Ok(call("7")));
}

#[test]
fn finds_call_in_response_message_part_or_alone() {
    let input = json!({"query": "lamp"});
    let chat =
        json!({"id": "1", "type": "function", "function": {"name": "search", "arguments": input}});
    let item =
        json!({"type": "function_call", "call_id": "1", "name": "search", "arguments": input});
    let block = json!({"type": "tool_use", "id": "1", "name": "search", "input": input});
    let part = json!({"functionCall": {"id": "1", "name": "search", "args": input}});
    let converse = json!({"toolUse": {"toolUseId": "1", "name": "search", "input": input}});
    let params = json!({"name": "search", "arguments": input});
    for (dialect, responses) in [
        (
            Dialect::Ollama,
            vec![
                json!({"message": {"tool_calls": [chat]}}),
                json!({"tool_calls": [chat]}),
                json!([chat]),
                chat,
            ],
        ),
        (
            Dialect::OpenAiResponses,
            vec![json!({"output": [item]}), json!([item]), item],
        ),
        (
            Dialect::Anthropic,
            vec![json!({"content": [block]}), json!([block]), block],
        ),
        (
            Dialect::Gemini,
            vec![
                json!({"candidates": [{"content": {"parts": [part]}}]}),
                json!({"parts": [part]}),
                json!([part]),
                part,
            ],
        ),
        (
            Dialect::Bedrock,
            vec![
                json!({"output": {"message": {"content": [converse]}}}),
                json!({"content": [converse]}),
                json!([converse]),
                converse,
            ],
        ),
        (
            Dialect::Mcp20251125,
            vec![json!({"id": 1, "method": "tools/call", "params": params})],
        ),
    ] {
        for response in responses {
            let call = ToolCall::new("1", "search", r#"{"query":"lamp"}"#);
            let calls = ToolCall::parse(&response, dialect);
            assert_eq!(calls, Ok(vec![call]), "{dialect} {response}");
        }
    }
}

#[test]
fn a_response_without_calls_has_none() {
    for (response, dialect) in [
        (
            json!({"choices": [{"message": {"role": "assistant", "content": "hi"}}]}),
            Dialect::OpenAi,
        ),
        (
            json!({"choices": [{"message": {"content": "hi", "tool_calls": null}}]}),
            Dialect::OpenAi,
        ),
        (
            json!({"content": [{"type": "text", "text": "hi"}]}),
            Dialect::Anthropic,
        ),
        (
            json!({"role": "assistant", "content": "hi"}),
            Dialect::Anthropic,
        ),
        (json!({"output": []}), Dialect::OpenAiResponses),
        (
            json!({"candidates": [{"content": {"parts": [{"text": "hi"}]}}]}),
            Dialect::Gemini,
        ),
        (json!({"candidates": []}), Dialect::Gemini),
    ] {
        assert_eq!(
            ToolCall::parse(&response, dialect),
            Ok(vec![]),
            "{response}"
        );
    }
}

/// Dumps of some clients keep the fields that are null.
#[test]
fn null_in_place_of_call_is_ignored() {
    for (response, dialect) in [
        (
            json!({"candidates": [{"content": {"parts": [{"text": "hi", "functionCall": null}]}}]}),
            Dialect::Gemini,
        ),
        (
            json!({"output": {"message": {"content": [{"text": "hi", "toolUse": null}]}}}),
            Dialect::Bedrock,
        ),
    ] {
        assert_eq!(
            ToolCall::parse(&response, dialect),
            Ok(vec![]),
            "{response}"
        );
    }
}

/// In a list of calls, only calls of another type are skipped.
#[test]
fn reports_invalid_entry_in_call_list() {
    let good =
        json!({"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}});
    for (bad, said) in [
        (json!(null), "/message/tool_calls/1: expected a call"),
        (json!("x"), "/message/tool_calls/1: expected a call"),
        (json!({}), "/message/tool_calls/1: expected a call"),
        (
            json!({"id": "2", "function": null}),
            "/message/tool_calls/1: expected a call",
        ),
        (
            json!({"type": "function", "function": null}),
            "/message/tool_calls/1: a call without `function`",
        ),
    ] {
        let response = json!({"message": {"tool_calls": [good, bad]}});
        let fault = ToolCall::parse(&response, Dialect::OpenAi).expect_err("no call");
        assert_eq!(fault.to_string(), said, "{bad}");
    }
    let response = json!({"message": {"tool_calls": "x"}});
    let fault = ToolCall::parse(&response, Dialect::OpenAi).expect_err("no list");
    assert_eq!(fault.to_string(), "/message/tool_calls: expected a list");
    let custom = json!({"id": "2", "type": "custom", "custom": {"name": "sql", "input": "x"}});
    let response = json!({"message": {"tool_calls": [custom, good]}});
    let calls = ToolCall::parse(&response, Dialect::OpenAi).expect("a call");
    assert_eq!(calls[0].arguments, r#"{"input":"x"}"#);
    assert!(calls[0].origin.is_text);
    assert_eq!(calls[1..], [ToolCall::new("1", "search", "{}")]);
}

#[test]
fn generated_id_differs_from_every_given_id() {
    let ids = |given: &[Option<&str>]| -> Vec<String> {
        let call =
            |id: Option<&str>| json!({"id": id, "function": {"name": "search", "arguments": {}}});
        let response = json!({"tool_calls": given.iter().copied().map(call).collect::<Vec<_>>()});
        let calls = ToolCall::parse(&response, Dialect::OpenAi).expect("calls");
        calls.into_iter().map(|call| call.id).collect()
    };
    assert_eq!(ids(&[None, Some(""), None]), ["call_0", "call_1", "call_2"]);
    assert_eq!(ids(&[None, Some("call_0")]), ["call_1", "call_0"]);
    assert_eq!(
        ids(&[None, Some("call_1"), None, Some("call_0"), None]),
        ["call_2", "call_1", "call_3", "call_0", "call_4"]
    );
}

#[test]
fn skips_call_answered_by_provider() {
    let by_server = json!({"toolUse": {"toolUseId": "1", "name": "search", "input": {}, "type": "server_tool_use"}});
    let ours = json!({"toolUse": {"toolUseId": "2", "name": "search", "input": {}}});
    let response = json!({"output": {"message": {"content": [by_server, ours]}}});
    let calls = ToolCall::parse(&response, Dialect::Bedrock).expect("a call");
    assert_eq!(calls, [ToolCall::new("2", "search", "{}")]);
    let response = json!({"content": [
        {"type": "server_tool_use", "id": "1", "name": "web_search", "input": {}},
        {"type": "tool_use", "id": "2", "name": "search", "input": {}},
    ]});
    let calls = ToolCall::parse(&response, Dialect::Anthropic).expect("a call");
    assert_eq!(calls, [ToolCall::new("2", "search", "{}")]);
}

#[test]
fn broken_call_reports_fault_with_place_without_panic() {
    let fault = ToolCall::parse(
        &json!({"tool_calls": [{"type": "function"}]}),
        Dialect::OpenAi,
    );
    assert_eq!(
        fault.expect_err("no function").to_string(),
        "/tool_calls/0: a call without `function`"
    );
    let fault = ToolCall::parse(
        &json!([{"type": "tool_use", "id": "x"}]),
        Dialect::Anthropic,
    );
    assert_eq!(
        fault.expect_err("no name").to_string(),
        "/0: a call without a name"
    );
    for value in [
        json!(null),
        json!(5),
        json!("x"),
        json!([[]]),
        json!({"content": {"a": 1}}),
    ] {
        for dialect in Dialect::ALL {
            let _ = ToolCall::parse(&value, dialect);
        }
    }
}

#[tokio::test]
async fn replies_in_every_providers_words() {
    let ping = DynamicTool::new("ping", "Answers", None, |_, _| async { "pong" }).expect("good");
    let tools = Toolset::builder().tool(ping).build().expect("one tool");
    let reply = tools
        .call(&ToolCall::new("c1", "ping", "{}"), &ToolContext::new())
        .await
        .expect("no halt");
    for (dialect, message) in [
        (
            Dialect::OpenAi,
            json!({"role": "tool", "tool_call_id": "c1", "content": "pong"}),
        ),
        (
            Dialect::Ollama,
            json!({"role": "tool", "tool_name": "ping", "content": "pong"}),
        ),
        (
            Dialect::OpenAiResponses,
            json!({"type": "function_call_output", "call_id": "c1", "output": "pong"}),
        ),
        (
            Dialect::Anthropic,
            json!({"type": "tool_result", "tool_use_id": "c1", "content": "pong"}),
        ),
        (
            Dialect::Gemini,
            json!({"functionResponse": {"id": "c1", "name": "ping", "response": {"output": "pong"}}}),
        ),
        (
            Dialect::Bedrock,
            json!({"toolResult": {"toolUseId": "c1", "content": [{"text": "pong"}], "status": "success"}}),
        ),
        (
            Dialect::Mcp20251125,
            json!({"content": [{"type": "text", "text": "pong"}], "isError": false}),
        ),
        (
            Dialect::Mcp20260728,
            json!({"content": [{"type": "text", "text": "pong"}], "isError": false, "resultType": "complete"}),
        ),
    ] {
        assert_eq!(reply.to_message(dialect), message, "{dialect}");
    }
}

macro_rules! tool {
    ($tool:ident, $input:ident, $name:literal) => {
        struct $tool;
        impl TypedAgentTool for $tool {
            type Input = $input;
            type Output = &'static str;
            const SECRET_PARAMS: &'static [&'static str] = &[];
            fn name(&self) -> &str {
                $name
            }
            fn description(&self) -> &str {
                "A tool"
            }
            fn permission(&self) -> Permission {
                Permission::ReadOnly
            }
            async fn execute(&self, _: $input, _: &ToolContext) -> &'static str {
                ""
            }
        }
    };
}

#[derive(ToolInput)]
#[allow(dead_code)] // only their schemas are looked at
struct Many {
    a: Option<u8>,
    b: Option<u8>,
    c: Option<u8>,
    d: Option<u8>,
    e: Option<u8>,
    f: Option<u8>,
    g: Option<u8>,
    h: Option<u8>,
    i: Option<u8>,
    j: Option<u8>,
}
#[derive(ToolInput)]
#[allow(dead_code)]
struct Anything {
    value: serde_json::Value,
}
tool!(First, Many, "first");
tool!(Second, Many, "second");
tool!(Third, Many, "third");
tool!(Open, Anything, "open");

#[test]
fn planner_downgrades_each_tool_with_reason() {
    let tools = Toolset::builder()
        .tool(First)
        .tool(Second)
        .tool(Third)
        .tool(Open)
        .build()
        .expect("good");
    let dialect = Dialect::AnthropicStrict;
    let plan = tools.plan_strict(dialect, &StrictBudget::of(dialect));
    assert_eq!(
        plan.to_string(),
        "first: strict\n\
         second: strict\n\
         third: plain, because the request would have 30 optional parameters and may have 24\n\
         open: plain, because /properties/value takes any value, which strict mode cannot say"
    );
    let json: serde_json::Value = serde_json::from_str(&plan.to_json()).expect("JSON");
    assert_eq!(json[0]["strict"], true);
    assert_eq!(json[2].get("strict"), None);
}

#[test]
fn what_we_emit_no_lint_calls_an_error() {
    let tools = Toolset::builder()
        .tool(First)
        .tool(Open)
        .build()
        .expect("good");
    for dialect in Dialect::ALL {
        for spec in tools.spec_list(dialect) {
            let errors: Vec<_> = spec
                .lint()
                .into_iter()
                .filter(|lint| lint.severity == Severity::Error)
                .collect();
            assert!(errors.is_empty(), "{dialect}: {errors:?}");
        }
    }
}

fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_documented_truncation_word_cuts_off_last_call() {
    let dialects: BTreeMap<&str, Dialect> = Dialect::ALL
        .into_iter()
        .map(|dialect| (dialect.name(), dialect))
        .collect();
    let arguments = json!({"query": "lamp"});
    let chat = json!([{"id": "1", "type": "function", "function": {"name": "search", "arguments": arguments}}]);
    let item =
        json!({"type": "function_call", "call_id": "1", "name": "search", "arguments": "{}"});
    let block = json!({"type": "tool_use", "id": "1", "name": "search", "input": arguments});
    let page = include_str!("../../docs/providers.md");
    let (_, table) = page
        .split_once("| family | where it is said | cut off, in any case of letters |\n")
        .expect("the table");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut tried = 0;
    for row in rows.skip(1) {
        let row: Vec<&str> = row.split(" | ").collect();
        for family in quoted(row[0]) {
            for word in quoted(row[2]) {
                for word in [word.to_uppercase(), word.to_lowercase()] {
                    let response = match family {
                        "ollama" => json!({"message": {"tool_calls": chat}, "done_reason": word}),
                        "openai-responses" => json!({"output": [item], "status": word}),
                        "anthropic" => json!({"content": [block], "stop_reason": word}),
                        "gemini" => {
                            json!({"candidates": [{"finishReason": word, "content": {"parts": [
                                {"functionCall": {"name": "search", "args": arguments}},
                            ]}}]})
                        }
                        "bedrock" => json!({"stopReason": word, "output": {"message": {"content": [
                            {"toolUse": {"toolUseId": "1", "name": "search", "input": arguments}},
                        ]}}}),
                        _ => {
                            json!({"choices": [{"message": {"tool_calls": chat}, "finish_reason": word}]})
                        }
                    };
                    let calls = ToolCall::parse(&response, dialects[family]).expect("a call");
                    assert!(calls.len() == 1 && calls[0].cut_off, "{family} {word}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 60, "{tried}");
}
