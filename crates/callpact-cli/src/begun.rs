//! The calls that are running, for the end of a program that is interrupted.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use callpact::{
    Halt, Permission, ToolResult,
    toolset::{BoxFuture, CallLayer, LayerCall, Next},
};

use crate::exit::{Code, Failure};

/// The names of the tools that are running. A tool that only reads is not among them, since it does not matter
/// whether its call was carried out.
#[derive(Clone, Debug, Default)]
pub(crate) struct BegunTools(Arc<BegunNames>);

#[derive(Debug, Default)]
struct BegunNames {
    now: Mutex<Vec<String>>,
    /// Those at the interrupt.
    at_end: OnceLock<Vec<String>>,
}

impl BegunTools {
    fn edit<R>(&self, edit: impl FnOnce(&mut Vec<String>) -> R) -> R {
        edit(&mut self.0.now.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The names at the interrupt, which is the first moment at which this is asked.
    pub(crate) fn at_end(&self) -> &[String] {
        self.0
            .at_end
            .get_or_init(|| self.edit(|names| names.clone()))
    }
}

/// The end of a program that was interrupted while these tools ran.
pub(crate) fn cut_off(names: &[String]) -> Failure {
    if names.is_empty() {
        return Halt::Cancelled.into();
    }
    let unknown = names.iter().map(|name| ToolResult::unknown(name));
    let lines: Vec<String> = unknown
        .filter_map(|result| result.error().map(str::to_owned))
        .collect();
    Failure::new(Code::Unknown, lines.join("\n"))
}

impl CallLayer for BegunTools {
    fn around<'a>(
        &'a self,
        call: &'a LayerCall<'a>,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<ToolResult, Halt>> {
        Box::pin(async move {
            let _running = (call.permission != Permission::ReadOnly).then(|| {
                self.edit(|names| names.push(call.name.to_owned()));
                RunningTool(self, call.name)
            });
            next.run().await
        })
    }
}

/// Ends with the run of a tool, however it ends.
struct RunningTool<'a>(&'a BegunTools, &'a str);

impl Drop for RunningTool<'_> {
    fn drop(&mut self) {
        self.0.edit(|names| {
            if let Some(place) = names.iter().position(|name| name == self.1) {
                names.swap_remove(place);
            }
        });
    }
}
