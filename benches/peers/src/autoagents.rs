//! Tools as users of AutoAgents write them. The input of its `ToolProcessor` cannot be made outside
//! the crate, so dispatch by name has no row, and its handling of a text is written again here.

use std::{fmt, hint::black_box, marker::PhantomData};

use async_trait::async_trait;
use autoagents_core::tool::{
    ToolCallError, ToolCallResult, ToolInputSchema, ToolRuntime, ToolT, to_llm_tool,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{
    now::now,
    types::Search,
    work::{Reader, Work, one},
};

/// A tool of any name that takes its input and does nothing with it.
struct Takes<T> {
    name: String,
    input: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Takes<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[async_trait]
impl<T: DeserializeOwned> ToolRuntime for Takes<T> {
    async fn execute(&self, arguments: Value) -> Result<Value, ToolCallError> {
        black_box(serde_json::from_value::<T>(arguments)?);
        Ok(Value::from("ok"))
    }
}

impl<T: DeserializeOwned> ToolT for Takes<T> {
    fn name(&self) -> &str {
        &self.name
    }
    fn description(&self) -> &'static str {
        "Takes its input."
    }
    fn args_schema(&self) -> Value {
        // Every list here is one of searches, or its schemas are not asked for.
        Search::io_schema_value().clone()
    }
}

fn boxed<T: DeserializeOwned + 'static>(name: String) -> Box<dyn ToolT> {
    Box::new(Takes::<T> {
        name,
        input: PhantomData,
    })
}

/// A text to its tool.
pub fn reader<T: DeserializeOwned + 'static>() -> Reader {
    let tool = boxed::<T>("takes".to_owned());
    Box::new(move |text| {
        let value: Value = serde_json::from_str(text).map_err(one)?;
        now(tool.execute(value)).map(drop).map_err(one)
    })
}

/// What `ToolProcessor::process_tool_calls` does with a text, without looking for the tool and without
/// events: <https://docs.rs/crate/autoagents-core/0.4.0/source/src/agent/executor/tool_processor.rs>.
pub fn agent<T: DeserializeOwned + 'static>() -> Reader {
    let tool = boxed::<T>("takes".to_owned());
    Box::new(move |text| {
        let text = text.to_owned();
        let read = serde_json::from_str(&text)
            .map_err(one)
            .and_then(|value: Value| now(tool.execute(value)).map_err(one));
        // The record of a call has its arguments once more, whatever the result is.
        let arguments: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        let record = |success, result| ToolCallResult {
            tool_name: tool.name().to_owned(),
            success,
            arguments,
            result,
        };
        match read {
            Ok(output) => {
                black_box(record(true, output));
                Ok(())
            }
            Err((count, error)) => {
                let told = format!("Tool execution failed: {error}");
                black_box(record(false, json!({ "error": told.as_str() })));
                Err((count, told))
            }
        }
    })
}

/// The list of tools as text.
pub fn list(names: Vec<String>) -> Work {
    let tools: Vec<_> = names.into_iter().map(boxed::<Search>).collect();
    Box::new(move || {
        let list: Vec<_> = tools.iter().map(to_llm_tool).collect();
        drop(black_box(serde_json::to_string(&list).expect("JSON")));
    })
}
