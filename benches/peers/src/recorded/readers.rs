//! Each library on the path that its users' calls take.

use std::{convert::Infallible, sync::Mutex};

use rig_agent::tool::{ErasedTool, Tool, ToolContext};
use rig_core::message::{ToolFunction, ToolName};
use rmcp::{handler::server::tool::parse_json_object, model::JsonObject};
use schemars::schema_for;
use serde_json::Value;
use callpact::{Policy, input::read_foreign};

use crate::{call::Call, shape::Arguments};

/// A way to read a call: the value, or the reply that the model gets.
pub struct Reader {
    pub name: &'static str,
    pub read: fn(&Call) -> Result<Value, String>,
}

/// All of them, in the order of the table.
pub const READERS: [Reader; 7] = [
    Reader {
        name: "callpact, exact",
        read: |call| callpact(call, &Policy::exact()),
    },
    Reader {
        name: "callpact, lax",
        read: |call| callpact(call, &Policy::lax()),
    },
    Reader {
        name: "callpact, repair",
        read: |call| callpact(call, &Policy::repair()),
    },
    Reader {
        name: "serde's derive",
        read: serde,
    },
    Reader {
        name: "jsonschema",
        read: jsonschema,
    },
    Reader {
        name: "rmcp",
        read: rmcp,
    },
    Reader {
        name: "rig",
        read: rig,
    },
];

fn callpact(call: &Call, policy: &Policy) -> Result<Value, String> {
    match read_foreign(&call.arguments, &call.foreign, policy) {
        Ok(read) => Ok(read.value),
        Err(report) => Err(report.with_excerpt(call.foreign.tree())),
    }
}

fn serde(call: &Call) -> Result<Value, String> {
    Arguments::are(&call.shape);
    let read = serde_json::from_str::<Arguments>(&call.arguments);
    read.map(|read| read.0).map_err(|error| error.to_string())
}

fn jsonschema(call: &Call) -> Result<Value, String> {
    let value: Value = serde_json::from_str(&call.arguments).map_err(|error| error.to_string())?;
    let faults: Vec<String> = call
        .validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if faults.is_empty() {
        Ok(value)
    } else {
        Err(faults.join("\n"))
    }
}

/// A request's arguments are an object, and the object becomes the type.
fn rmcp(call: &Call) -> Result<Value, String> {
    Arguments::are(&call.shape);
    let object: JsonObject =
        serde_json::from_str(&call.arguments).map_err(|error| error.to_string())?;
    let read = parse_json_object::<Arguments>(object);
    read.map(|read| read.0)
        .map_err(|error| error.message.into_owned())
}

/// The provider's text becomes a map, the map a text again, and a typed tool reads that.
fn rig(call: &Call) -> Result<Value, String> {
    Arguments::are(&call.shape);
    let name = ToolName::new("takes").expect("not empty");
    let function = ToolFunction::parse(name, &call.arguments);
    let text = function.arguments_value().to_string();
    let tool = Takes::default();
    let result = crate::now::now(tool.execute(text, &mut ToolContext::new()));
    match (
        tool.0.into_inner().expect("nobody panics with it"),
        result.error(),
    ) {
        (Some(value), None) => Ok(value),
        (_, error) => Err(error.map_or_else(String::new, |error| error.message().to_string())),
    }
}

/// A typed tool that keeps what it got.
#[derive(Default)]
struct Takes(Mutex<Option<Value>>);

impl Tool for Takes {
    const NAME: &'static str = "takes";
    type Args = Arguments;
    type Output = &'static str;
    type Error = Infallible;

    fn description(&self) -> String {
        "Takes its input.".to_owned()
    }
    fn parameters(&self) -> Value {
        schema_for!(Arguments).to_value()
    }
    async fn call(
        &self,
        _: &mut ToolContext,
        input: Arguments,
    ) -> Result<&'static str, Infallible> {
        *self.0.lock().expect("nobody panics with it") = Some(input.0);
        Ok("ok")
    }
}
