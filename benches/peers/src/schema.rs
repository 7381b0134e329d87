//! Schemas, and the list of tools in every request.

use std::hint::black_box;

use rmcp::model::ListToolsResult;
use schemars::schema_for;
use callpact::{Dialect, ToolInput};

use crate::{ours, rig, rmcp_tools, types::Search, way::Way, work::Work};

/// The number of tools.
const COUNT: usize = 1_000;

/// Names that all peers accept.
pub fn names(count: usize) -> Vec<String> {
    (0..count).map(|index| format!("tool_{index}")).collect()
}

/// The schemas of a thousand types as text: one type whose schema is made a thousand times, as a
/// program does when it starts.
pub fn schemas(way: Way) -> Option<Work> {
    Some(match way {
        Way::Callpact => Box::new(|| {
            for _ in 0..COUNT {
                black_box(<Search as ToolInput>::SCHEMA.to_json(Dialect::Portable));
            }
        }),
        Way::Serde => Box::new(|| {
            for _ in 0..COUNT {
                black_box(schema_for!(Search).as_value().to_string());
            }
        }),
        _ => return None,
    })
}

/// The list of a thousand tools as text, from the library's own list.
pub fn list(way: Way) -> Option<Work> {
    let names = names(COUNT);
    Some(match way {
        Way::Callpact => {
            let tools = ours::toolset::<Search>(&names);
            Box::new(move || drop(black_box(tools.specs(Dialect::Portable))))
        }
        Way::Rig => {
            let tools = rig::toolset::<Search>(&names);
            Box::new(move || {
                let list = tools.tool_definitions();
                drop(black_box(serde_json::to_string(&list).expect("JSON")));
            })
        }
        Way::Rmcp => {
            let router = rmcp_tools::router::<Search>(&names);
            Box::new(move || {
                let list = ListToolsResult::with_all_items(router.list_all());
                drop(black_box(serde_json::to_string(&list).expect("JSON")));
            })
        }
        #[cfg(feature = "autoagents")]
        Way::AutoAgents => crate::autoagents::list(names),
        _ => return None,
    })
}
