//! The commands of a command line as tools.

use std::future::Future;

use super::Tools;
use crate::tool::{IntoToolResult, ToolContext};

/// What the commands of a command line do, for people and as tools.
///
/// ```
/// use clap::{Parser, Subcommand};
/// use callpact::{CommandTool, CommandTools, ToolContext, Toolset};
///
/// #[derive(Subcommand, CommandTools)]
/// enum Commands {
///     /// Counts the words of a text
///     #[tool(read_only)]
///     Count {
///         /// The text
///         text: String,
///         /// The shortest word that counts
///         #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=20))]
///         min_length: u32,
///     },
///     /// Prints the manual
///     Manual,
/// }
///
/// impl CommandTool for Commands {
///     type Output = String;
///
///     async fn run(self, _: &ToolContext) -> String {
///         match self {
///             Self::Count { text, min_length } => {
///                 let is_long = |word: &&str| word.len() >= min_length as usize;
///                 text.split_whitespace().filter(is_long).count().to_string()
///             }
///             Self::Manual => "…".to_owned(),
///         }
///     }
/// }
///
/// #[derive(Parser)]
/// struct Cli {
///     #[command(subcommand)]
///     command: Commands,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // For people.
/// let cli = Cli::try_parse_from(["words", "count", "one fine day"])?;
/// assert_eq!(cli.command.run(&ToolContext::new()).await, "3");
/// // For models.
/// let tools = Toolset::builder().tools(Commands::tools()).build()?;
/// assert!(tools.names().eq(["count"]));
/// # Ok(())
/// # }
/// ```
pub trait CommandTool: Sized + Send {
    /// What every command returns.
    type Output: IntoToolResult;

    /// Runs a command.
    fn run(self, cx: &ToolContext) -> impl Future<Output = Self::Output> + Send;
}

/// The commands of a command line that are tools. [`derive(CommandTools)`](macro@crate::CommandTools) implements it.
pub trait CommandTools: CommandTool {
    /// The tools.
    fn tools() -> Tools;
}
