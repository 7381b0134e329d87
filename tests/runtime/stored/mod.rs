//! Calls in a store: how they wait, who decides, and that each runs once.

mod decided;
mod edited;
mod forgotten;
mod keys;
mod once;
mod waiting;

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

use crate::kit::{call, text};
use callpact::{
    AgentTool, Halt, PendingCall, ToolContext, ToolResult, Toolset,
    store::{CallStore, MemoryStore, Moment},
};

/// The actions of the tools in a test, in order.
type Ledger = Arc<Mutex<Vec<String>>>;

fn lines(ledger: &Ledger) -> Vec<String> {
    ledger.lock().unwrap().clone()
}

/// A tool that writes its input into the ledger.
fn pays(ledger: &Ledger) -> impl AgentTool + 'static {
    let ledger = Arc::clone(ledger);
    text("pay", move |input, _| {
        ledger.lock().unwrap().push(input.to_owned());
        ToolResult::success(format!("paid {input}"))
    })
}

/// A clock that a test moves.
#[derive(Clone, Default)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn set(&self, moment: Moment) {
        self.0.store(moment.0, Ordering::SeqCst);
    }
}

/// A store, its clock, and contexts over both.
#[derive(Clone, Default)]
struct Desk {
    store: Arc<MemoryStore>,
    clock: Clock,
}

impl Desk {
    fn cx(&self) -> ToolContext {
        let clock = self.clock.clone();
        ToolContext::new()
            .with_store(Arc::clone(&self.store))
            .with_clock(move || Moment(clock.0.load(Ordering::SeqCst)))
    }

    fn deferring(&self) -> ToolContext {
        self.cx().with_deferred_approval()
    }

    async fn ids(&self) -> Vec<String> {
        let calls = self.store.list().await.unwrap().into_iter();
        calls.map(|call| call.call.id).collect()
    }
}

/// Makes a call that waits.
async fn wait(tools: &Toolset, name: &str, arguments: &str, cx: &ToolContext) -> PendingCall {
    match tools.call(&call(name, arguments), cx).await {
        Err(Halt::Pending(pending)) => *pending,
        other => panic!("{other:?}"),
    }
}
