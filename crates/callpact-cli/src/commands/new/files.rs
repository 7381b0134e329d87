//! The files of a new crate.

use std::{fmt::Write as _, path::Path};

use super::CrateKind;

const LIB: &str = include_str!("files/lib.rs.txt");
const MCP_MAIN: &str = include_str!("files/mcp_main.rs.txt");
const MCP_TEST: &str = include_str!("files/mcp_test.rs.txt");
const WORKER_MAIN: &str = include_str!("files/worker_main.rs.txt");
const WORKER_TEST: &str = include_str!("files/worker_test.rs.txt");

/// A new crate.
pub(super) struct NewProject<'a> {
    pub(super) name: &'a str,
    pub(super) kind: CrateKind,
    /// The checkout whose crates it uses.
    pub(super) checkout: Option<&'a Path>,
}

impl NewProject<'_> {
    /// The files with their texts.
    pub(super) fn files(&self) -> Vec<(&'static str, String)> {
        let mut files = vec![
            ("Cargo.toml", self.manifest()),
            (".gitignore", "/target\n".to_owned()),
            ("README.md", self.readme()),
            ("src/lib.rs", self.fill(LIB)),
        ];
        match self.kind {
            CrateKind::Tools => {}
            CrateKind::Mcp => {
                files.push(("src/main.rs", self.fill(MCP_MAIN)));
                files.push(("tests/served.rs", self.fill(MCP_TEST)));
            }
            CrateKind::Worker => {
                files.push(("src/main.rs", self.fill(WORKER_MAIN)));
                files.push(("tests/started.rs", self.fill(WORKER_TEST)));
            }
        }
        files
    }

    fn fill(&self, text: &str) -> String {
        let module = self.name.replace('-', "_");
        text.replace("NAME", self.name).replace("MODULE", &module)
    }

    fn manifest(&self) -> String {
        let mut text = format!(
            "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n",
            self.name
        );
        let used: &[&str] = match self.kind {
            CrateKind::Tools => &["callpact"],
            CrateKind::Mcp => &["callpact", "callpact-mcp"],
            CrateKind::Worker => &["callpact", "callpact-nats"],
        };
        for name in used {
            let _ = writeln!(text, "{name} = {}", self.dependency(name));
        }
        let tokio = r#"tokio = { version = "1", features = ["macros", "rt-multi-thread"] }"#;
        let heading = match self.kind {
            CrateKind::Tools => "\n[dev-dependencies]\n",
            CrateKind::Mcp | CrateKind::Worker => "",
        };
        text + heading + tokio + "\n"
    }

    /// The version of a crate, or its place in a checkout.
    fn dependency(&self, name: &str) -> String {
        match self.checkout {
            None => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
            Some(checkout) => {
                let path = checkout.join("crates").join(name);
                let path = toml::Value::from(path.display().to_string());
                format!("{{ path = {path} }}")
            }
        }
    }

    fn readme(&self) -> String {
        let name = self.name;
        let how = match self.kind {
            CrateKind::Tools => {
                "`tools()` in `src/lib.rs` is the list of tools. Give it to your agent, or serve it: \
                 `callpact new --kind mcp` shows how.\n"
                    .to_owned()
            }
            CrateKind::Mcp => format!(
                "A host starts the program itself. Most hosts read a file like\n\n```json\n{{\"mcpServers\": \
                 {{\"{name}\": {{\"command\": \"/path/to/{name}/target/release/{name}\"}}}}}}\n```\n\nWithout a \
                 host: `callpact mcp -- target/debug/{name}`.\n"
            ),
            CrateKind::Worker =>
                "`cargo run -- nats://127.0.0.1:4222` takes calls until it is interrupted; `callpact list --nats \
                 nats://127.0.0.1:4222` lists the tools of all workers.\n".to_owned(),
        };
        format!(
            "# {name}\n\nTools for agents, made with Callpact.\n\n{how}\n`cargo test` tests the tools.\n"
        )
    }
}
