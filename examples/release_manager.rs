//! A release manager: ten tools over git, a changelog and a registry, unchanged in three hosts, a server and the desk.
//!
//! `cargo run --example release_manager -p callpact-examples` shows the hosts. With `-- --stdio` it is a server for a
//! host to start; with `-- --desk` people try the tools on a page and decide about calls.

#[path = "release_manager/hosts.rs"]
mod hosts;
#[path = "release_manager/registry.rs"]
mod registry;
#[path = "release_manager/tools.rs"]
mod tools;

use callpact::{ToolContext, Toolset, secret::MemorySecrets};
use callpact_desk::Desk;
use callpact_mcp::tool_server;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let release = tools::Release::sample(dir.path().to_owned(), registry::start()?)?;
    let tools = Toolset::builder().tools(release).build()?;
    let cx =
        ToolContext::new().with_secrets(MemorySecrets::new().with("registry", registry::TOKEN));
    match std::env::args().nth(1).as_deref() {
        Some("--stdio") => {
            let server = tool_server!(tools, cx).host_confirms();
            server.serve_stdio().await?;
        }
        Some("--desk") => {
            let desk = Desk::new(tools, cx).named("release manager");
            let server = desk.bind("127.0.0.1:0".parse()?).await?;
            println!("{}", server.url()?);
            server.run().await?;
        }
        _ => {
            hosts::async_openai(&tools, &cx).await?;
            hosts::rig(&tools, &cx).await?;
            hosts::mcp(&tools, &cx).await?;
        }
    }
    Ok(())
}
