//! Calls in the text of a local model.

use serde_json::json;

use crate::kit::Logs;
use callpact::{
    Dialect, Outcome, ToolCall, ToolContext, Toolset,
    stream::{Ended, TextReader},
    tool,
};

/// Reads a file
#[tool(read_only)]
fn read_file(path: String, lines: Option<u32>) -> String {
    format!("{path} {lines:?}")
}

/// Lists
#[tool(read_only)]
fn list() -> &'static str {
    "listed"
}

fn read(text: &str) -> Vec<ToolCall> {
    let tools = Toolset::builder()
        .tool(ReadFile)
        .tool(List)
        .build()
        .unwrap();
    let mut reader = TextReader::new(&tools.known_tools());
    reader.push(text);
    reader.finish(Ended::Unknown).calls
}

fn calls(text: &str) -> Vec<(String, String, bool)> {
    let calls = read(text).into_iter();
    calls
        .inspect(|call| assert_eq!(call.fault, None, "{text}"))
        .map(|call| (call.name, call.arguments, call.cut_off))
        .collect()
}

fn call(name: &str, arguments: &str) -> (String, String, bool) {
    (name.to_owned(), arguments.to_owned(), false)
}

#[test]
fn blocks_of_hermes_and_qwen() {
    let one =
        "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>";
    let read = call("read_file", r#"{"path": "a"}"#);
    assert_eq!(calls(one), std::slice::from_ref(&read));
    assert_eq!(
        calls(&format!("I look.\n{one}\nThen:\n{one}{one}")),
        vec![read.clone(); 3]
    );
    assert_eq!(
        calls(&format!(
            "<think>\n<tool_call>x</tool_call>\n</think>\n{one}"
        )),
        std::slice::from_ref(&read)
    );
    // A name that is no tool's goes to the list, which says so.
    let other = one.replace("read_file", "no_such");
    assert_eq!(calls(&other), [call("no_such", r#"{"path": "a"}"#)]);
    let text = one.replace(r#"{"path": "a"}"#, r#""{\"path\": \"a\"}""#);
    assert_eq!(calls(&text), [read]);
    let bare = "<tool_call>{\"name\": \"list\"}</tool_call>";
    assert_eq!(calls(bare), [call("list", "{}")]);
}

#[tokio::test]
async fn reader_converts_qwen_markup_text() {
    let text = "<tool_call>\n<function=read_file>\n<parameter=path>\nmy \"file\"\nb\n</parameter>\n<parameter=lines>\n3\n</parameter>\n</function>\n</tool_call>";
    let tools = Toolset::single(ReadFile).unwrap();
    let calls = read(text);
    assert_eq!(calls.len(), 1);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&calls[0].arguments).unwrap(),
        json!({"path": "my \"file\"\nb", "lines": 3})
    );
    let reply = tools.call(&calls[0], &ToolContext::new()).await.unwrap();
    assert_eq!(reply.to_model(), "my \"file\"\nb Some(3)");
}

#[test]
fn bare_json_with_the_name_of_a_tool() {
    let read = call("read_file", r#"{"path": "a"}"#);
    let one = r#"{"name": "read_file", "arguments": {"path": "a"}}"#;
    assert_eq!(calls(one), std::slice::from_ref(&read));
    assert_eq!(
        calls(&format!("```json\n{one}\n```")),
        std::slice::from_ref(&read)
    );
    assert_eq!(
        calls(&format!("[{one}, {one}]")),
        [read.clone(), read.clone()]
    );
    assert_eq!(
        calls(&one.replace("arguments", "parameters")),
        std::slice::from_ref(&read)
    );
    assert_eq!(
        calls(&one.replace("arguments", "args")),
        std::slice::from_ref(&read)
    );
    // A code fence around the whole text is no quotation.
    for block in [one, &format!("<tool_call>\n{one}\n</tool_call>")] {
        for fenced in [
            format!("```json\n{block}\n```"),
            format!("```\n{block}```"),
            format!("~~~\n{block}\n~~~"),
            format!("<think>so</think>\n````\n{block}\n````"),
        ] {
            assert_eq!(calls(&fenced), std::slice::from_ref(&read), "{fenced}");
        }
        let beside =
            format!("Code:\n```\nlet a = 1;\n```\n~~~\na\n~~~\n<tool_call>{one}</tool_call>");
        assert_eq!(calls(&beside), std::slice::from_ref(&read));
    }
    // An answer in JSON, or one that quotes a call, is no call.
    for answer in [
        r#"{"name": "Ada", "arguments": {"path": "a"}}"#,
        r#"{"name": "read_file", "size": 3}"#,
        r#"{"name": "read_file", "arguments": {"path": "a"}, "name": "list"}"#,
        &format!("[{one}, {{\"name\": \"Ada\", \"arguments\": {{}}}}]"),
        &format!("You could call {one}"),
        &format!("Like this:\n```json\n{one}\n```"),
        &format!("Like this:\n```\n<tool_call>{one}</tool_call>\n```\n"),
        &format!("Use it so:\n~~~\n<tool_call>{one}</tool_call>\n~~~\nok"),
        &format!("Use it so:\n````md\n```\n<tool_call>{one}</tool_call>\n````\nok"),
        &format!("Use it so:\n~~~\n```\n<tool_call>{one}</tool_call>\n~~~\nok"),
        &format!("The model writes `<tool_call>{one}</tool_call>`."),
        &format!("<think>{one}"),
        &format!("<thinking>{one}"),
        &format!("<thinking>\n<tool_call>{one}</tool_call>\n</thinking>\ndone"),
        &format!("I look.\n<think>\n<tool_call>{one}</tool_call>\n</think>\ndone"),
        &format!("I look.\n<thinking>\n<tool_call>{one}</tool_call>"),
        // Thoughts that began in the prompt.
        &format!("I could\n<tool_call>{one}</tool_call>\n</think>\ndone"),
        &format!("I could\n<tool_call>{one}</tool_call>\nbut no.</thinking>done"),
        "[]",
        "",
        "done",
    ] {
        assert_eq!(calls(answer), [], "{answer}");
    }
}

#[tokio::test]
async fn a_block_without_an_end_is_cut_off() {
    let tools = Toolset::single(ReadFile).unwrap();
    for text in [
        "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a",
        "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}",
        "<tool_call>",
    ] {
        let calls = read(text);
        assert!(calls.len() == 1 && calls[0].cut_off, "{text}");
        let reply = tools.call(&calls[0], &ToolContext::new()).await.unwrap();
        assert_eq!(reply.outcome, Outcome::InvalidArguments);
        assert!(
            reply.to_model().contains("was cut off"),
            "{}",
            reply.to_model()
        );
    }
}

#[test]
fn reports_block_without_valid_call() {
    for block in [
        "{'name': 'read_file'}",
        r#"{"name": "read_file", "arguments": [1]}"#,
        r#"{"name": "read_file", "arguments": {}, "parameters": {}}"#,
        r#"{"arguments": {}}"#,
        "<function=read_file><parameter=path>a</function>",
        "<function=read_file><parameter=a>1</parameter><parameter=a>2</parameter></function>",
        "",
    ] {
        let text = format!("<tool_call>{block}</tool_call>");
        let calls = read(&text);
        if block.is_empty() {
            // Nothing was called, and the hint names the mark.
            let response = json!({"message": {"content": text}});
            assert!(calls.is_empty() && ToolCall::hint(&response, Dialect::Ollama).is_some());
            continue;
        }
        assert!(
            calls.len() == 1 && calls[0].fault.is_some(),
            "{block}: {calls:?}"
        );
    }
}

#[test]
fn call_text_does_not_read_as_finished_response() {
    let call = r#"{"name": "read_file", "arguments": {"path": "a"}}"#;
    let block = format!("I look.\n<tool_call>\n{call}\n</tool_call>");
    let hint = |response: &serde_json::Value, dialect| {
        assert!(ToolCall::parse(response, dialect).unwrap().is_empty());
        ToolCall::hint(response, dialect)
    };
    for said in [
        call,
        &block,
        &format!("```json\n{call}\n```"),
        "<tool_call>",
    ] {
        // The program that looks at neither has it in its log.
        let logs = Logs::at(tracing::Level::WARN);
        let response = json!({"message": {"role": "assistant", "content": said}});
        ToolCall::parse(&response, Dialect::Ollama).unwrap();
        assert!(logs.all().contains("`TextReader`"), "{said}");
        drop(logs);
        for (dialect, response) in [
            (
                Dialect::Ollama,
                json!({"message": {"role": "assistant", "content": said}}),
            ),
            (
                Dialect::Vllm,
                json!({"choices": [{"message": {"content": said, "tool_calls": []}}]}),
            ),
            (
                Dialect::OpenAi,
                json!({"choices": [{"message": {"content": said, "tool_calls": null}}]}),
            ),
            (
                Dialect::OpenAiResponses,
                json!({"output": [
                    {"type": "message", "content": [{"type": "output_text", "text": said}]}
                ]}),
            ),
            (
                Dialect::Anthropic,
                json!({"content": [{"type": "text", "text": said}]}),
            ),
            (
                Dialect::Gemini,
                json!({"candidates": [{"content": {"parts": [{"text": said}]}}]}),
            ),
            (
                Dialect::Bedrock,
                json!({"output": {"message": {"content": [{"text": said}]}}}),
            ),
        ] {
            let hint = hint(&response, dialect).unwrap_or_else(|| panic!("{dialect}: {said}"));
            assert!(hint.contains("`TextReader`"), "{hint}");
        }
    }
    // Forms that `TextReader` does not read.
    let said = "<function_calls><invoke name=\"read_file\"><parameter name=\"path\">a</parameter></invoke></function_calls>";
    let response = json!({"choices": [{"message": {"content": said}}]});
    let foreign = hint(&response, Dialect::Vllm).unwrap_or_else(|| panic!("{said}"));
    assert!(!foreign.contains("TextReader"), "{foreign}");
    let of_gemini =
        json!({"message": {"content": r#"{"name": "read_file", "args": {"path": "a"}}"#}});
    assert!(hint(&of_gemini, Dialect::Ollama).is_some());
    // An answer is an answer, even if it quotes a call.
    let fenced = format!("Like this:\n```\n{block}\n```");
    for said in [
        "done",
        r#"{"name": "Ada"}"#,
        &format!("Write `{call}`"),
        &fenced,
        &format!("So:\n~~~\n[TOOL_CALLS][{call}]\n~~~"),
        &format!("Write `<tool_call>{call}</tool_call>` and no more"),
        "`<function=f>` and `<tool_call>` begin a call, as <tool_call> does",
        &format!("So:\n{{\"calls\": [\n{call}\n]}}"),
        "{\"name\": \"a",
    ] {
        let response = json!({"choices": [{"message": {"content": said}}]});
        assert_eq!(hint(&response, Dialect::OpenAi), None, "{said}");
    }
    // If the server extracted the call, the text next to it is not a call.
    let made = json!({"choices": [{"message": {"content": block, "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "list", "arguments": "{}"}}
    ]}}]});
    assert_eq!(ToolCall::hint(&made, Dialect::OpenAi), None);
}

/// Calls at a place where `TextReader` takes none, or not all.
#[test]
fn hints_at_unread_call_text() {
    let call = r#"{"name": "read_file", "arguments": {"path": "a"}}"#;
    for said in [
        &*format!("I will. <tool_call>{call}</tool_call>"),
        &format!("I will. <tool_call>\n{call}"),
        &format!("</think><tool_call>{call}</tool_call>"),
        &format!("So.</think>\n<tool_call>{call}</tool_call> <thinking>"),
        &format!("I will look.\n\n{call}"),
        &format!("I will look.\n[{call}]\nDone."),
        &format!("{call}\n{call}"),
        &format!("a</think>\n{call}"),
        &format!("a</think>{call}"),
        &format!("a</think>\n```json\n{call}\n```"),
        &format!("a</think>\nI look.\n{call}"),
        &format!("a</thinking>[TOOL_CALLS][{call}]"),
        "I look.\n{\n  \"name\": \"read_file\",\n  \"arguments\": {}\n}",
        "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a",
        "I look. <function=read_file><parameter=path>a</parameter></function>",
        "I look.<｜tool▁calls▁begin｜>",
    ] {
        let made = read(said);
        let response = json!({"message": {"role": "assistant", "content": said}});
        let hint = ToolCall::hint(&response, Dialect::Ollama).unwrap_or_else(|| panic!("{said}"));
        assert_eq!(made.is_empty(), !hint.contains("TextReader"), "{said}");
    }
}
