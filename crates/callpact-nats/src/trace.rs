//! The trace of a call, across machines.

/// The trace of a call: the text of a `traceparent` header of W3C Trace Context.
///
/// A program puts it into the context of a call. It travels with the call, and the tool finds it in its
/// context at the worker. The span of the call at the worker has it as the field `traceparent`.
///
/// ```
/// use callpact::ToolContext;
/// use callpact_nats::TraceParent;
///
/// let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// let cx = ToolContext::new().with(TraceParent(trace.to_owned()));
/// assert_eq!(cx.get::<TraceParent>().map(|parent| &*parent.0), Some(trace));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceParent(pub String);
