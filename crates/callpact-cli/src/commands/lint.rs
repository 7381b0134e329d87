//! `callpact lint`.

use callpact::{
    Dialect,
    adapter::{Lint, Severity},
};
use clap::Args;
use serde_json::json;

use crate::{
    dialects::DialectParser,
    exit::{Code, Failure},
    servers::FileServers,
    session::Session,
    source::Source,
};

/// Arguments of `lint`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  callpact lint
  callpact lint --dialect openai-strict --json
  callpact lint --from schema.json --dialect gemini
  callpact lint -- npx some-mcp-server

The tools of a file are judged as they stand there, others as this program would send them.")]
pub struct LintArgs {
    /// The provider's dialect; all of them without it
    #[arg(long, short, value_parser = DialectParser)]
    pub dialect: Option<Dialect>,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub source: Source,
}

/// Prints what providers would reject or ignore.
///
/// # Errors
/// If the tools cannot be set up.
pub async fn run(
    args: &LintArgs,
    servers: Option<FileServers>,
    session: &Session,
) -> Result<Code, Failure> {
    let source = args.source.open(None, servers, session).await?;
    let dialects = match args.dialect {
        Some(dialect) => vec![dialect],
        None => Dialect::ALL.to_vec(),
    };
    let mut found: Vec<(Dialect, Lint)> = Vec::new();
    for dialect in &dialects {
        for spec in source.specs(*dialect) {
            found.extend(spec.lint().into_iter().map(|lint| (*dialect, lint)));
        }
    }
    let count = |severity| {
        found
            .iter()
            .filter(|(_, lint)| lint.severity == severity)
            .count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let screen = &session.screen;
    if screen.json() {
        let list: Vec<_> = found
            .iter()
            .map(|(dialect, lint)| json!({"dialect": dialect.to_string(), "lint": lint}))
            .collect();
        screen.print_json(&json!({"errors": errors, "warnings": warnings, "found": list}));
    } else {
        for (dialect, lint) in &found {
            screen.print(&format!("{dialect}: {lint}"));
        }
        screen.print(&format!(
            "{} tools, {} dialects: {errors} errors, {warnings} warnings",
            source.tools.len(),
            dialects.len()
        ));
    }
    source.close().await;
    Ok(if errors == 0 {
        Code::Done
    } else {
        Code::Failed
    })
}
