//! Several tools as one, run one after the other without the model in between.

use std::{fmt, sync::Arc};

use crate::{
    crash::{BoxFuture, CaughtPanic, caught},
    input::{Policy, Report},
    names::{MAX_NAME, provider_name},
    review::Preview,
    tool::{
        AgentTool, CountedStep, ErasedTool, Halt, Parameters, ParsedInput, Permission, ToolContext,
        ToolResult, prepare_input,
    },
};

/// What happens to the later steps when a step fails.
///
/// ```
/// use callpact::{
///     AgentTool, PipelineErrorStrategy, ToolContext, ToolPipeline, ToolResult,
/// };
///
/// /// Fails, or repeats its input.
/// struct Repeat(bool);
///
/// impl AgentTool for Repeat {
///     fn name(&self) -> &str {
///         "repeat"
///     }
///     fn description(&self) -> &str {
///         "Repeats its input"
///     }
///     async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
///         if self.0 { ToolResult::success(input.to_owned()) } else { ToolResult::failure("no paper") }
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let cx = ToolContext::new();
/// let pipeline = ToolPipeline::of(Repeat(false)).then(Repeat(true));
/// let stopped = pipeline.execute("ab", &cx).await;
/// assert_eq!(stopped.error(), Some("Step 'repeat' failed: no paper"));
/// let pipeline = pipeline.on_error(PipelineErrorStrategy::ContinueOnFailure);
/// assert_eq!(pipeline.execute("ab", &cx).await.output(), "no paper");
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PipelineErrorStrategy {
    /// The failure is the result of the pipeline.
    #[default]
    FailFast,
    /// The next step gets the message of the failure as its input.
    ContinueOnFailure,
}

type StepAdapter = dyn Fn(&ToolResult) -> String + Send + Sync;

#[derive(Clone)]
struct Step {
    tool: Arc<dyn ErasedTool>,
    adapter: Option<Arc<StepAdapter>>,
}

/// Several tools as one: each gets the output of the one before it.
///
/// The parameters are those of the first step. An adapter on a step turns its result into the next
/// step's input; it is called only when the step succeeded and another one follows.
///
/// ```
/// use callpact::{AgentTool, ToolContext, ToolPipeline, ToolResult};
///
/// struct Twice;
///
/// impl AgentTool for Twice {
///     fn name(&self) -> &str {
///         "twice"
///     }
///     fn description(&self) -> &str {
///         "Says it twice"
///     }
///     async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
///         ToolResult::success(format!("{input}{input}"))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let pipeline = ToolPipeline::of(Twice).then(Twice);
/// assert_eq!(pipeline.name(), "twice_then_twice");
/// assert_eq!(pipeline.execute("ab", &ToolContext::new()).await.output(), "abababab");
/// # }
/// ```
#[derive(Clone)]
pub struct ToolPipeline {
    name: String,
    description: String,
    /// Whether the name and the description are made from the steps.
    generated: bool,
    steps: Vec<Step>,
    strategy: PipelineErrorStrategy,
    /// Whether an adapter came before any step.
    stray_adapter: bool,
}

impl ToolPipeline {
    /// A pipeline that starts with a tool. Its name and description are made from the steps.
    pub fn of(first: impl AgentTool + 'static) -> Self {
        let empty = Self {
            generated: true,
            ..Self::new("", "")
        };
        empty.then(first)
    }

    /// A pipeline without steps. It gives its input back.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            generated: false,
            steps: Vec::new(),
            strategy: PipelineErrorStrategy::FailFast,
            stray_adapter: false,
        }
    }

    /// Adds a step.
    #[must_use]
    pub fn then(mut self, tool: impl AgentTool + 'static) -> Self {
        self.steps.push(Step {
            tool: Arc::new(tool),
            adapter: None,
        });
        if self.generated {
            let names: Vec<&str> = self.steps.iter().map(|step| step.tool.name()).collect();
            self.description = format!("Pipeline: {}", names.join(" -> "));
            // A long chain of names is cut like every name.
            let name = names.join("_then_");
            self.name = if name.len() > MAX_NAME {
                provider_name(&name)
            } else {
                name
            };
        }
        self
    }

    /// Puts an adapter on the last step; it replaces an earlier one.
    ///
    /// An adapter before any step is a mistake of the program: such a pipeline halts with
    /// [`Halt::Misconfigured`] instead of running without it.
    #[must_use]
    pub fn adapt(
        mut self,
        adapter: impl Fn(&ToolResult) -> String + Send + Sync + 'static,
    ) -> Self {
        if let Some(step) = self.steps.last_mut() {
            step.adapter = Some(Arc::new(adapter));
        } else {
            self.stray_adapter = true;
        }
        self
    }

    /// Sets what happens to the later steps when a step fails.
    #[must_use]
    pub fn on_error(mut self, strategy: PipelineErrorStrategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// The names of the steps, in order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &str> {
        self.steps.iter().map(|step| step.tool.name())
    }

    /// What happens to the later steps when a step fails.
    pub fn error_strategy(&self) -> PipelineErrorStrategy {
        self.strategy
    }

    fn misused(&self) -> Option<ToolResult> {
        self.stray_adapter.then(|| {
            ToolResult::halt(Halt::Misconfigured(format!(
                "pipeline '{}': adapt() must be called after a step",
                self.name
            )))
        })
    }

    /// Runs the steps after the first, whose result is given.
    async fn rest(&self, mut result: ToolResult, cx: &ToolContext) -> ToolResult {
        let mut done = self.steps.first();
        for (number, step) in self.steps.iter().enumerate().skip(1) {
            if result.halted().is_some() {
                return result;
            }
            let input = match (result.error(), self.strategy) {
                (Some(_), PipelineErrorStrategy::FailFast) => return named(done, result),
                (Some(message), PipelineErrorStrategy::ContinueOnFailure) => message.to_owned(),
                (None, _) => match adapted(done, &result) {
                    Ok(input) => input,
                    Err(failure) => return failure,
                },
            };
            let own = cx.for_step(step.tool.name(), number);
            // The model did not write the input of this step.
            result = watched(step, step.tool.execute_boxed(&input, &own), &own)
                .await
                .ran();
            done = Some(step);
        }
        named(done, result)
    }
}

