//! Tools for tests, served in the test itself and by the example `serve_fixture`.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use callpact::{
    AgentTool, Content, DynamicTool, Halt, Permission, ToolContext, ToolInput, ToolOutput,
    ToolResult, Toolset, ToolsetError, TypedAgentTool,
    tool::{DynamicToolError, Structured},
};
use serde::Serialize;
use serde_json::json;

#[derive(ToolInput)]
pub(crate) struct AddInput {
    /// The first number
    a: i64,
    /// The second number
    #[tool_param(min = 0, max = 1000)]
    b: i64,
}

/// The sum, as text and as data.
#[derive(Serialize, ToolOutput)]
pub(crate) struct Sum {
    /// The sum
    sum: i64,
}

pub(crate) struct Add;

impl TypedAgentTool for Add {
    type Input = AddInput;
    type Output = Result<Structured<Sum>, &'static str>;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "add"
    }
    fn description(&self) -> &'static str {
        "Adds two numbers."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: AddInput, _: &ToolContext) -> Self::Output {
        let sum = input.a.checked_add(input.b).ok_or("the sum is too large")?;
        Ok(Structured(Sum { sum }))
    }
}

/// How often `sleep` has begun and was stopped, by the key of the call.
static SLEEPS: Mutex<BTreeMap<String, (u64, u64)>> = Mutex::new(BTreeMap::new());

fn sleeps() -> MutexGuard<'static, BTreeMap<String, (u64, u64)>> {
    SLEEPS.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Guard(Option<String>);

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(key) = self.0.take() {
            sleeps().entry(key).or_default().1 += 1;
        }
    }
}

#[derive(ToolInput)]
pub(crate) struct SleepInput {
    /// How long
    millis: u64,
    /// What to count it under
    key: String,
}

pub(crate) struct Sleep;

impl TypedAgentTool for Sleep {
    type Input = SleepInput;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "sleep"
    }
    fn description(&self) -> &'static str {
        "Waits."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: SleepInput, _: &ToolContext) -> String {
        sleeps().entry(input.key.clone()).or_default().0 += 1;
        let mut guard = Guard(Some(input.key));
        tokio::time::sleep(Duration::from_millis(input.millis)).await;
        guard.0 = None;
        format!("slept {} ms", input.millis)
    }
}

#[derive(ToolInput)]
pub(crate) struct StepsInput {
    /// How many steps
    count: u32,
}

pub(crate) struct Steps;

impl TypedAgentTool for Steps {
    type Input = StepsInput;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "steps"
    }
    fn description(&self) -> &'static str {
        "Goes through steps and says so."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: StepsInput, cx: &ToolContext) -> String {
        for step in 1..=input.count {
            let message = format!("step {step}");
            cx.progress(f64::from(step), Some(f64::from(input.count)), &message);
            // A note without progress is not sent.
            cx.progress(f64::from(step), None, Some("again"));
            tokio::task::yield_now().await;
        }
        "done".to_owned()
    }
}

/// A tool that takes text.
pub(crate) struct Shout;

impl AgentTool for Shout {
    fn name(&self) -> &'static str {
        "shout"
    }
    fn description(&self) -> &'static str {
        "Says it louder. Input: what to say."
    }
    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success(input.to_uppercase())
    }
}

fn simple<F, Fut>(
    name: &str,
    permission: Permission,
    work: F,
) -> Result<DynamicTool, DynamicToolError>
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ToolResult> + Send + 'static,
{
    let tool = DynamicTool::new(name, format!("The tool {name}."), None, move |_, _| work())?;
    Ok(tool.with_permission(permission))
}

/// The tools; a server of them lists the same bytes at every start.
pub(crate) fn tools() -> Result<Toolset, Box<dyn std::error::Error>> {
    let counts = || async {
        let data = json!(&*sleeps());
        ToolResult::success(data.to_string()).with_structured(data)
    };
    let built: Result<Toolset, ToolsetError> = Toolset::builder()
        .tool(Add)
        .tool(Shout)
        .tool(Sleep)
        .tool(Steps)
        .tool(simple("counts", Permission::ReadOnly, counts)?)
        .tool(simple("crash", Permission::Write, || async {
            panic!("the inside of the tool")
        })?)
        .tool(simple("erase", Permission::Destructive, || async {
            ToolResult::success("erased")
        })?)
        .tool(simple("halt", Permission::Write, || async {
            ToolResult::halt(Halt::misconfigured("the key hunter2 is missing"))
        })?)
        .tool(simple("fail", Permission::Write, || async {
            ToolResult::failure("the disk is full")
        })?)
        .tool(simple("chart", Permission::ReadOnly, || async {
            ToolResult::success("a chart")
                .with_image("image/png", [0, 0, 0])
                .with_audio("audio/wav", [0, 0, 0])
                .with_resource("file:///a.csv", "text/csv", "a,b")
                .with_content(Content::blob("file:///a.pdf", "application/pdf", "AAAA"))
        })?)
        .tool(simple("items", Permission::ReadOnly, || async {
            ToolResult::success("[1,2]").with_structured(json!([1, 2]))
        })?)
        .build();
    Ok(built?)
}
