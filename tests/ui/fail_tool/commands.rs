use callpact::{CommandTool, CommandTools, ToolContext};

#[derive(CommandTools)]
enum NoTools {
    /// Adds a note
    Add { text: String },
}

#[derive(CommandTools)]
struct Cli {
    verbose: bool,
}

#[derive(CommandTools)]
enum Commands {
    #[tool(read_only)]
    Find { words: Vec<String> },
    /// Adds a note
    #[tool]
    Add(Note),
}

struct Note;

impl CommandTool for Commands {
    type Output = String;

    async fn run(self, _: &ToolContext) -> String {
        String::new()
    }
}

fn main() {}
