//! `#[tools]` on `impl` blocks.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use callpact::{State, ToolContext, ToolError, ToolProvider, Toolset, tool, tools};

use crate::call;

#[derive(Default)]
struct Counter {
    value: AtomicI64,
}

#[tools]
impl Counter {
    const START: i64 = 40;

    fn new() -> Self {
        Self {
            value: AtomicI64::new(Self::START),
        }
    }

    /// Adds to the counter
    #[tool(write)]
    async fn add(
        &self,
        /// How much
        #[tool_param(min = 1)]
        by: i64,
        cx: &ToolContext,
    ) -> Result<i64, ToolError> {
        if cx.role() == "guest" {
            return Err(ToolError::failed("guests cannot add"));
        }
        Ok(self.value.fetch_add(by, Ordering::SeqCst) + by)
    }

    /// The value of the counter
    #[callpact::tool(read_only, name = "get")]
    pub(crate) fn value(&self, offset: Option<i64>, _limit: State<u8>) -> i64 {
        self.value.load(Ordering::SeqCst) + offset.unwrap_or(0)
    }

    /// What this is
    #[tool(read_only)]
    fn about() -> &'static str {
        "a counter"
    }

    #[cfg(any())]
    /// Not here
    #[tool(read_only)]
    fn absent(&self) {}
}

#[tokio::test]
async fn one_object_is_several_tools() {
    let counter = Arc::new(Counter::new());
    let tools = Toolset::builder()
        .tools(Arc::clone(&counter))
        .build()
        .unwrap();
    assert!(tools.names().eq(["add", "get", "about"]));
    let cx = ToolContext::new().with(3_u8);
    for (name, arguments, reply) in [
        ("add", r#"{"by":2}"#, "42"),
        ("get", "{}", "42"),
        ("get", r#"{"offset":-2}"#, "40"),
        ("about", "{}", "a counter"),
        (
            "add",
            r#"{"by":0}"#,
            "Error: Invalid arguments, 1 problem:\n- by: expected an integer of at least 1, found 0",
        ),
    ] {
        assert_eq!(
            call(&tools, name, arguments, &cx).await.unwrap().to_model(),
            reply
        );
    }
    let guest = cx.with_role("guest");
    let refused = call(&tools, "add", r#"{"by":2}"#, &guest).await.unwrap();
    assert_eq!(refused.to_model(), "Error: guests cannot add");
    // The program shares the object.
    assert_eq!(counter.value(None, State(Arc::new(1))), 42);
}

#[test]
fn the_object_itself_is_enough() {
    let tools = Toolset::builder()
        .tools(Counter::default())
        .build()
        .unwrap();
    assert_eq!(tools.len(), 3);
}

struct Store<T> {
    items: Vec<T>,
}

#[tools]
impl<T> Store<T>
where
    T: ToString + Send + Sync + 'static,
{
    /// An item
    #[tool(read_only)]
    fn item(&self, index: usize) -> Option<String> {
        self.items.get(index).map(ToString::to_string)
    }
}

#[tokio::test]
async fn a_generic_object() {
    let tools = Toolset::builder()
        .tools(Store {
            items: vec![1.5, 2.5],
        })
        .build()
        .unwrap();
    let cx = ToolContext::new();
    assert_eq!(
        call(&tools, "item", r#"{"index":1}"#, &cx)
            .await
            .unwrap()
            .to_model(),
        "2.5"
    );
}

mod apart {
    use super::tools;

    pub(super) struct Math;

    #[tools]
    impl Math {
        /// The sum
        #[tool(read_only)]
        pub(super) fn sum(&self, numbers: Vec<f64>) -> f64 {
            numbers.iter().sum()
        }
    }
}

#[tokio::test]
async fn lists_of_objects() {
    let tools = Toolset::builder()
        .tools(apart::Math)
        .tools(Counter::new().tools())
        .build()
        .unwrap();
    assert!(tools.names().eq(["sum", "add", "get", "about"]));
    assert_eq!(apart::Math.sum(vec![0.5, 0.25]), 0.75);
}

/// Two blocks are two types of tools.
#[tool(read_only)]
fn sum(a: u8, b: u8) -> u8 {
    a.saturating_add(b)
}

#[test]
fn two_of_one_name_are_a_conflict() {
    let error = Toolset::builder()
        .tools(apart::Math)
        .tool(Sum)
        .build()
        .unwrap_err();
    assert!(error.to_string().contains("sum"), "{error}");
    assert_eq!(sum(1, 2), 3);
}
