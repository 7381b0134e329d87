//! A call by name among many tools: find, read, run, answer.

use std::hint::black_box;

use rig_agent::tool::ToolContext as RigContext;
use rmcp::{handler::server::tool::ToolCallContext, model::CallToolRequestParams};
use callpact::{ToolCall, ToolContext};

use crate::{now::now, ours, rig, rmcp_tools, schema::names, types::Add, way::Way, work::Work};

const ARGUMENTS: &str = r#"{"a":1,"b":2}"#;

/// The work of one call, each time to another tool of the list.
pub fn calls(way: Way, count: usize) -> Option<Work> {
    let names = names(count);
    // A prime step, so that neighbours in the list are not called in sequence.
    let mut turn = 0;
    let mut next = move || {
        turn = (turn + 7_919) % count;
        turn
    };
    Some(match way {
        Way::Callpact => {
            let tools = ours::toolset::<Add>(&names);
            let context = ToolContext::new();
            Box::new(move || {
                let call = ToolCall::new("call-1", names[next()].as_str(), ARGUMENTS);
                let reply = now(tools.call(&call, &context)).expect("no halt");
                assert!(reply.to_model() == "ok");
            })
        }
        Way::Rig => {
            let tools = rig::toolset::<Add>(&names);
            let mut context = RigContext::new();
            Box::new(move || {
                let result = now(tools.execute(&names[next()], ARGUMENTS, &mut context));
                assert!(black_box(result).is_success());
            })
        }
        Way::Rmcp => {
            let router = rmcp_tools::router::<Add>(&names);
            let context = rmcp_tools::request_context();
            Box::new(move || {
                let arguments = serde_json::from_str(ARGUMENTS).expect("an object");
                let params =
                    CallToolRequestParams::new(names[next()].clone()).with_arguments(arguments);
                let call = ToolCallContext::new(&rmcp_tools::Server, params, context.clone());
                assert!(black_box(now(router.call(call))).is_ok());
            })
        }
        _ => return None,
    })
}
