//! `#[tool]` on functions.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use callpact::{
    AgentTool, Cancellation, Dialect, Halt, Parameters, Permission, State, ToolContext, ToolInput,
    Toolset, tool,
};

use crate::call;

fn schema(tool: &impl AgentTool) -> String {
    tool.parameters().to_json(Dialect::Portable)
}

/// Adds two numbers.
///
/// Both are whole.
#[tool(read_only)]
async fn add(
    /// The first
    a: i64,
    #[tool_param(description = "The second", min = 0, default = 1)] b: i64,
) -> i64 {
    a + b
}

#[tokio::test]
async fn an_async_function() {
    assert_eq!(
        (Add.name(), Add.description()),
        ("add", "Adds two numbers.\n\nBoth are whole.")
    );
    assert_eq!(AgentTool::permission(&Add), Permission::ReadOnly);
    assert_eq!(
        schema(&Add),
        r#"{"type":"object","properties":{"a":{"type":"integer","description":"The first"},"b":{"type":"integer","description":"The second (default: 1)","minimum":0}},"required":["a"]}"#,
    );
    let cx = ToolContext::new();
    assert_eq!(Add.execute(r#"{"a":2,"b":3}"#, &cx).await.output(), "5");
    assert_eq!(Add.execute(r#"{"a":2}"#, &cx).await.output(), "3");
    assert_eq!(
        Add.execute(r#"{"b":-1}"#, &cx).await.to_model(),
        "Error: Invalid arguments, 2 problems:\n- b: expected an integer of at least 0, found -1\n- a: missing; expected an integer (The first)",
    );
    // Still a function.
    assert_eq!(add(20, 22).await, 42);
}

#[tool(
    destructive,
    name = "wipe-disk",
    description = concat!("Wipes", " it"),
    struct = Wiper,
    secrets(token, "headers[].value", extra.key),
)]
pub(crate) fn wipe(
    token: String,
    #[tool_param(rename = "headers")] pairs: Vec<Header>,
    extra: std::collections::BTreeMap<String, String>,
) -> String {
    format!("{token} {} {}", pairs.len(), extra.len())
}

#[derive(ToolInput)]
pub(crate) struct Header {
    #[allow(dead_code)]
    value: String,
}

#[test]
fn everything_can_be_said() {
    assert_eq!(
        (Wiper.name(), Wiper.description()),
        ("wipe-disk", "Wipes it")
    );
    assert_eq!(AgentTool::permission(&Wiper), Permission::Destructive);
    assert_eq!(
        Wiper.secret_params(),
        ["token", "headers[].value", "extra.key"]
    );
    assert_eq!(
        wipe(
            String::new(),
            Vec::new(),
            std::collections::BTreeMap::default()
        ),
        " 0 0"
    );
}

/// Takes nothing
#[tool(read_only)]
fn nothing() {}

#[tokio::test]
async fn no_parameters() {
    assert_eq!(schema(&Nothing), r#"{"type":"object","properties":{}}"#);
    assert_eq!(
        Nothing.execute("{}", &ToolContext::new()).await.output(),
        ""
    );
    assert_eq!(Nothing.execute("", &ToolContext::new()).await.output(), "");
    nothing();
}

struct Database {
    rows: AtomicU32,
}

/// Everything that can be injected, between the parameters
#[tool(write)]
async fn injected(
    State(database): State<Database>,
    mut first: String,
    cx: &ToolContext,
    second: Option<u8>,
    /// Nobody reads this
    cancellation: Cancellation,
    own: callpact::ToolContext,
) -> Result<String, Halt> {
    database.rows.fetch_add(1, Ordering::Relaxed);
    first.push('!');
    if cancellation.is_cancelled() {
        return Err(Halt::Cancelled);
    }
    Ok(format!(
        "{first} {second:?} {} {}",
        cx.call_id(),
        own.tool_name()
    ))
}

#[tokio::test]
async fn injection_is_not_in_the_schema() {
    assert_eq!(
        schema(&Injected),
        r#"{"type":"object","properties":{"first":{"type":"string"},"second":{"type":"integer","minimum":0,"maximum":255}},"required":["first"]}"#,
    );
    let database = Arc::new(Database {
        rows: AtomicU32::new(0),
    });
    let cx = ToolContext::new().with(Arc::clone(&database));
    let tools = Toolset::builder().tool(Injected).build().unwrap();
    let reply = call(&tools, "injected", r#"{"first":"x","second":7}"#, &cx)
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "x! Some(7) call-1 injected");
    assert_eq!(database.rows.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn missing_state_halts() {
    let tools = Toolset::builder().tool(Injected).build().unwrap();
    let halt = call(&tools, "injected", r#"{"first":"x"}"#, &ToolContext::new())
        .await
        .unwrap_err();
    assert_eq!(
        halt,
        Halt::Misconfigured(
            "Tool 'injected' needs a `functions::free::Database` that the context does not have. \
             Add it to the context of the call: `ToolContext::new().with(…)`."
                .to_owned()
        )
    );
}

/// Every rule of the derive applies
#[tool(read_only)]
fn rules(
    #[tool_param(one_of = ["a", "b"])] letter: String,
    #[tool_param(alias = "kind")] r#type: Option<String>,
    #[serde(rename = "pageSize")] page_size: u8,
    #[tool_param(skip)] skipped: u8,
    #[allow(unused_variables)] unused: bool,
) -> String {
    format!("{letter} {type:?} {page_size} {skipped}")
}

#[tokio::test]
async fn attributes_of_the_derive() {
    assert_eq!(
        schema(&Rules),
        r#"{"type":"object","properties":{"letter":{"type":"string","enum":["a","b"]},"type":{"type":"string"},"pageSize":{"type":"integer","minimum":0,"maximum":255},"unused":{"type":"boolean"}},"required":["letter","pageSize","unused"]}"#,
    );
    let cx = ToolContext::new();
    let result = Rules
        .execute(
            r#"{"letter":"a","kind":"k","pageSize":3,"unused":true}"#,
            &cx,
        )
        .await;
    assert_eq!(result.to_model(), r#"a Some("k") 3 0"#);
}

#[test]
fn inside_a_function() {
    /// Local
    #[tool(read_only, struct = LocalFunction)]
    fn local(a: Local) -> u8 {
        a.0
    }

    #[derive(ToolInput)]
    struct Local(u8);

    assert_eq!(
        (LocalTool.name(), LocalFunction.name()),
        ("local_tool", "local")
    );
    assert_eq!(local(Local(3)), 3);
    assert!(matches!(local_schema(), Parameters::Typed(_)));

    /// Named apart from its input
    #[tool(read_only)]
    fn local_tool(a: Local) -> u8 {
        local(a)
    }

    fn local_schema() -> Parameters<'static> {
        LocalTool.parameters()
    }
}
macro_rules! made {
    ($name:ident, $ty:ty, $doc:literal) => {
        #[doc = $doc]
        #[tool(read_only)]
        fn $name(value: $ty) -> $ty {
            value
        }
    };
}

made!(echo_number, u32, "Made by a macro");
made!(echo_text, String, "Made by a macro");

#[tokio::test]
async fn made_by_a_macro() {
    let cx = ToolContext::new();
    assert_eq!(EchoNumber.description(), "Made by a macro");
    assert_eq!(
        EchoNumber.execute(r#"{"value":7}"#, &cx).await.output(),
        "7"
    );
    assert_eq!(
        EchoText.execute(r#"{"value":"x"}"#, &cx).await.output(),
        "x"
    );
}

macro_rules! named {
    ($name:literal, $doc:expr, $secret:literal, $wire:literal, $cx:ty, $with:ty) => {
        #[tool(write, name = $name, description = $doc, struct = Named, secrets($secret, note))]
        fn named(
            #[tool_param(rename = $wire, secret)] token: String,
            #[tool_param(with = $with, secret)] note: Length,
            cx: $cx,
        ) -> String {
            format!("{token} {} {}", note.0, cx.role())
        }
    };
}

struct Length(usize);

impl From<Vec<String>> for Length {
    fn from(list: Vec<String>) -> Self {
        Self(list.len())
    }
}

named!(
    "name-it",
    "Names it",
    "the-token",
    "the-token",
    &ToolContext,
    Vec<String>
);

#[tokio::test]
async fn named_by_a_macro() {
    assert_eq!((Named.name(), Named.description()), ("name-it", "Names it"));
    let cx = ToolContext::new().with_role("writer");
    let result = Named.execute(r#"{"the-token":"x","note":["y"]}"#, &cx);
    assert_eq!(result.await.output(), "x 1 writer");
    assert_eq!(
        <Named as callpact::TypedAgentTool>::SECRET_PARAMS,
        ["the-token", "note"]
    );
}

/// What `secrets` names is what the model writes
#[tool(write, secrets(one, two, "d"))]
fn renamed(
    #[serde(rename(deserialize = "a", serialize = "b"))] one: String,
    #[serde(rename = "b")]
    #[tool_param(rename = "c")]
    two: String,
    #[tool_param(with = Vec<String>, rename = "d")] three: Length,
) -> String {
    format!("{one} {two} {}", three.0)
}

#[test]
fn secrets_by_every_way_to_rename() {
    assert_eq!(
        <Renamed as callpact::TypedAgentTool>::SECRET_PARAMS,
        ["a", "c", "d"]
    );
    let _: fn(String, String, Length) -> String = renamed;
}
