//! Does the work of places that meet many things at once, for a tool that counts instructions (`scripts/growth`).
//!
//! `work NAME` does it for 250, 500 and 1,000 things, and prints the numbers; without an
//! argument, lists the names. What is made before the work does not count.

use std::future::Future;

use callpact::{
    Dialect, DynamicTool, PermissionMode, ReviewDecision, ToolCall, ToolContext, Toolset,
    identity::{Identity, StaticTokens},
    observe::CallObserver,
    review::review_fn,
    schema::ForeignSchema,
    secret::{ResolvedSecrets, SecretRef, SecretValue},
    stream::{Ended, KnownTools, TextReader, TurnAssembler},
    tool,
};
use serde_json::{Map, Value, json};

/// Some work, ready to be done.
type Work = Box<dyn FnOnce()>;
/// Makes the work for so many things.
type MakeWork = fn(usize) -> Work;

/// The places, by their names.
const PLACES: &[(&str, MakeWork)] = &[
    ("redactor: keys that become equal", equal_keys),
    ("redactor: a stream byte by byte", byte_by_byte),
    ("redactor: a long secret as numbers", numbers),
    ("masks: an edit that keeps them", masks),
    ("approval: fixes and defaults written out", fixes),
    ("observer: calls in turn", observed),
    ("calls of one turn", turn),
    ("stream: calls of one turn", stream),
    ("stream: calls that alternate", alternating),
    ("text: parameters of a call", parameters),
    ("list: its tools and their specifications", list),
    ("list: an unknown name", unknown),
    ("tokens of people", tokens),
    ("schema: required properties", properties),
    ("schema: references by pointer", pointers),
    ("schema: references by name", anchors),
];

fn main() {
    let Some(name) = std::env::args().nth(1) else {
        for (name, _) in PLACES {
            println!("{name}");
        }
        return;
    };
    let (_, make) = PLACES
        .iter()
        .find(|(known, _)| *known == name)
        .expect("a name");
    let mut count = 250;
    while count <= 1_000 {
        let work = make(count);
        measured(work);
        println!("{count}");
        count *= 2;
    }
}

/// The work whose instructions are counted.
#[inline(never)]
fn measured(work: Work) {
    work();
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("it starts").block_on(future)
}

fn secrets(value: &str) -> ResolvedSecrets {
    let name = SecretRef::new("key").expect("a name");
    ResolvedSecrets::new([(name, SecretValue::new(value))]).expect("a secret")
}

fn equal_keys(count: usize) -> Work {
    const SECRET: &str = "hunter-hunter-hunter";
    let redactor = secrets(SECRET).redactor();
    // Each key is the secret in other capitals, so all become the placeholder.
    let key = |at: usize| -> String {
        let letter = |(place, letter): (usize, char)| match at >> (place % 13) & 1 {
            1 => letter.to_ascii_uppercase(),
            _ => letter,
        };
        SECRET.chars().enumerate().map(letter).collect()
    };
    let keys: Map<String, Value> = (0..).map(|at| (key(at), json!(1))).take(count).collect();
    Box::new(move || assert!(redactor.redact_value(&Value::Object(keys)).is_object()))
}

fn byte_by_byte(count: usize) -> Work {
    let secret = "hunter2-".repeat(count);
    let redactor = secrets(&format!("{secret}!")).redactor();
    Box::new(move || {
        let mut stream = redactor.stream();
        let mut out: usize = secret
            .bytes()
            .map(|byte| stream.push_bytes(&[byte]).len())
            .sum();
        out += stream.finish().len();
        assert_eq!(out, secret.len());
    })
}

fn numbers(count: usize) -> Work {
    let secret = "hunter2-".repeat(count);
    let text: Vec<String> = secret.bytes().map(|byte| byte.to_string()).collect();
    let text = text.join(", ");
    let redactor = secrets(&format!("{secret}!")).redactor();
    Box::new(move || assert_eq!(redactor.redact(&text), text))
}

/// Adds keys
#[tool(destructive, secrets())]
fn add_keys(#[tool_param(secret)] keys: Vec<String>) -> usize {
    keys.len()
}

fn masks(count: usize) -> Work {
    let keys: Vec<String> = (0..count).map(|at| format!("key-number-{at}")).collect();
    let masks: Vec<String> = (0..count)
        .map(|at| format!("(secret {})", at + 1))
        .collect();
    let call = ToolCall::new("1", "add_keys", json!({ "keys": keys }).to_string());
    let edit = json!({ "keys": masks }).to_string();
    let tools = Toolset::single(AddKeys).expect("a list");
    Box::new(move || {
        let reviewer = review_fn(move |_| {
            let edit = edit.clone();
            async move { Ok(ReviewDecision::Edit(edit)) }
        });
        let cx = ToolContext::new()
            .with_permissions(PermissionMode::Ask)
            .with_reviewer(reviewer);
        wait(tools.call(&call, &cx)).expect("it ran");
    })
}

/// Orders things
#[tool(destructive)]
fn order(numbers: Vec<u32>, #[tool_param(default = true)] soon: bool) -> usize {
    numbers.len() + usize::from(soon)
}

fn fixes(count: usize) -> Work {
    let numbers: Vec<String> = (0..count).map(|at| at.to_string()).collect();
    let call = ToolCall::new("1", "order", json!({ "numbers": numbers }).to_string());
    let tools = Toolset::single(Order).expect("a list");
    Box::new(move || {
        let cx = ToolContext::new()
            .with_permissions(PermissionMode::Ask)
            .with_reviewer(callpact::review::auto_approve());
        wait(tools.call(&call, &cx)).expect("a reply");
    })
}

