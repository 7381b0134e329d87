//! The values that a tool function gets beside its parameters.

use std::{any::type_name, fmt, ops::Deref, sync::Arc};

use super::{Cancellation, Halt, ToolContext};

/// A value of the program's own, as a parameter of a [`#[tool]`](macro@crate::tool) function. The
/// model does not see it.
///
/// The value is the one that [`ToolContext::with`] put into the context, as it is or in an `Arc`. A
/// context without it halts the call with [`Halt::Misconfigured`].
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
/// use callpact::{AgentTool, State, ToolContext, tool};
///
/// /// How often this was asked
/// #[tool(read_only)]
/// fn count(counter: State<AtomicU32>) -> u32 {
///     counter.fetch_add(1, Ordering::Relaxed) + 1
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let cx = ToolContext::new().with(AtomicU32::new(6));
/// assert_eq!(Count.execute("{}", &cx).await.output(), "7");
/// # }
/// ```
pub struct State<T: ?Sized>(pub Arc<T>);

impl<T: ?Sized> State<T> {
    /// The value, shared.
    pub fn into_inner(self) -> Arc<T> {
        self.0
    }
}

impl<T: Send + Sync + 'static> State<T> {
    /// The value in a context.
    ///
    /// # Errors
    /// When the context has no such value, which is a mistake of the program.
    pub fn of(cx: &ToolContext) -> Result<Self, Halt> {
        let extensions = cx.extensions();
        if let Some(value) = extensions.get_arc::<T>() {
            return Ok(Self(value));
        }
        if let Some(shared) = extensions.get::<Arc<T>>() {
            return Ok(Self(Arc::clone(shared)));
        }
        let (tool, ty) = (cx.tool_name(), type_name::<T>());
        let who = if tool.is_empty() {
            "A tool".to_owned()
        } else {
            format!("Tool '{tool}'")
        };
        Err(Halt::Misconfigured(format!(
            "{who} needs a `{ty}` that the context does not have. \
             Add it to the context of the call: `ToolContext::new().with(…)`."
        )))
    }
}

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&&*self.0).finish()
    }
}

/// A value that can be injected and may be missing. The macro writes it as `State`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the `State` that a tool gets injected",
    note = "a parameter whose type is called `State<…>` is `callpact::State<T>` with a `T: Send + Sync + 'static`"
)]
pub trait FromContext: Sized {
    fn from_context(cx: &ToolContext) -> Result<Self, Halt>;
}

impl<T: Send + Sync + 'static> FromContext for State<T> {
    fn from_context(cx: &ToolContext) -> Result<Self, Halt> {
        Self::of(cx)
    }
}

/// Called by generated code.
pub fn state<T: FromContext>(cx: &ToolContext) -> Result<T, Halt> {
    T::from_context(cx)
}

/// Called by generated code.
pub fn cancellation(cx: &ToolContext) -> Cancellation {
    cx.cancellation().cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{State, cancellation};
    use crate::{Cancellation, ToolContext};

    #[test]
    fn as_it_is_or_in_an_arc() {
        let cx = ToolContext::new().with(7_u8).with(Arc::new("x".to_owned()));
        assert_eq!(State::<u8>::of(&cx).map(|state| *state), Ok(7));
        assert_eq!(State::<String>::of(&cx).map(|state| state.len()), Ok(1));
        let missing = State::<u16>::of(&cx).map(|state| *state).unwrap_err();
        assert_eq!(
            missing.to_string(),
            "A tool needs a `u16` that the context does not have. \
             Add it to the context of the call: `ToolContext::new().with(…)`."
        );
    }

    #[test]
    fn a_cancellation_is_the_calls_own() {
        assert!(!cancellation(&ToolContext::new()).is_cancelled());
        let own = Cancellation::new();
        let cx = ToolContext::new().with_cancellation(own.clone());
        own.cancel();
        assert!(cancellation(&cx).is_cancelled());
    }
}
