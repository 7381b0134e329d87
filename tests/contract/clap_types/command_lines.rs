//! Five command lines in the manner of real tools.

use std::path::PathBuf;

use callpact::ToolInput;
use clap::{
    ArgAction, Args, Parser, Subcommand, ValueEnum, builder::PossibleValuesParser, value_parser,
};

/// When something is coloured
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum, ToolInput)]
#[value(rename_all = "kebab-case")]
pub(super) enum When {
    Always,
    Never,
    /// At a terminal
    #[value(alias = "tty")]
    IfTerminal,
}

/// Searches files for a pattern
#[derive(Debug, PartialEq, Parser, ToolInput)]
#[command(name = "seek", version, about = "Searches files for a pattern")]
pub(super) struct Seek {
    /// The pattern
    pub(super) pattern: String,
    /// Where to search
    pub(super) paths: Vec<PathBuf>,
    /// Ignore case
    #[arg(short, long)]
    pub(super) ignore_case: bool,
    /// Lines around a match
    #[arg(short = 'C', long, default_value_t = 0, value_parser = value_parser!(u16).range(..=100))]
    pub(super) context: u16,
    /// The most matches of a file
    #[arg(short, long = "max-count", value_name = "NUM", value_parser(value_parser!(u32).range(1..)))]
    pub(super) most: Option<u32>,
    /// When to colour
    #[arg(long, value_enum, default_value = "if-terminal")]
    pub(super) color: When,
    /// Globs of file names
    #[arg(short, long = "glob", num_args = 1)]
    pub(super) globs: Vec<String>,
    /// How much to report
    #[arg(short, long, action = ArgAction::Count)]
    pub(super) verbose: u8,
    /// Do not read ignore files
    #[arg(long = "no-ignore", action = ArgAction::SetFalse)]
    pub(super) use_ignore_files: bool,
    #[arg(long, hide = true, default_value = "4", value_parser = value_parser!(u8).range(1..65))]
    pub(super) threads: u8,
}

/// Builds a package
#[derive(Debug, PartialEq, Parser, ToolInput)]
pub(super) struct Build {
    #[command(flatten)]
    pub(super) selection: Selection,
    /// Optimise
    #[arg(short, long)]
    pub(super) release: bool,
    /// Parallel jobs
    #[arg(short, long, value_parser = value_parser!(i16).range(-8..=64))]
    pub(super) jobs: Option<i16>,
    /// The form of messages
    #[arg(long, value_parser = ["human", "short", "json"], default_value = "human")]
    pub(super) message_format: String,
    /// Features
    #[arg(short = 'F', long, value_delimiter = ',', default_values = ["std", "derive"])]
    pub(super) features: Vec<String>,
    /// Ports that the tests may use
    #[arg(long, default_values_t = [8000, 8001])]
    pub(super) ports: Vec<u16>,
    #[arg(skip = true)]
    pub(super) fresh: bool,
}

/// What to build
#[derive(Debug, PartialEq, Args, ToolInput)]
pub(super) struct Selection {
    /// The package
    #[arg(short, long)]
    pub(super) package: Option<String>,
    /// The targets
    #[arg(long, required = true)]
    pub(super) target: Vec<String>,
}

/// Sends a request
#[derive(Debug, PartialEq, Parser, ToolInput)]
#[tool_input(validate = check_fetch)]
pub(super) struct Fetch {
    /// The address
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(super) url: String,
    /// The method
    #[arg(short = 'X', long, value_parser = PossibleValuesParser::new(["GET", "POST", "PUT"]), default_value = "GET")]
    pub(super) request: String,
    /// The body
    #[arg(short, long, conflicts_with = "upload")]
    pub(super) data: Option<String>,
    /// A file as the body
    #[arg(short = 'T', long)]
    pub(super) upload: Option<PathBuf>,
    /// Seconds
    #[arg(short, long, default_value_t = 30.5)]
    pub(super) max_time: f64,
    /// Retries
    #[arg(long, default_value_t = Fetch::RETRIES, value_parser = value_parser!(u8).range(0..=9))]
    pub(super) retry: u8,
    /// Headers
    #[arg(short = 'H', long = "header", alias = "field")]
    pub(super) headers: Vec<String>,
}

impl Fetch {
    const RETRIES: u8 = 3;
}

fn check_fetch(fetch: &Fetch) -> Result<(), &'static str> {
    if fetch.data.is_some() && fetch.upload.is_some() {
        return Err("`data` and `upload` exclude each other");
    }
    Ok(())
}

/// The quality of pictures
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum, ToolInput)]
#[clap(rename_all = "UPPER")]
pub(super) enum Codec {
    #[default]
    H264,
    Av1,
    #[value(name = "vp9")]
    Vp9,
    #[value(skip)]
    #[allow(dead_code)]
    Raw,
}

/// Converts a film
#[derive(Debug, PartialEq, Parser, ToolInput)]
pub(super) struct Convert {
    /// The film
    #[arg(short, long, required = true)]
    pub(super) input: PathBuf,
    /// The codec
    #[arg(long, value_enum, default_value_t)]
    pub(super) codec: Codec,
    /// The quality, smaller is better
    #[arg(long, help = "The quality, 0 is the best", value_parser = value_parser!(i32).range(0..52))]
    pub(super) crf: i32,
    /// Seconds to leave out
    #[arg(long, allow_negative_numbers = true)]
    pub(super) skip_seconds: Option<f32>,
    /// The output
    pub(super) output: PathBuf,
    /// Overwrite it
    #[arg(short = 'y', long)]
    pub(super) overwrite: bool,
}

/// Keeps notes
#[derive(Debug, PartialEq, Parser, ToolInput)]
pub(super) struct Notes {
    /// The file of notes
    #[arg(long, global = true, default_value = "notes.db")]
    pub(super) file: PathBuf,
    #[command(subcommand)]
    pub(super) command: NoteCommand,
}

#[derive(Debug, PartialEq, Subcommand, ToolInput)]
pub(super) enum NoteCommand {
    /// Adds a note
    AddNote {
        /// The text
        text: String,
        /// Words to find it by
        #[arg(short, long)]
        tag: Vec<String>,
        /// From 1 to 5
        #[arg(long, default_value_t = 3, value_parser = value_parser!(u8).range(1..=5))]
        weight: u8,
    },
    /// Removes notes
    #[command(name = "rm", visible_alias = "delete")]
    Remove(RemoveArgs),
    /// Lists all
    List,
}

#[derive(Debug, PartialEq, Args, ToolInput)]
pub(super) struct RemoveArgs {
    /// Which notes
    #[arg(required = true)]
    pub(super) ids: Vec<u32>,
    /// Ask nobody
    #[arg(long)]
    pub(super) force: bool,
}