struct Quiet;
impl CallObserver for Quiet {}

/// Says hello
#[tool(read_only)]
fn hello(name: String) -> String {
    name
}

fn calls(count: usize) -> Vec<ToolCall> {
    let call = |at: usize| {
        let arguments = json!({ "name": at.to_string() }).to_string();
        ToolCall::new(at.to_string(), "hello", arguments)
    };
    (0..count).map(call).collect()
}

fn observed(count: usize) -> Work {
    let calls = calls(count);
    let tools = Toolset::single(Hello).expect("a list");
    let cx = ToolContext::new().with_observer(Quiet);
    Box::new(move || {
        wait(async {
            for call in &calls {
                tools.call(call, &cx).await.expect("a reply");
            }
        });
    })
}

fn turn(count: usize) -> Work {
    let calls = calls(count);
    let tools = Toolset::single(Hello).expect("a list");
    let cx = ToolContext::new().with_run("run");
    Box::new(move || assert_eq!(wait(tools.call_all(&calls, &cx)).len(), count))
}

fn stream(count: usize) -> Work {
    let event = |at: usize| {
        let call = json!({ "index": at, "id": at.to_string(), "type": "function",
            "function": { "name": "hello", "arguments": "{\"name\": \"a\"}" } });
        json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [call] } }] })
    };
    let events: Vec<Value> = (0..count).map(event).collect();
    Box::new(move || {
        let mut turn = TurnAssembler::new();
        for event in &events {
            turn.push(event);
        }
        assert_eq!(turn.finish().calls.len(), count);
    })
}

fn alternating(count: usize) -> Work {
    let chunk = |at: usize, piece: Value| {
        let mut call = piece;
        call["index"] = at.into();
        json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [call] } }] })
    };
    let first = |at: usize| chunk(at, json!({ "function": { "name": "hello" } }));
    let piece = |text: &str, at: usize| {
        chunk(
            at,
            json!({ "id": at.to_string(), "function": { "arguments": text } }),
        )
    };
    let mut events: Vec<Value> = (0..count).map(first).collect();
    events.extend((0..count).map(|at| piece("{\"name\": ", at)));
    events.extend((0..count).rev().map(|at| piece("\"a\"}", at)));
    Box::new(move || {
        let mut turn = TurnAssembler::new();
        for event in &events {
            turn.push(event);
        }
        assert_eq!(turn.finish().calls.len(), count);
    })
}

fn parameters(count: usize) -> Work {
    let one = |at: usize| format!("<parameter=key_{at}>\n{at}\n</parameter>\n");
    let all: String = (0..count).map(one).collect();
    let text = format!("<tool_call>\n<function=hello>\n{all}</function>\n</tool_call>");
    Box::new(move || {
        let mut reader = TextReader::new(&KnownTools::any());
        reader.push(&text);
        assert_eq!(reader.finish(Ended::Unknown).calls.len(), 1);
    })
}

fn many_tools(count: usize) -> Toolset {
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#;
    let one = |at: usize| {
        let name = format!("tool_number_{at}");
        DynamicTool::new(name, "Does it.", Some(schema), |_, _| async { "" }).expect("a tool")
    };
    let tools = (0..count).map(one);
    tools
        .fold(Toolset::builder(), callpact::ToolsetBuilder::tool)
        .build()
        .expect("a list")
}

fn list(count: usize) -> Work {
    Box::new(move || {
        let tools = many_tools(count);
        let specs = tools.specs(Dialect::OpenAiStrict);
        assert!(specs.len() > count);
        assert_eq!(
            tools
                .names()
                .filter(|name| tools.permission(name).is_some())
                .count(),
            count
        );
    })
}

fn unknown(count: usize) -> Work {
    let tools = many_tools(count);
    Box::new(move || {
        let text = tools.describe_unknown("tool_numbr_17");
        assert!(text.contains("tool_number_17"), "{text}");
    })
}

fn tokens(count: usize) -> Work {
    let names: Vec<String> = (0..count)
        .map(|at| format!("a-token-of-person-{at:06}"))
        .collect();
    Box::new(move || {
        let mut tokens = StaticTokens::new();
        for name in &names {
            tokens = tokens
                .token(name, Identity::new(name.as_str()))
                .expect("a token");
        }
        assert!(!tokens.is_empty());
    })
}

/// Reads a schema with these properties.
fn schema_with(properties: &Map<String, Value>) -> Work {
    let required: Vec<&String> = properties.keys().collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    Box::new(move || assert!(ForeignSchema::from_server(schema).is_ok()))
}

fn properties(count: usize) -> Work {
    let one = |at: usize| (format!("p{at:05}"), json!({ "type": "string" }));
    schema_with(&(0..count).map(one).collect())
}

fn pointers(count: usize) -> Work {
    let one = |at: usize| (format!("p{at:05}"), json!({ "type": "string" }));
    let other = |at: usize| {
        let target = format!("#/properties/p{at:05}");
        (format!("q{at:05}"), json!({ "$ref": target }))
    };
    schema_with(&(0..count).flat_map(|at| [one(at), other(at)]).collect())
}

fn anchors(count: usize) -> Work {
    let one = |at: usize| {
        let schema = json!({ "type": "string", "$anchor": format!("a{at:05}") });
        (format!("p{at:05}"), schema)
    };
    let other = |at: usize| {
        let target = format!("#a{at:05}");
        (format!("q{at:05}"), json!({ "$ref": target }))
    };
    schema_with(&(0..count).flat_map(|at| [one(at), other(at)]).collect())
}
