//! The reviewer sees the arguments that will run: every fix applied, every default written out.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex},
};

use callpact::{
    DynamicTool, Fix, FixKind, Halt, Outcome, PendingCall, Permission, Policy, ReviewDecision,
    ReviewRequest, ToolContext, ToolInput, Toolset, TypedAgentTool, call::ResumeError, read_str,
    review::review_fn, secret::MemorySecrets,
};
use callpact_testing::{Case, Generator};
use callpact_tests::{
    rng::Rng,
    shapes::{
        attributes::*, flat::*, lists::*, maps::*, numbers::*, structs::*, text::*, unions::*,
    },
};
use serde_json::Value;

use crate::kit::call;

#[derive(ToolInput, Clone, Debug, PartialEq)]
struct EditInput {
    path: String,
    #[tool_param(default = "TODO", alias = "text")]
    new: String,
    #[tool_param(default = 3)]
    tries: u8,
    backup: Option<bool>,
    steps: Option<Vec<EditStep>>,
}

#[derive(ToolInput, Clone, Debug, PartialEq)]
struct EditStep {
    line: u32,
    #[tool_param(default = true)]
    trim: bool,
}

/// A tool that keeps what it got.
struct Edit(Arc<Mutex<Vec<EditInput>>>);

impl TypedAgentTool for Edit {
    type Input = EditInput;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &["new"];
    fn name(&self) -> &str {
        "edit"
    }
    fn description(&self) -> &str {
        "Edits a file."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn preview(&self, input: &EditInput) -> Option<callpact::review::Preview> {
        Some(format!("+ {}", input.new).into())
    }
    async fn execute(&self, input: EditInput, _: &ToolContext) -> String {
        let text = input.new.clone();
        self.0.lock().unwrap().push(input);
        text
    }
}

/// Makes a call and approves it. Gives the request and the input that the tool got.
async fn approve(arguments: &str, policy: Policy) -> (ReviewRequest, EditInput) {
    let got = Arc::default();
    let tools = Toolset::builder()
        .tool(Edit(Arc::clone(&got)))
        .build()
        .unwrap();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let reviewer = review_fn(move |request: ReviewRequest| {
        log.lock().unwrap().push(request);
        async { Ok(ReviewDecision::Continue) }
    });
    let cx = ToolContext::new()
        .with_policy(policy)
        .with_reviewer(reviewer)
        .with_secrets(MemorySecrets::new().with("key", "hunter2-hunter2"));
    let reply = tools.call(&call("edit", arguments), &cx).await.unwrap();
    assert!(reply.is_success(), "{}", reply.to_model());
    let request = asked.lock().unwrap().pop().expect("it was asked");
    let input = got.lock().unwrap().pop().expect("it ran");
    (request, input)
}

#[tokio::test]
async fn defaults_and_fixes_are_written_out_and_marked() {
    let full = r#"{"path":"a","new":"TODO","tries":3}"#;
    let default = [r#"new: "TODO" by default"#, "tries: 3 by default"];
    let (lax, repair) = (Policy::lax(), Policy::repair());
    for (arguments, policy, action, changes) in [
        (r#"{"path": "a"}"#, lax, full, &default[..]),
        (
            r#"{"path": "a", "new": ""}"#,
            lax,
            full,
            &[r#"new: "" read as absent"#, default[0], default[1]],
        ),
        (
            r#"{"path": "a", "new": null}"#,
            lax,
            full,
            &["new: null read as absent", default[0], default[1]],
        ),
        (
            "{'path': 'a', 'New': ''}",
            repair,
            full,
            &[
                "the text of the call was mended in 4 places",
                r#"new: "New" read as "new""#,
                r#"new: "" read as absent"#,
                default[0],
                default[1],
            ],
        ),
        (
            r#"{"path": "a", "text": "x", "tries": "4", "zz": 1, "backup": "true"}"#,
            lax,
            r#"{"path":"a","new":"x","tries":4,"backup":true}"#,
            &[
                r#"new: "text" read as "new""#,
                r#"tries: "4" read as 4"#,
                "zz: not a parameter, ignored",
                r#"backup: "true" read as true"#,
            ],
        ),
        (
            r#"{"path": "a", "new": "x", "tries": 1, "steps": [{"line": 1}, {"line": 2.0, "trim": false}]}"#,
            lax,
            r#"{"path":"a","new":"x","tries":1,"steps":[{"line":1,"trim":true},{"line":2,"trim":false}]}"#,
            &[
                "steps[1].line: 2.0 read as 2",
                "steps[0].trim: true by default",
            ],
        ),
        (
            r#"{"arguments": "{\"path\": \"a\", \"new\": \"x\", \"tries\": 1, \"steps\": \"[{'line': '1'}]\"}"}"#,
            repair,
            r#"{"path":"a","new":"x","tries":1,"steps":[{"line":1,"trim":true}]}"#,
            &[],
        ),
    ] {
        let (request, got) = approve(arguments, policy).await;
        assert_eq!(request.action, action, "{arguments}");
        if !changes.is_empty() {
            assert_eq!(sorted(&request.changes), sorted(changes), "{arguments}");
        }
        let shown = read_str::<EditInput>(&request.action, &Policy::exact()).unwrap();
        assert_eq!(shown.value, got, "{arguments}");
        assert_eq!(request.preview, Some(format!("+ {}", got.new).into()));
    }
}

fn sorted<S: ToString>(all: &[S]) -> Vec<String> {
    let mut all: Vec<String> = all.iter().map(ToString::to_string).collect();
    all.sort();
    all
}

#[tokio::test]
async fn unchanged_arguments_are_shown_verbatim() {
    let arguments = "{ \"new\":\"x\",\n \"path\": \"a\", \"tries\": 2 }";
    let (request, _) = approve(arguments, Policy::lax()).await;
    assert_eq!((&*request.action, &*request.changes), (arguments, &[][..]));
}

#[tokio::test]
async fn reviewer_sees_placeholders_and_tool_receives_secrets() {
    let arguments = r#"{"path": "a", "new": "k=<secret_ref:key>"}"#;
    let (request, got) = approve(arguments, Policy::lax()).await;
    assert_eq!(
        request.action,
        r#"{"path":"a","new":"k=<secret_ref:key>","tries":3}"#
    );
    assert_eq!(request.preview.as_deref(), Some("+ k=<secret_ref:key>"));
    assert_eq!(got.new, "k=hunter2-hunter2");
}

async fn waiting(tools: &Toolset, name: &str, arguments: &str, policy: Policy) -> PendingCall {
    let cx = ToolContext::new()
        .with_policy(policy)
        .with_deferred_approval();
    match tools.call(&call(name, arguments), &cx).await {
        Err(Halt::Pending(pending)) => *pending,
        other => panic!("{arguments}: {other:?}"),
    }
}

#[tokio::test]
async fn digest_covers_changes_and_preview_of_pending_call() {
    let got = Arc::default();
    let tools = Toolset::builder()
        .tool(Edit(Arc::clone(&got)))
        .build()
        .unwrap();
    let pending = waiting(&tools, "edit", r#"{"path": "a", "new": ""}"#, Policy::lax()).await;
    assert_eq!(pending.changes.len(), 3);
    assert_eq!(pending.request().changes, pending.changes);
    assert_eq!(pending.request().preview.as_deref(), Some("+ TODO"));
    let resume = async |pending: &PendingCall| {
        let cx = ToolContext::new();
        tools.decide(pending, ReviewDecision::Continue, &cx).await
    };
    let mut changed = pending.clone();
    changed.changes.pop();
    assert!(matches!(
        resume(&changed).await,
        Err(ResumeError::Halt(Halt::Misconfigured(_)))
    ));
    let mut changed = pending.clone();
    changed.preview = Some("+ nothing".into());
    assert!(matches!(
        resume(&changed).await,
        Err(ResumeError::Halt(Halt::Misconfigured(_)))
    ));
    assert_eq!(resume(&pending).await.unwrap().to_model(), "TODO");
}

#[tokio::test]
async fn reviewer_sees_run_time_arguments_with_fixes() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"},"to":{"type":"string"}},"required":["n"]}"#;
    let tool = DynamicTool::new(
        "send",
        "Sends.",
        Some(schema),
        |value: Value, _| async move { value.to_string() },
    )
    .unwrap();
    let tools = Toolset::builder().tool(tool).build().unwrap();
    let pending = waiting(&tools, "send", r#"{"to":"b","n":"5"}"#, Policy::lax()).await;
    assert_eq!(pending.arguments, r#"{"to":"b","n":5}"#);
    assert_eq!(pending.changes, [r#"n: "5" read as 5"#]);
}

/// The model is shown another name, and what it sends by it is shown as it runs.
#[tokio::test]
async fn reviewer_sees_fixes_of_renamed_arguments() {
    let schema = r#"{"type":"object","properties":{
        "o":{"type":"object","properties":{"@id":{"type":"integer"}}},"dry_run":{"type":"boolean"}}}"#;
    let echo = |value: Value, _| async move { value.to_string() };
    let tool = DynamicTool::new("send", "Sends.", Some(schema), echo).unwrap();
    let tools = Toolset::builder().tool(tool).build().unwrap();
    let sent = r#"{"o":{"@id":5},"dry_run":true}"#;
    for (call, changes) in [
        (r#"{"o":{"_id":"5"},"dryRun":"true"}"#, 3),
        (r#"{"o":{"_id":5},"dryRun":true}"#, 1),
    ] {
        for policy in [Policy::lax(), Policy::repair()] {
            let pending = waiting(&tools, "send", call, policy).await;
            assert_eq!(pending.arguments, sent);
            assert_eq!(pending.changes.len(), changes, "{:?}", pending.changes);
            let cx = ToolContext::new();
            let ran = tools.decide(&pending, ReviewDecision::Continue, &cx).await;
            assert_eq!(ran.unwrap().to_model(), sent);
        }
    }
}

#[derive(ToolInput, Debug, PartialEq)]
struct Wrapped<T> {
    value: T,
}

struct Holds<T>(std::marker::PhantomData<fn() -> T>);

impl<T: ToolInput + Send + 'static> TypedAgentTool for Holds<T> {
    type Input = Wrapped<T>;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        "holds"
    }
    fn description(&self) -> &str {
        "Holds a value."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    async fn execute(&self, _: Wrapped<T>, _: &ToolContext) -> String {
        String::new()
    }
}

/// Counts the calls whose arguments were read, and those that needed a change.
#[derive(Default)]
struct Tally {
    read: usize,
    changed: usize,
    failures: Vec<String>,
}

async fn check<T: ToolInput + Debug + PartialEq + Send + 'static>(name: &str, tally: &mut Tally) {
    let holds = Holds::<T>(std::marker::PhantomData);
    let tools = Toolset::builder().tool(holds).build().unwrap();
    let schema = <Wrapped<T> as ToolInput>::SCHEMA;
    for seed in 0..200 {
        let Case { value, .. } = Generator::new(seed).case(schema);
        let mut rng = Rng::new(seed);
        let text = if rng.one_in(2) {
            value.to_string()
        } else {
            loosened(&value, &mut rng).to_string()
        };
        // Many unknown keys do not hide another change.
        let inside = text.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        let text = match inside.filter(|_| rng.one_in(4)) {
            Some(inside) => behind(40, inside),
            None => text,
        };
        for policy in [Policy::lax(), Policy::repair()] {
            let all = policy.with_max_issues(1_000);
            let Ok(read) = read_str::<Wrapped<T>>(&text, &all) else {
                continue;
            };
            let pending = waiting(&tools, "holds", &text, policy).await;
            let shown = read_str::<Wrapped<T>>(&pending.arguments, &Policy::exact());
            let same = shown.as_ref().is_ok_and(|shown| {
                let mut fixes = shown.fixes.iter();
                shown.value == read.value && fixes.all(|fix| fix.kind == FixKind::UnknownDropped)
            });
            if !same && !is_exception(name, &read.fixes) {
                let (fixes, shown) = (&read.fixes, shown.map(|shown| shown.value));
                let action = &pending.arguments;
                tally.failures.push(format!(
                    "{name}: {text}\n{fixes:?}\n{action}\n{:?}\n{shown:?}",
                    read.value
                ));
            }
            tally.read += 1;
            tally.changed += usize::from(!pending.changes.is_empty());
        }
    }
}

/// Two cases cannot be shown as exact arguments, and are shown as given with each fix in words: items that
/// are equal once they are read, and a choice of a secret parameter in another case.
fn is_exception(name: &str, fixes: &[Fix]) -> bool {
    let hidden = |fix: &Fix| fix.to == "(not shown)" && fix.kind == FixKind::ChoiceCase;
    let is_set = ["UniqueItems", "UniqueObjects", "Sets", "SetsOfObjects"].contains(&name);
    is_set || fixes.iter().any(hidden)
}

/// The value in other forms: numbers as text, structures as text, null for what is empty.
fn loosened(value: &Value, rng: &mut Rng) -> Value {
    let inner = match value {
        Value::Array(items) => items.iter().map(|item| loosened(item, rng)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), loosened(value, rng)))
            .collect(),
        other => other.clone(),
    };
    match (&inner, rng.below(6)) {
        (Value::Number(_) | Value::Bool(_) | Value::Array(_), 0) | (Value::Object(_), 0 | 1) => {
            inner.to_string().into()
        }
        (Value::String(text), 0) => text.to_lowercase().into(),
        (Value::Array(items), 1) if items.len() == 1 => items[0].clone(),
        (Value::Object(fields), 2) => fields
            .iter()
            .map(|(key, value)| serde_json::json!({"key": key, "value": value}))
            .collect(),
        (_, 5) if rng.one_in(4) => Value::Null,
        _ => inner,
    }
}

macro_rules! check_all {
    ($tally:ident: $($type:ty),* $(,)?) => {
        $(check::<$type>(stringify!($type), &mut $tally).await;)*
    };
}

#[tokio::test]
async fn reviewed_arguments_equal_executed_value_for_every_shape() {
    let mut tally = Tally::default();
    check_all!(tally:
        Signed, Unsigned, NonZeroSigned, NonZeroUnsigned, NonZeroRules, Floats, IntegerBounds,
        FloatBounds, Multiples, IntegerChoices, BigBounds, Switches, Characters, Lengths,
        Patterns, TextChoices, Forms, Enums, Lists, Sets, SetsOfObjects, Arrays, Tuples, ItemRules,
        UniqueItems, UniqueObjects, Maps, EnumKeys, NumberedKeys, OpenJson, Point, Nested, Deep, Options, Empty,
        Unit, Closed, ClosedEmpty, Ignoring, Reporting, Page<u8>, Page<Page<Color>>,
        Both<Option<Point>, Vec<Port>>, Newtypes, Wide, FlatOne, FlatTwo, FlatDeep, FlatMap,
        FlatOpen, FlatBoth, FlatMapInside, FlatGeneric<Point>, FlatClosed, FlatSerde, Externals,
        Internals, Adjacents, Untaggeds, Generics, External, Internal, Adjacent, UntaggedObjects,
        ClosedInternal, ClosedAdjacent, Generic<Point>, Defaults, SerdeContainer, SerdeFields,
        Names, Secrets, Converted, Range, Kept, Tree, Chain, Words,
    );
    let count = tally.failures.len();
    tally.failures.truncate(20);
    assert_eq!(count, 0, "{}", tally.failures.join("\n\n"));
    assert!(
        tally.read > 10_000 && tally.changed > 2_000,
        "{} {}",
        tally.read,
        tally.changed
    );
}

#[derive(ToolInput, Clone, Debug, PartialEq)]
enum Job {
    #[tool_param(alias = "rm")]
    Delete {
        path: String,
        #[tool_param(default = true)]
        recursive: bool,
    },
    Nothing,
}

#[derive(ToolInput, Clone, Debug, PartialEq)]
#[tool_input(untagged)]
enum Target {
    Number {
        a: i32,
        #[tool_param(default = 7)]
        times: i32,
    },
    Forced {
        b: String,
        #[tool_param(default = true)]
        root: bool,
    },
    First {
        c: String,
        #[tool_param(default = true)]
        deep: bool,
    },
    Second {
        c: String,
        more: Option<String>,
    },
}

#[derive(ToolInput, Clone, Debug, PartialEq)]
struct JobInput {
    job: Option<Job>,
    target: Option<Target>,
    set: Option<std::collections::BTreeSet<u8>>,
    #[tool_param(default = true)]
    force: bool,
}

struct DoJob;

impl TypedAgentTool for DoJob {
    type Input = JobInput;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        "job"
    }
    fn description(&self) -> &str {
        "Does a job."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    async fn execute(&self, input: JobInput, _: &ToolContext) -> String {
        format!("{input:?}")
    }
}

#[tokio::test]
async fn no_spelling_hides_a_default() {
    let deleted = r#"{"job":{"Delete":{"path":"/","recursive":true}},"force":true}"#;
    let (lax, repair) = (Policy::lax(), Policy::repair());
    for (arguments, policy, action) in [
        (r#"{"job":{"rm":{"path":"/"}}}"#, lax, deleted),
        (r#"{"job":{"delete":{"path":"/"}}}"#, repair, deleted),
        (r#"{"job":"{\"rm\":{\"path\":\"/\"}}"}"#, repair, deleted),
        (
            r#"{"set":[1],"set":[1]}"#,
            repair,
            r#"{"set":[1],"force":true}"#,
        ),
        (
            r#"{"target":{"b":"x"}}"#,
            lax,
            r#"{"target":{"b":"x","root":true},"force":true}"#,
        ),
        (
            r#"{"target":{"a":1}}"#,
            lax,
            r#"{"target":{"a":1,"times":7},"force":true}"#,
        ),
        // Two variants have this field, and the first one is read.
        (
            r#"{"target":{"c":"x"}}"#,
            lax,
            r#"{"target":{"c":"x","deep":true},"force":true}"#,
        ),
        // Shown as given, since two items are equal once they are read.
        (r#"{"set":[1,"1"]}"#, lax, r#"{"set":[1,"1"]}"#),
    ] {
        let tools = Toolset::builder().tool(DoJob).build().unwrap();
        let cx = ToolContext::new()
            .with_policy(policy)
            .with_deferred_approval();
        let halt = tools.call(&call("job", arguments), &cx).await.unwrap_err();
        let Halt::Pending(pending) = halt else {
            panic!("{arguments}: {halt}");
        };
        let request = pending.request();
        assert_eq!(request.action, action, "{arguments}");
        let told = |text: &str| request.changes.iter().any(|change| change == text);
        assert!(told("force: true by default"), "{:?}", request.changes);
        assert_eq!(
            told("target.deep: true by default"),
            arguments.contains(r#""c""#),
            "{:?}",
            request.changes
        );
    }
}

/// Arguments after this many unknown keys.
fn behind(count: usize, rest: &str) -> String {
    let unknown: String = (0..count).map(|n| format!(r#""zz{n}": 1, "#)).collect();
    format!("{{{unknown}{rest}}}")
}

#[tokio::test]
async fn no_number_of_changes_hides_one() {
    let tools = Toolset::builder().tool(DoJob).build().unwrap();
    for count in [14, 15, 16, 31, 32, 40, 490] {
        for policy in [
            Policy::lax(),
            Policy::repair(),
            Policy::lax().with_max_issues(0),
        ] {
            let arguments = behind(count, r#""set": ["1", "2"], "force": null"#);
            let pending = waiting(&tools, "job", &arguments, policy).await;
            assert_eq!(
                pending.arguments, r#"{"set":[1,2],"force":true}"#,
                "{count}"
            );
            let told = |text: &str| {
                pending
                    .changes
                    .iter()
                    .filter(|it| it.contains(text))
                    .count()
            };
            assert_eq!(told("not a parameter"), count);
            assert_eq!(
                told("force: null read as absent"),
                1,
                "{:?}",
                pending.changes
            );
            assert_eq!(told("force: true by default"), 1);
            assert_eq!((told("set[0]"), told("set[1]")), (1, 1));
        }
    }
    // A call with more changes than a person would read is not shown to anybody.
    let arguments = behind(600, r#""force": null"#);
    let cx = ToolContext::new().with_deferred_approval();
    let reply = tools.call(&call("job", &arguments), &cx).await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (
            Outcome::InvalidArguments,
            "Error: Tool 'job' did not run: its arguments need too many changes to be looked at. Write them as the \
             parameters say"
        )
    );
    // Without a reviewer, they are read as before.
    let reply = tools
        .call(&call("job", &arguments), &ToolContext::new())
        .await
        .unwrap();
    assert!(reply.is_success(), "{}", reply.to_model());
}

/// A tool that takes a list that may contain secrets.
struct TakeList;

#[derive(ToolInput, Debug)]
struct ListInput {
    list: Vec<String>,
}

impl TypedAgentTool for TakeList {
    type Input = ListInput;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &["list", "list[]"];
    fn name(&self) -> &str {
        "lists"
    }
    fn description(&self) -> &str {
        "Takes a list."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    async fn execute(&self, input: ListInput, _: &ToolContext) -> String {
        format!("{} items", input.list.len())
    }
}

#[tokio::test]
async fn secret_stays_single_value_after_many_changes() {
    let tools = Toolset::builder().tool(TakeList).build().unwrap();
    let cx = |value: &str| {
        ToolContext::new()
            .with_policy(Policy::repair())
            .with_secrets(MemorySecrets::new().with("key", value))
    };
    for count in [0, 31, 40, 490] {
        let one = behind(count, r#""list": "<secret_ref:key>""#);
        let reply = tools
            .call(&call("lists", &one), &cx("hunter2-hunter2"))
            .await
            .unwrap();
        assert_eq!(reply.to_model().lines().next(), Some("1 items"), "{count}");
        let reply = tools
            .call(&call("lists", &one), &cx(r#"["one", "two"]"#))
            .await
            .unwrap();
        assert_eq!(
            reply.outcome,
            Outcome::Refused,
            "{count}: {}",
            reply.to_model()
        );
        // Neither may a text become several values around a placeholder.
        let text = behind(count, r#""list": "[\"<secret_ref:key>\", \"two\"]""#);
        let reply = tools
            .call(&call("lists", &text), &cx("hunter2-hunter2"))
            .await
            .unwrap();
        assert_eq!(
            reply.outcome,
            Outcome::InvalidArguments,
            "{count}: {}",
            reply.to_model()
        );
    }
}
