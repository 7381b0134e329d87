//! Code of the program around the run of a call: caches, audits, rate limits.

use crate::{
    crash::BoxFuture,
    tool::{Halt, Permission, ToolContext, ToolResult},
};

/// Code around the run of every call of a list, set with
/// [`ToolsetBuilder::around`](super::ToolsetBuilder::around).
///
/// It runs after approval, so it cannot skip approval, and before secrets are put in, so it never sees a
/// secret. It passes the call on with [`Next::run`], or answers in place of the tool.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
/// use callpact::{Halt, ToolCall, ToolContext, ToolResult, Toolset, tool};
/// use callpact::toolset::{BoxFuture, CallLayer, LayerCall, Next};
///
/// /// Lets only so many calls through.
/// struct Quota(AtomicU32);
///
/// impl CallLayer for Quota {
///     fn around<'a>(
///         &'a self,
///         call: &'a LayerCall<'a>,
///         next: Next<'a>,
///     ) -> BoxFuture<'a, Result<ToolResult, Halt>> {
///         Box::pin(async move {
///             let spent = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
///             match spent {
///                 Ok(_) => next.run().await,
///                 Err(_) => Ok(ToolResult::failure(format!("no call of {} is left", call.name))),
///             }
///         })
///     }
/// }
///
/// /// Says hello
/// #[tool(read_only)]
/// fn hello() -> &'static str {
///     "hello"
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().tool(Hello).around(Quota(AtomicU32::new(1))).build()?;
/// let (call, cx) = (ToolCall::new("1", "hello", "{}"), ToolContext::new());
/// assert_eq!(tools.call(&call, &cx).await?.to_model(), "hello");
/// assert_eq!(tools.call(&call, &cx).await?.to_model(), "Error: no call of hello is left");
/// # Ok(())
/// # }
/// ```
pub trait CallLayer: Send + Sync {
    /// Runs one call. The future is dropped when the call is cancelled or its time is up.
    fn around<'a>(
        &'a self,
        call: &'a LayerCall<'a>,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<ToolResult, Halt>>;
}

/// A call as a [`CallLayer`] sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LayerCall<'a> {
    /// The name of the tool in the list.
    pub name: &'a str,
    /// The arguments that were read and approved. Secrets are placeholders.
    pub arguments: &'a str,
    /// The permission of the tool.
    pub permission: Permission,
    /// The context of the call.
    pub cx: &'a ToolContext,
}

/// The rest of a call: the inner layers and the tool.
pub struct Next<'a>(BoxFuture<'a, Result<ToolResult, Halt>>);

impl<'a> Next<'a> {
    pub(crate) fn new(work: BoxFuture<'a, Result<ToolResult, Halt>>) -> Self {
        Self(work)
    }

    /// Runs the rest of the call.
    ///
    /// # Errors
    /// A halt, which a layer should pass on.
    pub async fn run(self) -> Result<ToolResult, Halt> {
        self.0.await
    }
}
