//! Tools as users of rig write them.

use std::{convert::Infallible, hint::black_box, marker::PhantomData};

use rig_agent::tool::{DynamicTool, Tool, ToolContext, ToolExecutionError, ToolOutput, ToolSet};
use rig_core::message::ToolName;
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;

/// A typed tool that takes its input and ignores it.
pub struct Takes<T>(pub PhantomData<fn() -> T>);

impl<T: DeserializeOwned + JsonSchema + Send + Sync> Tool for Takes<T> {
    const NAME: &'static str = "takes";
    type Args = T;
    type Output = &'static str;
    type Error = Infallible;

    fn description(&self) -> String {
        "Takes its input.".to_owned()
    }
    fn parameters(&self) -> serde_json::Value {
        schema_for!(T).to_value()
    }
    async fn call(&self, _: &mut ToolContext, input: T) -> Result<&'static str, Infallible> {
        black_box(input);
        Ok("ok")
    }
}

/// A set of tools with these names. A typed tool's name is a constant, so these tools are dynamic
/// and convert a `Value` themselves.
pub fn toolset<T: DeserializeOwned + JsonSchema + 'static>(names: &[String]) -> ToolSet {
    let schema = schema_for!(T).to_value();
    let tools = names.iter().map(|name| {
        let name = ToolName::new(name.as_str()).expect("not empty");
        DynamicTool::new(name, "Takes its input.", schema.clone(), |value| {
            Box::pin(async move {
                let input: T = serde_json::from_value(value)
                    .map_err(|error| ToolExecutionError::invalid_args(error.to_string()))?;
                black_box(input);
                Ok(ToolOutput::text("ok"))
            })
        })
    });
    ToolSet::from_dynamic_tools(tools.collect())
}
