//! Arguments from text to a typed value.

use std::{hint::black_box, marker::PhantomData, rc::Rc};

use jsonschema::Validator;
use rig_agent::tool::{ErasedTool, ToolContext};
use rig_core::message::{ToolFunction, ToolName};
use rmcp::{handler::server::tool::parse_json_object, model::JsonObject};
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;
use callpact::{Policy, ToolInput, read_str};
use callpact_bench::{long_text, many_items, nested};

use crate::{
    now::now,
    rig::Takes,
    types::{FAULTS, Order, Search, WriteFile},
    way::Way,
    work::{Reader, Work, one},
};

/// A type that all peers can read.
trait Shape: DeserializeOwned + JsonSchema + ToolInput + Send + Sync + 'static {}
impl<T: DeserializeOwned + JsonSchema + ToolInput + Send + Sync + 'static> Shape for T {}

/// The work of reading one input.
pub fn reading(row: &str, way: Way) -> Option<Work> {
    let (text, read, good) = match row {
        "nested-200B" => (nested(), reader::<Search>(way)?, true),
        "string-200kB" => (long_text(None), reader::<WriteFile>(way)?, true),
        "items-2000" => (many_items(), reader::<Order>(way)?, true),
        "faults-7" => (FAULTS.to_owned(), reader::<Search>(way)?, false),
        _ => return None,
    };
    assert_eq!(read(&text).is_ok(), good, "{row} by {}", way.name());
    Some(Box::new(move || drop(black_box(read(black_box(&text))))))
}

/// The reply that a model gets for [`FAULTS`].
pub fn told(way: Way) -> Option<(usize, String)> {
    reader::<Search>(way)?(FAULTS).err()
}

#[cfg_attr(
    feature = "autoagents",
    expect(
        clippy::unnecessary_wraps,
        reason = "without the feature there is none of AutoAgents"
    )
)]
fn reader<T: Shape>(way: Way) -> Option<Reader> {
    Some(match way {
        Way::Callpact => Box::new(|text| match read_str::<T>(text, &Policy::lax()) {
            Ok(read) => {
                black_box(read);
                Ok(())
            }
            Err(report) => Err((report.count(), report.to_string())),
        }),
        Way::Serde => Box::new(|text| {
            black_box(serde_json::from_str::<T>(text).map_err(one)?);
            Ok(())
        }),
        Way::Sonic => Box::new(|text| {
            black_box(sonic_rs::from_str::<T>(text).map_err(one)?);
            Ok(())
        }),
        Way::Rig => Box::new(|text| rig::<T>(text.to_owned())),
        Way::RigAgent => {
            let name = ToolName::new("takes").expect("not empty");
            Box::new(move |text| {
                let call = ToolFunction::parse(name.clone(), text);
                rig::<T>(call.arguments_value().to_string())
            })
        }
        Way::Rmcp => Box::new(|text| {
            let object: JsonObject = serde_json::from_str(text).map_err(one)?;
            black_box(parse_json_object::<T>(object).map_err(|error| one(error.message))?);
            Ok(())
        }),
        #[cfg(feature = "autoagents")]
        Way::AutoAgents => crate::autoagents::reader::<T>(),
        #[cfg(feature = "autoagents")]
        Way::AutoAgentsAgent => crate::autoagents::agent::<T>(),
        #[cfg(not(feature = "autoagents"))]
        Way::AutoAgents | Way::AutoAgentsAgent => return None,
        Way::JsonSchema => {
            let schema = schema_for!(T).to_value();
            let validator = Rc::new(jsonschema::validator_for(&schema).expect("a schema"));
            Box::new(move |text| validated::<T>(text, &validator))
        }
    })
}

fn rig<T: Shape>(arguments: String) -> Result<(), (usize, String)> {
    let tool = Takes::<T>(PhantomData);
    let result = now(tool.execute(arguments, &mut ToolContext::new()));
    match result.error() {
        None => Ok(()),
        Some(error) => Err(one(error.message())),
    }
}

fn validated<T: Shape>(text: &str, validator: &Validator) -> Result<(), (usize, String)> {
    let value: Value = serde_json::from_str(text).map_err(one)?;
    let faults: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if !faults.is_empty() {
        return Err((faults.len(), faults.join("\n")));
    }
    black_box(serde_json::from_value::<T>(value).map_err(one)?);
    Ok(())
}
