//! `callpact schema`.

use callpact::{
    Dialect,
    schema::{gbnf_of_calls, lark_of_calls, pretty},
};
use clap::{Args, ValueEnum};
use clap_complete::ArgValueCandidates;

use crate::{
    complete,
    config::no_such_tool,
    dialects::DialectParser,
    exit::{Code, Failure},
    servers::FileServers,
    session::Session,
    source::{Source, SourceTools},
};

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  callpact schema file_write\n  callpact schema file_write --dialect anthropic --request\n  callpact schema get_weather --from tools.json --dialect openai-strict\n  callpact schema --grammar gbnf --from tools.json"
)]
pub struct SchemaArgs {
    /// The tool; with --grammar, all tools without it
    #[arg(add = ArgValueCandidates::new(complete::tool_names), required_unless_present = "grammar")]
    pub tool: Option<String>,
    /// The provider's dialect, such as openai-strict, anthropic or gemini
    #[arg(long, short, default_value = "portable", value_parser = DialectParser)]
    pub dialect: Dialect,
    /// Print the whole entry of a request's tool list, not only the parameters
    #[arg(long)]
    pub request: bool,
    /// Print a grammar for an engine that runs a model: of the arguments of the tool, or of calls to all tools
    #[arg(long, value_name = "SYNTAX", conflicts_with_all = ["dialect", "request"])]
    pub grammar: Option<GrammarSyntax>,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub source: Source,
}

/// The syntax of a grammar.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[non_exhaustive]
pub enum GrammarSyntax {
    /// llguidance
    Lark,
    /// llama.cpp
    Gbnf,
}

/// Prints a schema.
///
/// # Errors
/// If there is no such tool.
pub async fn run(
    args: &SchemaArgs,
    servers: Option<FileServers>,
    session: &Session,
) -> Result<Code, Failure> {
    let source = args.source.open(None, servers, session).await?;
    let printed = print_schema(args, &source, session);
    source.close().await;
    printed
}

fn print_schema(
    args: &SchemaArgs,
    source: &SourceTools,
    session: &Session,
) -> Result<Code, Failure> {
    let (tools, screen) = (&source.tools, &session.screen);
    let trees = tools
        .names()
        .filter_map(|name| Some((name, tools.parameters(name)?.tree())));
    let Some(tool) = &args.tool else {
        let grammar = match args.grammar {
            Some(GrammarSyntax::Gbnf) => gbnf_of_calls(trees),
            Some(GrammarSyntax::Lark) | None => lark_of_calls(trees),
        };
        screen.print(grammar.trim_end());
        return Ok(Code::Done);
    };
    source.check_switched_on(tool)?;
    let (Some(spec), Some(parameters)) = (tools.spec(tool, args.dialect), tools.parameters(tool))
    else {
        return Err(Failure::invalid(no_such_tool(
            tool,
            tools.names().collect::<Vec<_>>().into_iter(),
        )));
    };
    let text = match args.grammar {
        Some(GrammarSyntax::Lark) => parameters.tree().to_lark(),
        Some(GrammarSyntax::Gbnf) => parameters.tree().to_gbnf(),
        None if args.request => spec.to_json(),
        None => spec.parameters,
    };
    if args.grammar.is_some() {
        screen.print(text.trim_end());
    } else if screen.json() {
        screen.print(&text);
    } else {
        screen.print(&pretty(&text));
    }
    Ok(Code::Done)
}
