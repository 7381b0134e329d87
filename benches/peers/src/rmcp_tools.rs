//! Tools as users of rmcp write them.

use std::hint::black_box;

use rmcp::{
    RoleServer, ServerHandler,
    handler::server::{
        tool::{ToolRoute, ToolRouter, schema_for_input},
        wrapper::Parameters,
    },
    model::{RequestId, Tool},
    service::{RequestContext, serve_directly},
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// A server with only tools.
pub struct Server;

impl ServerHandler for Server {}

/// A router of tools with these names.
pub fn router<T>(names: &[String]) -> ToolRouter<Server>
where
    T: DeserializeOwned + JsonSchema + Send + 'static,
{
    names.iter().fold(ToolRouter::new(), |router, name| {
        let schema = schema_for_input::<T>().expect("an object");
        let tool = Tool::new(name.clone(), "Takes its input.", schema);
        router.with_route(ToolRoute::new(tool, |Parameters(input): Parameters<T>| {
            black_box(input);
            "ok".to_owned()
        }))
    })
}

/// The context of every request on a connection.
pub fn request_context() -> RequestContext<RoleServer> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let _inside = runtime.enter();
    let (here, _) = tokio::io::duplex(64);
    let running = serve_directly(Server, here, None);
    RequestContext::new(RequestId::Number(1), running.peer().clone())
}
