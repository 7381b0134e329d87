//! The program in `examples/` prints what it shows.

#[path = "../../../../examples/rig_agent.rs"]
#[allow(dead_code)] // its `main`
mod rig_agent;

const SAID: &str = r#"approved
user: Cancel order 17, I ordered it twice.
model calls cancel_order {"order":"17","reasons":"a duplicate"}
  Error: Invalid arguments, 2 problems:
  - order: expected a string matching ^A-[0-9]+$, found "17"
  - reason: missing; expected a string of at least 5 characters (Why); `reasons` was given: rename it to `reason`
model calls order_status {"order":"A-17"}
  Error: Unknown tool 'order_status'. Did you mean 'order_state'? Available tools: order_state, cancel_order
model calls cancel_order {"order":"A-17","reason":"ordered twice"}
  A-17 is cancelled: ordered twice
model: A-17 is cancelled.

rejected
the run was cancelled: the call of 'cancel_order' was rejected by the reviewer
[ExitEarly { message: "the call of 'cancel_order' was rejected by the reviewer", timed_out: false }]
"#;

#[tokio::test]
async fn the_rig_agent() {
    let said = rig_agent::both().await.expect("the tools do not conflict");
    assert_eq!(said, SAID);
}
