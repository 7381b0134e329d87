//! `toolwright lint`.

use clap::Args;
use serde_json::json;
use toolwright::{
    Dialect,
    adapter::{Lint, Severity},
};

use crate::{
    dialects::DialectParser,
    exit::{Code, Failure},
    session::Session,
};

/// Arguments of `lint`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  toolwright lint\n  toolwright lint --dialect openai-strict --json"
)]
pub struct LintArgs {
    /// The provider's dialect; all of them without it
    #[arg(long, short, value_parser = DialectParser)]
    pub dialect: Option<Dialect>,
}

/// Prints what providers would reject or ignore.
///
/// # Errors
/// If the tools cannot be set up.
pub fn run(args: &LintArgs, session: &Session) -> Result<Code, Failure> {
    let tools = session.tools(&session.root(None))?;
    let dialects = match args.dialect {
        Some(dialect) => vec![dialect],
        None => Dialect::ALL.to_vec(),
    };
    let mut found: Vec<(Dialect, Lint)> = Vec::new();
    for dialect in &dialects {
        for spec in tools.spec_list(*dialect) {
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
            tools.len(),
            dialects.len()
        ));
    }
    Ok(if errors == 0 {
        Code::Done
    } else {
        Code::Failed
    })
}
