//! Between the question to the user of a client and the yes a file changes, in each revision: nothing is written.

use std::sync::Arc;

use callpact::{ToolContext, store::MemoryStore};
use callpact_mcp::server::{AskClients, ToolServer};
use serde_json::{Value, json};

use crate::{
    changed_files::ChangeCase,
    edits::{User, client, said, yes},
    help::{request, serve},
};

/// The ways to ask the user of a client: the revision, and whether the server has a store.
const WAYS: [(&str, bool, bool); 4] = [
    ("elicitation", false, false),
    ("elicitation with a store", false, true),
    ("rounds", true, false),
    ("rounds with a store", true, true),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_approval_writes_nothing_after_change() {
    let mut changed = 0;
    for (way, newer, stores) in WAYS {
        for case in ChangeCase::all() {
            let (tools, call) = case.tool();
            let cx = ToolContext::new();
            let cx = if stores {
                cx.with_store(Arc::new(MemoryStore::new()))
            } else {
                cx
            };
            let ask = AskClients::new(b"thirty-two bytes from a safe place").unwrap();
            let served = serve(ToolServer::new(tools, cx).ask_clients(ask)).await;
            let change = case.change();
            let meddle = move |round| {
                if round == 1 {
                    change();
                }
            };
            // The changed call may be another question, which is about what the file has now.
            let no = || json!({"decision": "refuse", "reason": "not this"});
            let user = User::new([yes(), no(), no()], meddle);
            let client = client(&served, &user, newer).await;
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
            let result = client.call_tool(request(&call.name, arguments)).await;
            let result = result.unwrap();
            case.check(way, result.is_error != Some(true), &said(&result));
            changed += usize::from(case.is_changed());
        }
    }
    assert_eq!(changed, 9 * 9 * 4, "all of them were made");
}
