//! `callpact list`.

use callpact::{Dialect, ToolSpec, Toolset};
use clap::Args;
use serde_json::json;

use crate::{
    exit::{Code, Failure},
    remote::{Remote, one_source},
    screen::Screen,
    session::Session,
    source::Source,
};

/// Arguments of `list`.
#[derive(Debug, Args)]
#[command(group = one_source(), after_long_help = "Examples:
  callpact list
  callpact list --json
  callpact list --openapi github.json --tag issues
  callpact list --nats nats://127.0.0.1:4222")]
pub struct ListArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub source: Source,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub remote: Remote,
}

/// Prints the tools.
///
/// # Errors
/// If the tools cannot be set up, or there is no worker.
pub async fn run(args: &ListArgs, session: &Session) -> Result<Code, Failure> {
    if let Some(tools) = args.remote.tools(session).await? {
        print_tools(&tools, &session.screen);
        return Ok(Code::Done);
    }
    let source = args.source.open(None, None, session).await?;
    print_tools(&source.tools, &session.screen);
    source.close().await;
    Ok(Code::Done)
}

/// Prints one line for each tool, or JSON.
pub(super) fn print_tools(tools: &Toolset, screen: &Screen) {
    let specs = tools.spec_list(Dialect::Portable);
    if screen.json() {
        let list: Vec<_> = specs
            .iter()
            .map(|spec| {
                json!({
                    "name": spec.name,
                    "permission": spec.permission,
                    "description": spec.description,
                    "parameters": serde_json::from_str::<serde_json::Value>(&spec.parameters)
                        .unwrap_or_default(),
                })
            })
            .collect();
        screen.print_json(&json!({ "tools": list }));
        return;
    }
    let width = |of: fn(&ToolSpec) -> usize| specs.iter().map(of).max().unwrap_or(0);
    let name = width(|spec| spec.name.len());
    let permission = width(|spec| spec.permission.name().len());
    for spec in &specs {
        let first = spec.description.split_inclusive(". ").next().unwrap_or("");
        screen.print_line(&format!(
            "{:name$}  {:permission$}  {}",
            spec.name,
            spec.permission.name(),
            first.trim()
        ));
    }
}
