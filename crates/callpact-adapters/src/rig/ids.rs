//! The ids of calls under way.
//!
//! rig gives the id of a call to a hook, and only the arguments to the tool. This table joins them.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use rig_core::effect::EffectId;
use serde_json::Value;

/// The most calls that are kept; more wait only if some were lost.
const KEPT: usize = 1024;

#[derive(Default)]
pub(super) struct CallIds {
    waiting: Mutex<Vec<Waiting>>,
    unknown: AtomicU64,
}

struct Waiting {
    effect: EffectId,
    tool: String,
    arguments: Value,
    id: String,
}

impl CallIds {
    /// Notes the id of a call that is about to reach its tool.
    pub(super) fn expect(&self, effect: EffectId, tool: &str, arguments: &str, id: String) {
        let Ok(arguments) = serde_json::from_str(arguments) else {
            return;
        };
        let mut waiting = self.waiting();
        if waiting.len() == KEPT {
            waiting.remove(0);
        }
        waiting.push(Waiting {
            effect,
            tool: tool.to_owned(),
            arguments,
            id,
        });
    }

    /// Takes the id of a call that reached its tool, or makes one if rig gave none.
    pub(super) fn take(&self, tool: &str, arguments: &Value) -> String {
        let mut waiting = self.waiting();
        let found = waiting
            .iter()
            .position(|call| call.tool == tool && call.arguments == *arguments);
        match found {
            Some(index) => waiting.remove(index).id,
            None => format!("rig-{}", self.unknown.fetch_add(1, Ordering::Relaxed) + 1),
        }
    }

    /// Drops a call that has ended, whether or not it reached its tool.
    pub(super) fn forget(&self, effect: EffectId) {
        self.waiting().retain(|call| call.effect != effect);
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
