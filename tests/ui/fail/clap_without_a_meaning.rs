use callpact::ToolInput;

#[derive(ToolInput)]
enum Level {
    Low,
    High,
}

#[derive(ToolInput)]
#[group(required = true)]
struct Convert {
    #[arg(long, conflicts_with = "output")]
    input: Option<String>,
    #[arg(value_parser = parse_seconds)]
    seconds: u32,
    #[arg(value_parser = clap::value_parser!(u16).range(MIN..))]
    port: u16,
    #[arg(num_args = 2..=4)]
    corners: Vec<f64>,
    #[arg(default_value = "many")]
    count: u8,
    #[arg(default_value = "low")]
    level: Level,
    #[arg(help = HELP)]
    output: String,
    #[arg(from_global)]
    verbose: bool,
    #[arg(parse(from_str))]
    old: String,
    #[arg(action = clap::ArgAction::Version)]
    version: bool,
}

#[derive(ToolInput)]
#[command(rename_all = "title")]
enum Command {
    Add,
    #[command(external_subcommand)]
    Other(Vec<String>),
}

fn main() {}
