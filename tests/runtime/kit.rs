//! Tools and observers that the tests share.

use std::{
    collections::BTreeMap,
    io,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use callpact::{
    AgentTool, Permission, ReviewDecision, ToolCall, ToolContext, ToolInput, ToolMetrics,
    ToolReply, ToolResult, Toolset, TypedAgentTool,
};

/// A string tool made of a function.
pub(crate) struct Text<F> {
    pub(crate) name: &'static str,
    pub(crate) permission: Permission,
    pub(crate) run: F,
}

pub(crate) fn text<F>(name: &'static str, run: F) -> Text<F>
where
    F: Fn(&str, &ToolContext) -> ToolResult + Send + Sync,
{
    Text {
        name,
        permission: Permission::Write,
        run,
    }
}

pub(crate) fn reads<F>(name: &'static str, run: F) -> Text<F>
where
    F: Fn(&str, &ToolContext) -> ToolResult + Send + Sync,
{
    Text {
        name,
        permission: Permission::ReadOnly,
        run,
    }
}

impl<F: Fn(&str, &ToolContext) -> ToolResult + Send + Sync> AgentTool for Text<F> {
    fn name(&self) -> &str {
        self.name
    }
    fn description(&self) -> &str {
        "Does what the test says."
    }
    fn permission(&self) -> Permission {
        self.permission
    }
    fn secret_params(&self) -> &'static [&'static str] {
        if self.name.starts_with("secret") {
            &["input"]
        } else {
            &[]
        }
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        (self.run)(input, cx)
    }
}

/// Gives its input back.
pub(crate) fn echo(name: &'static str) -> impl AgentTool + 'static {
    text(name, |input, _| ToolResult::success(input))
}

#[derive(ToolInput, Debug, PartialEq)]
pub(crate) struct AddInput {
    /// The first number
    pub(crate) a: i64,
    pub(crate) b: i64,
}

/// A typed tool.
pub(crate) struct Add;

impl TypedAgentTool for Add {
    type Input = AddInput;
    type Output = Result<String, &'static str>;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &str {
        "add"
    }
    fn description(&self) -> &str {
        "Adds two numbers."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn precheck(&self, input: &AddInput) -> Result<(), String> {
        if input.a == 13 {
            Err("13 is not added here".into())
        } else {
            Ok(())
        }
    }
    async fn execute(&self, input: AddInput, _: &ToolContext) -> Self::Output {
        assert!(input.a != 666, "/home/someone/secret.rs at the limit");
        input
            .a
            .checked_add(input.b)
            .map(|sum| sum.to_string())
            .ok_or("the sum is too large")
    }
}

/// Counts into a list of lines.
#[derive(Clone, Default)]
pub(crate) struct Counts(Arc<Mutex<Vec<String>>>);

impl Counts {
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
    pub(crate) fn add(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

impl ToolMetrics for Counts {
    fn increment_success(&self, tool: &str, role: &str) {
        self.add(format!("success {tool} {role}"));
    }
    fn increment_failure(&self, tool: &str, role: &str) {
        self.add(format!("failure {tool} {role}"));
    }
    fn increment_error(&self, tool: &str, role: &str) {
        self.add(format!("error {tool} {role}"));
    }
    fn increment_halt(&self, tool: &str, role: &str, halt: &str) {
        self.add(format!("halt {tool} {role} {halt}"));
    }
    fn record_duration(&self, tool: &str, role: &str, _: Duration) {
        self.add(format!("duration {tool} {role}"));
    }
    fn increment_counter(&self, metric: &str, tool: &str, tags: &[(&str, &str)]) {
        self.add(format!("counter {metric} {tool} {tags:?}"));
    }
    fn record_value(&self, metric: &str, tool: &str, value: f64, tags: &[(&str, &str)]) {
        self.add(format!("value {metric} {tool} {value} {tags:?}"));
    }
}

/// Everything that is logged on this thread while it lives.
pub(crate) struct Logs {
    bytes: Arc<Mutex<Vec<u8>>>,
    _guard: tracing::subscriber::DefaultGuard,
    _turn: std::sync::MutexGuard<'static, ()>,
}

static TURN: Mutex<()> = Mutex::new(());

/// Listens for the whole test. If another test reaches a place in the code just while a listener is new, the place
/// could count as unobserved.
static LISTENER: OnceLock<tracing::Dispatch> = OnceLock::new();

#[derive(Clone)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Logs {
    pub(crate) fn at(level: tracing::Level) -> Self {
        let turn = TURN
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        LISTENER.get_or_init(|| tracing_subscriber::registry().into());
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let sink = Sink(Arc::clone(&bytes));
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_ansi(false)
            .with_span_events(tracing_subscriber::fmt::format::FmtSpan::FULL)
            .with_writer(move || sink.clone())
            .finish();
        Self {
            bytes,
            _guard: tracing::subscriber::set_default(subscriber),
            _turn: turn,
        }
    }
    pub(crate) fn all(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }
}

/// Counts how often something is dropped.
pub(crate) struct Dropped(pub(crate) Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

pub(crate) fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new("call-1", name, arguments)
}

/// A call through a list of one tool.
pub(crate) async fn once(tool: impl AgentTool + 'static, arguments: &str) -> ToolReply {
    let name = tool.name().to_owned();
    let tools = Toolset::builder().tool(tool).build().unwrap();
    tools
        .call(&call(&name, arguments), &ToolContext::new())
        .await
        .unwrap()
}

/// Files in memory, and the tool that writes one of them. Its preview is of the file that is there.
#[derive(Clone, Default)]
pub(crate) struct Files {
    pub(crate) texts: Arc<Mutex<BTreeMap<String, String>>>,
    pub(crate) asks_itself: bool,
}

#[derive(Debug, ToolInput)]
pub(crate) struct Save {
    path: String,
    text: String,
    #[tool_param(default = 1)]
    copies: u32,
}

impl Files {
    pub(crate) fn with<const N: usize>(texts: [(&str, &str); N]) -> Self {
        let files = Self::default();
        for (path, text) in texts {
            files.set(path, text);
        }
        files
    }

    pub(crate) fn set(&self, path: &str, text: &str) {
        let mut texts = self.texts.lock().unwrap();
        texts.insert(path.to_owned(), text.to_owned());
    }

    pub(crate) fn get(&self, path: &str) -> Option<String> {
        self.texts.lock().unwrap().get(path).cloned()
    }

    pub(crate) fn list(&self) -> Toolset {
        Toolset::single(self.clone()).unwrap()
    }
}

impl TypedAgentTool for Files {
    type Input = Save;
    type Output = ToolResult;
    const SECRET_PARAMS: &'static [&'static str] = &["text"];
    fn name(&self) -> &str {
        "save"
    }
    fn description(&self) -> &str {
        "Writes a file."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn asks_itself(&self) -> bool {
        self.asks_itself
    }
    fn precheck(&self, input: &Save) -> Result<(), String> {
        let text = self.get(&input.path);
        match (&*input.path, text.as_deref()) {
            ("/", _) => Err("/ is no file".to_owned()),
            (path, Some("-> elsewhere")) => Err(format!("{path} is a link")),
            _ => Ok(()),
        }
    }
    /// There is no preview for a missing file, since the arguments say everything.
    fn preview(&self, input: &Save) -> Option<callpact::review::Preview> {
        Some(format!("-{}\n+{}", self.get(&input.path)?, input.text).into())
    }
    async fn execute(&self, input: Save, cx: &ToolContext) -> ToolResult {
        if self.asks_itself {
            match cx.require_approval("Save").await {
                Ok(ReviewDecision::Continue) => {}
                Ok(_) => return ToolResult::failure("no"),
                Err(halt) => return ToolResult::halt(halt),
            }
        }
        self.set(&input.path, &input.text.repeat(input.copies as usize));
        ToolResult::success("saved")
    }
}
