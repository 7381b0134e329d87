//! A server that asks the users of its clients: for `scripts/mcp_asking.py`, `scripts/mcp_inspector.py` and
//! `scripts/mcp_table.py`.
//!
//! `asking` serves over stdio, `asking --http ADDRESS` over HTTP. A client that cannot be asked gets the id of a call
//! that waits. With `--at-page` calls are decided about at a page, and the tool `visit` plays the person there. With
//! `--host-confirms` the client is not asked.

use std::{io::Write, sync::Arc};

use callpact::{
    AgentTool, Permission, ReviewDecision, ReviewRequest, State, ToolContext, ToolError,
    ToolOutput, ToolResult, Toolset,
    store::{CallStore, Decided, MemoryStore, Moment},
    tool,
};
use callpact_mcp::server::{AskClients, RateLimit, ToolServer};
use serde::Serialize;

/// Pays a bill
#[tool(destructive)]
fn pay(euros: u32) -> String {
    format!("paid {euros} EUR")
}

/// What is in the store.
#[derive(Serialize, ToolOutput)]
struct Stock {
    item: String,
    count: u32,
}

/// Says how many there are
#[tool(read_only, struct = StockTool)]
fn stock(item: String) -> Stock {
    Stock { item, count: 7 }
}

/// Counts to three
#[tool(read_only)]
fn count(cx: &ToolContext) -> &'static str {
    for number in 1..=3 {
        cx.progress(number, 3, "counted");
    }
    "three"
}

/// Asks a question in the middle of its work.
struct Ask;

impl AgentTool for Ask {
    fn name(&self) -> &'static str {
        "ask"
    }
    fn description(&self) -> &'static str {
        "Asks a person."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        match cx.review(ReviewRequest::new(input)).await {
            Ok(ReviewDecision::Edit(answer)) => ToolResult::success(answer),
            Ok(_) => ToolResult::failure("no answer"),
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

/// Signs in at a bank, where the password does not pass through the client
#[tool(read_only)]
async fn sign_in(cx: &ToolContext) -> Result<String, ToolError> {
    let request = ReviewRequest::new("Sign in to your bank").page("https://bank.example/sign-in");
    Ok(match cx.review(request).await? {
        ReviewDecision::Continue => "the user went to the bank".to_owned(),
        other => format!("the user did not go: {other:?}"),
    })
}

/// Where calls are decided about.
const DESK: &str = "https://desk.example/calls/";

/// Decides about the call of a page
#[tool(read_only)]
async fn visit(page: String, yes: bool, State(store): State<MemoryStore>) -> Result<(), ToolError> {
    let Some(id) = page.strip_prefix(DESK) else {
        return Err(ToolError::failed("it is another page"));
    };
    let decision = if yes {
        ReviewDecision::Continue
    } else {
        ReviewDecision::Refuse("too much".to_owned())
    };
    let decided = Decided::new(decision, "grace", Moment::now());
    store.take(id, &decided).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (mut address, mut at_page, mut host_confirms) = (None, false, false);
    while let Some(word) = words.next() {
        match &*word {
            "--http" => address = words.next(),
            "--at-page" => at_page = true,
            "--host-confirms" => host_confirms = true,
            _ => return Err("asking [--http ADDRESS] [--at-page | --host-confirms]".into()),
        }
    }
    let tools = Toolset::builder()
        .tool(Pay)
        .tool(Ask)
        .tool(SignIn)
        .tool(Visit)
        .tool(StockTool)
        .tool(Count)
        .build()?;
    let store = Arc::new(MemoryStore::new());
    let cx = ToolContext::new()
        .with(Arc::clone(&store))
        .with_store(store);
    let mut ask = AskClients::new("an example, so that nobody else knows it")?;
    if at_page {
        ask = ask.decide_at(|call| format!("{DESK}{}", call.id));
    }
    let server = ToolServer::new(tools, cx).with_rate_limit(RateLimit::new(100_000, 100_000.0));
    let server = if host_confirms {
        server.host_confirms()
    } else {
        server.ask_clients(ask)
    };
    match address {
        None => server.serve_stdio().await?,
        Some(address) => {
            let server = server.bind(address.parse()?).await?;
            let mut out = std::io::stdout();
            writeln!(out, "http://{}/mcp", server.local_addr()?)?;
            out.flush()?;
            server.run().await?;
        }
    }
    Ok(())
}
