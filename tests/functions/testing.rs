//! The help for testing tools.

use std::{collections::BTreeMap, net::Ipv4Addr, time::Duration};

use callpact::{
    __private::{PlaceRules, QuickInput},
    Policy, ReviewDecision, Schema, ToolContext, ToolInput, ToolOutput, Toolset, read_value, tool,
};
use callpact_testing::{
    Generator, RecordingReviewer, ScriptedModel, assert_contract, assert_output, assert_round_trip,
    assert_tool, check_contract,
};
use serde::Serialize;

#[derive(ToolInput, Serialize)]
struct Everything {
    #[tool_param(pattern = r"^[A-Z]{2}-\d{4}(-[a-z]+)?$", example = "AB-1234")]
    code: String,
    #[tool_param(min = 3, max = 9, default = 5)]
    digit: u8,
    #[tool_param(exclusive_min = 0, max = 1)]
    share: f64,
    form: Form,
    #[tool_param(min_items = 1, unique_items)]
    words: Vec<String>,
    address: Ipv4Addr,
    counts: BTreeMap<String, i32>,
    inner: Option<Inner>,
}

#[derive(ToolInput, Serialize)]
#[tool_input(unknown = "deny")]
struct Inner {
    #[tool_param(one_of = ["a", "b"])]
    letter: String,
    pair: (u8, bool),
}

/// By form alone, each with keys of its own.
#[derive(ToolInput)]
#[tool_input(untagged)]
#[allow(dead_code)]
enum ByForm {
    Near { a: u8 },
    Both { a: u8, b: u8 },
    Far { c: Option<u8> },
}

/// More than a few of everything.
#[derive(ToolInput)]
#[allow(dead_code)] // only the verdict counts
struct Many {
    key: [u8; 32],
    #[tool_param(min_items = 7, unique_items)]
    apart: Vec<u8>,
    #[tool_param(min_items = 60, max_items = 60)]
    points: Vec<(f64, f64)>,
    #[tool_param(min_length = 64)]
    text: String,
}

#[derive(ToolInput, Serialize)]
#[serde(tag = "kind")]
enum Form {
    Circle { radius: f32 },
    Inner(Inner),
    Nothing,
}

/// A tool with much to get wrong
#[tool(read_only)]
fn much(
    #[tool_param(min_length = 2, max_length = 4)] text: String,
    duration: Duration,
    inner: Vec<Inner>,
) -> String {
    format!("{text}{duration:?}{}", inner.len())
}

#[test]
fn contracts_are_kept() {
    assert_contract::<Everything>();
    assert_contract::<Form>();
    assert_contract::<Many>();
    assert_contract::<ByForm>();
    assert_contract::<BTreeMap<String, Vec<(u8, ByForm)>>>();
    assert_contract::<Vec<Option<u8>>>();
    assert_round_trip::<Everything>();
    assert_tool(&Much);
    let seen = check_contract::<Everything>(1, 500).unwrap();
    assert!(seen.accepted > 150 && seen.accepted < 450, "{seen:?}");
}

/// A type whose schema promises more than its reader accepts.
struct Liar;

impl ToolInput for Liar {
    const SCHEMA: &'static Schema = <u16 as ToolInput>::SCHEMA;

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        u8::read_quick(input, rules).map(|_| Self)
    }
}

#[test]
fn a_broken_contract_is_found() {
    let fault = check_contract::<Liar>(1, 200).unwrap_err();
    assert!(
        fault.starts_with("the schema accepts what the reader refuses: "),
        "{fault}"
    );
}

#[test]
fn the_same_seed_gives_the_same_values() {
    let values = |seed| {
        let mut generator = Generator::new(seed);
        let values: Vec<_> = (0..20)
            .map(|_| generator.case(Everything::SCHEMA).value)
            .collect();
        values
    };
    assert_eq!(values(3), values(3));
    assert_ne!(values(3), values(4));
    let mut generator = Generator::new(9);
    for _ in 0..500 {
        let value = generator.valid(Everything::SCHEMA);
        let read = read_value::<Everything>(&value, &Policy::exact());
        assert!(read.is_ok(), "{value}\n{}", read.err().unwrap());
    }
}

#[derive(Serialize, ToolInput, ToolOutput)]
struct Good {
    answer: u8,
}

#[derive(ToolInput, ToolOutput)]
struct Bad {
    #[allow(dead_code)]
    answer: u8,
}

impl Serialize for Bad {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BTreeMap::from([("answer", "many")]).serialize(serializer)
    }
}

#[test]
fn outputs_fit_their_schemas() {
    assert_output(Good { answer: 42 });
    let panic = std::panic::catch_unwind(|| assert_output(Bad { answer: 42 })).unwrap_err();
    let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(text.contains("does not fit its schema"), "{text}");
}

/// Writes something down
#[tool(write)]
fn write_down(text: String) -> usize {
    text.len()
}

#[tokio::test]
async fn a_conversation() {
    let tools = Toolset::builder().tool(WriteDown).build().unwrap();
    let reviewer = RecordingReviewer::new([
        ReviewDecision::Continue,
        ReviewDecision::Edit(r#"{"text":"edited"}"#.to_owned()),
    ]);
    let cx = ToolContext::new().with_reviewer(reviewer.clone());
    let model = ScriptedModel::new()
        .calls([("write_down", r#"{"text":"abc"}"#), ("write_down", "{}")])
        .call("write_down", r#"{"text":"x"}"#)
        .say("Done.");
    let went = model.run("Write!", &tools, &cx).await.unwrap();
    assert_eq!(went.text.as_deref(), Some("Done."));
    assert_eq!(
        model.sent(),
        [
            "Write!",
            "3",
            "Error: Invalid arguments, 1 problem:\n- text: missing; expected a string",
            "6\n\nNote: a person edited this call to: {\"text\":\"edited\"}",
        ]
    );
    let ids: Vec<_> = went.replies.iter().map(|reply| &*reply.call_id).collect();
    assert_eq!(ids, ["call-1", "call-2", "call-3"]);
    assert_eq!((model.left(), reviewer.left()), (0, 0));
    let actions: Vec<_> = reviewer
        .requests()
        .into_iter()
        .map(|asked| asked.action)
        .collect();
    assert_eq!(actions, [r#"{"text":"abc"}"#, r#"{"text":"x"}"#]);
    // The script has ended, and so has every review.
    let model = ScriptedModel::new().call("write_down", r#"{"text":"x"}"#);
    assert!(model.run("Again", &tools, &cx).await.is_err());
}
