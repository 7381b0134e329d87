//! An agent's loop and its messages: the list of tools, calls, replies, and a wrong call that the
//! model corrects.
//!
//! `cargo run --example agent_loop -p callpact-examples`

use std::{error::Error, fmt};

use callpact::{CallGuard, Dialect, ToolCall, ToolContext, ToolInput, Toolset, tool};
use callpact::{ToolReply, toolset::Verdict};
use callpact_examples::pretty;
use serde_json::{Value, json};

/// The only line to change for another provider, besides the request itself.
const DIALECT: Dialect = Dialect::Anthropic;

#[derive(ToolInput)]
#[tool_input(rename_all = "lowercase")]
enum Plan {
    Small,
    Large,
}

/// Works out what a plan costs
#[tool(read_only)]
fn price(
    plan: Plan,
    /// For how many months
    #[tool_param(min = 1, max = 24)]
    months: u32,
) -> String {
    let cents = match plan {
        Plan::Small => 3_750,
        Plan::Large => 8_225,
    } * months;
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// Plays the provider: takes the messages and gives the next answer.
///
/// The first call names the plan wrongly and asks for too many months. What a real model reads in
/// the reply is enough to mend both at once. The keys of its arguments are in the order of the
/// alphabet, since some builds of `serde_json` sort them, and faults are told in that order.
fn model(messages: &[Value]) -> Result<Value, Box<dyn Error>> {
    let turns = [
        r#"{"role": "assistant", "stop_reason": "tool_use", "content": [
            {"type": "text", "text": "I look it up."},
            {"type": "tool_use", "id": "toolu_1", "name": "price", "input": {"months": 48, "plan": "big"}}]}"#,
        r#"{"role": "assistant", "stop_reason": "tool_use", "content": [
            {"type": "tool_use", "id": "toolu_2", "name": "price", "input": {"months": 24, "plan": "large"}},
            {"type": "tool_use", "id": "toolu_3", "name": "price", "input": {"months": "24", "plan": "small"}}]}"#,
        r#"{"role": "assistant", "stop_reason": "end_turn", "content": [
            {"type": "text", "text": "For two years: 1974.00 for the large plan, 900.00 for the small one."}]}"#,
    ];
    let turn = turns
        .get(messages.len() / 2)
        .ok_or("the script is at its end")?;
    Ok(serde_json::from_str(turn)?)
}

fn show(way: &str, mut what: Value) {
    // The bytes do not depend on the key order of `serde_json`.
    what.sort_all_objects();
    println!("{way} {what}\n");
}

/// Makes one call. The guard ends a run that goes in circles.
async fn call(
    tools: &Toolset,
    call: &ToolCall,
    cx: &ToolContext,
    guard: &mut CallGuard,
) -> Result<ToolReply, Box<dyn Error>> {
    match guard.admit(call) {
        Verdict::Go => {
            let reply = tools.call(call, cx).await?;
            guard.record(call, &reply);
            Ok(reply)
        }
        verdict => Err(format!("the run was ended: {verdict:?}").into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let tools = Toolset::builder().tool(Price).build()?;
    println!("tools: {}\n", pretty(&tools.specs(DIALECT)));

    let (cx, mut guard) = (ToolContext::new(), CallGuard::new());
    let mut messages = vec![json!({"role": "user", "content": "Two years of each plan?"})];
    show("->", messages[0]["content"].clone());
    loop {
        let answer = model(&messages)?;
        show("<-", answer["content"].clone());
        messages.push(json!({"role": "assistant", "content": answer["content"]}));

        let calls = ToolCall::parse(&answer, DIALECT)?;
        if calls.is_empty() {
            return Ok(());
        }
        // Every call gets its reply in one message. Providers refuse a conversation without it.
        let mut replies = Vec::new();
        for one in &calls {
            let reply = call(&tools, one, &cx, &mut guard).await?;
            show("->", reply.to_message(DIALECT));
            fixes(&reply.fixes);
            replies.push(reply.to_message(DIALECT));
        }
        messages.push(json!({"role": "user", "content": replies}));
    }
}

/// The conversions of a call, which a program may log or count.
fn fixes(fixes: &[impl fmt::Display]) {
    for fix in fixes {
        println!("   (fix: {fix})\n");
    }
}
