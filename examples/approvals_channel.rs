//! Another task decides, such as a user interface: yes, an edit, a no, and no answer. Then a
//! decision that comes later, for a call that was stored.
//!
//! `cargo run --example approvals_channel -p callpact-examples`

use std::{error::Error, time::Duration};

use callpact::{
    Halt, OnTimeout, PendingCall, Policy, ReviewDecision, ToolCall, ToolContext, ToolInput,
    Toolset, read_str,
    review::{ReviewRequests, channel},
    tool,
};

/// Pays money out
#[tool(destructive)]
fn pay(
    to: String,
    /// How much, in whole euros
    #[tool_param(min = 1)]
    amount: u32,
) -> String {
    format!("paid {amount} to {to}")
}

#[derive(ToolInput)]
struct Payment {
    to: String,
    amount: u32,
}

/// The other side. It sees everything that would run.
async fn office(requests: ReviewRequests) {
    while let Some(pending) = requests.recv().await {
        let action = pending.request().action.clone();
        println!("  asked: {} {action}", pending.request().tool);
        let Ok(payment) = read_str::<Payment>(&action, &Policy::exact()) else {
            // A request that is dropped without an answer is rejected.
            continue;
        };
        let decision = match (payment.value.to.as_str(), payment.value.amount) {
            ("nobody", _) => {
                // Nobody answers, so the question expires.
                std::future::pending::<()>().await;
                return;
            }
            (_, 0..=100) => ReviewDecision::Continue,
            (to, 101..=1_000) => {
                ReviewDecision::Edit(format!(r#"{{"to": "{to}", "amount": 100}}"#))
            }
            _ => ReviewDecision::REJECT,
        };
        println!("  decided: {decision:?}");
        pending.reply(decision);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let tools = Toolset::builder().tool(Pay).build()?;
    let (reviewer, requests) = channel();
    let office = tokio::spawn(office(requests));
    let cx = ToolContext::new().with_reviewer(reviewer);
    // For the question without an answer. A reviewer's time does not count against the tool's.
    let hurried = cx
        .clone()
        .with_review_timeout(Duration::from_millis(50), OnTimeout::ExitEarly);

    for (to, amount, cx) in [
        ("ada", 90, &cx),
        ("bob", 900, &cx),
        ("mallory", 9_000, &cx),
        ("nobody", 1, &hurried),
    ] {
        let arguments = format!(r#"{{"to": "{to}", "amount": {amount}}}"#);
        println!("pay {amount} to {to}");
        match tools.call(&ToolCall::new(to, "pay", arguments), cx).await {
            Ok(reply) => println!("  reply: {}", reply.to_model()),
            Err(halt) => println!("  halt: {halt}"),
        }
    }
    office.abort();

    // The call is handed out as data, stored, and resumed after the decision.
    let later = ToolContext::new().with_deferred_approval();
    let call = ToolCall::new("call-5", "pay", r#"{"to": "eve", "amount": 5}"#);
    println!("pay 5 to eve, decided later");
    let Err(Halt::Pending(pending)) = tools.call(&call, &later).await else {
        return Err("the call did not wait".into());
    };
    let kept = serde_json::to_string(&pending)?;
    let pending: PendingCall = serde_json::from_str(&kept)?;
    let reply = tools
        .decide(&pending, ReviewDecision::Continue, &later)
        .await?;
    println!("  reply: {}", reply.to_model());

    // A decision is valid for its own call only.
    let forged: PendingCall = serde_json::from_str(&kept.replace("eve", "mallory"))?;
    if let Err(halt) = tools
        .decide(&forged, ReviewDecision::Continue, &later)
        .await
    {
        println!("  halt: {halt}");
    }
    Ok(())
}