/// A failure that names its step; a halt and a report on arguments stay what they are.
fn named(step: Option<&Step>, result: ToolResult) -> ToolResult {
    match (step, result.error()) {
        (Some(step), Some(_)) if result.halted().is_none() => {
            let name = step.tool.name().to_owned();
            result.map_error(|message| format!("Step '{name}' failed: {message}"))
        }
        _ => result,
    }
}

/// The input of the next step.
#[allow(clippy::result_large_err)] // a pipeline that ends here holds its result
fn adapted(step: Option<&Step>, result: &ToolResult) -> Result<String, ToolResult> {
    let Some((step, adapter)) = step.and_then(|step| Some((step, step.adapter.as_ref()?))) else {
        return Ok(result.output().to_owned());
    };
    caught(|| adapter(result)).ok_or_else(|| {
        ToolResult::failure(format!(
            "the adapter behind step '{}' crashed",
            step.tool.name()
        ))
    })
}

/// Runs one step and counts it under its own name.
async fn watched(step: &Step, work: BoxFuture<'_, ToolResult>, cx: &ToolContext) -> ToolResult {
    let (tool, role, metrics) = (step.tool.name(), cx.role(), cx.metrics());
    let counted = CountedStep::new(cx, tool);
    let result = CaughtPanic::new(work).await;
    let duration = counted.end();
    match &result {
        None => metrics.increment_error(tool, role),
        Some(result) => match (result.halted(), result.is_success()) {
            (Some(halt), _) => metrics.increment_halt(tool, role, halt.name()),
            (None, true) => metrics.increment_success(tool, role),
            (None, false) => metrics.increment_failure(tool, role),
        },
    }
    metrics.record_duration(tool, role, duration);
    result.unwrap_or_else(|| ToolResult::failure("it crashed; what it was doing may be half done"))
}

impl AgentTool for ToolPipeline {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn parameters(&self) -> Parameters<'_> {
        self.steps
            .first()
            .map_or(Parameters::Input, |step| step.tool.parameters())
    }

    /// The widest permission of its steps.
    fn permission(&self) -> Permission {
        let steps = self.steps.iter().map(|step| step.tool.permission());
        steps.max().unwrap_or(Permission::ReadOnly)
    }

    fn secret_params(&self) -> &'static [&'static str] {
        self.steps
            .first()
            .map_or(&[], |step| step.tool.secret_params())
    }

    fn output_schema(&self) -> Option<&'static crate::Schema> {
        self.steps.last().and_then(|step| step.tool.output_schema())
    }

    fn foreign_output(&self) -> Option<&crate::schema::ForeignSchema> {
        let last = self.steps.last();
        last.and_then(|step| step.tool.foreign_output())
    }

    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        if let Some(halt) = self.misused() {
            return halt;
        }
        let Some(first) = self.steps.first() else {
            return ToolResult::success(input);
        };
        let own = cx.for_step(first.tool.name(), 0);
        let result = watched(first, first.tool.execute_boxed(input, &own), &own).await;
        self.rest(result, cx).await
    }

    fn prepare(&self, arguments: &str, policy: &Policy) -> Result<ParsedInput, Report> {
        match self.steps.first() {
            Some(first) => first.tool.prepare(arguments, policy),
            None => prepare_input(arguments, policy),
        }
    }

    fn check(&self, prepared: &ParsedInput) -> Result<(), String> {
        self.steps
            .first()
            .map_or(Ok(()), |first| first.tool.check(prepared))
    }

    fn preview(&self, prepared: &ParsedInput) -> Option<Preview> {
        self.steps.first()?.tool.preview(prepared)
    }

    async fn run(&self, prepared: ParsedInput, cx: &ToolContext) -> ToolResult {
        if let Some(halt) = self.misused() {
            return halt;
        }
        let Some(first) = self.steps.first() else {
            return ToolResult::success(prepared.take::<String>());
        };
        let own = cx.for_step(first.tool.name(), 0);
        let result = watched(first, first.tool.run_boxed(prepared, &own), &own).await;
        self.rest(result, cx).await
    }
}

impl fmt::Debug for ToolPipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolPipeline")
            .field("name", &self.name)
            .field("steps", &self.steps().collect::<Vec<_>>())
            .field("strategy", &self.strategy)
            .finish_non_exhaustive()
    }
}
