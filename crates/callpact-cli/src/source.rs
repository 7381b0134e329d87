//! The source of a command's tools: the built-in ones, a file, standard input, or MCP servers.

use std::{path::PathBuf, pin::pin};

use callpact::{Dialect, Halt, ToolSpec, Toolset};
use callpact_mcp::client::McpClient;
use clap::Args;

use crate::{
    api::ApiArgs,
    exit::Failure,
    listed::{ListedTool, read_listed},
    screen::Ink,
    servers::{FileServers, WAIT, WantedServers, open_all},
    session::{Session, check_switched_on},
    system::interrupted,
};

/// Where the tools come from, if they are not the built-in ones.
#[derive(Clone, Debug, Default, Args)]
pub struct Source {
    /// Take the tools of a JSON file instead: one schema, or a provider's list of tools; - is standard input
    #[arg(long = "from", value_name = "FILE", conflicts_with = "server")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub api: ApiArgs,
    /// Take the tools of an MCP server instead: its program with arguments, or its address
    #[arg(last = true, value_name = "COMMAND OR URL")]
    pub server: Vec<String>,
}

/// The tools of a source, and the parts that keep them usable.
pub(crate) struct SourceTools {
    pub(crate) tools: Toolset,
    built_in: bool,
    clients: Vec<McpClient>,
    listed: Vec<ListedTool>,
}

impl Source {
    /// Whether the tools are those of MCP servers.
    pub(crate) fn is_of_servers(&self, servers: Option<&FileServers>) -> bool {
        let named = !self.server.is_empty() || servers.is_some();
        named && self.file.is_none() && !self.api.is_given()
    }

    /// The servers that the command line names.
    pub(crate) fn wanted(&self) -> WantedServers<'_> {
        WantedServers {
            target: &self.server,
            token_env: None,
            wait: WAIT,
        }
    }

    /// Opens the source.
    ///
    /// # Errors
    /// If a file cannot be read or is not a list of tools, or a server cannot be used.
    pub(crate) async fn open(
        &self,
        root: Option<&std::path::Path>,
        servers: Option<FileServers>,
        session: &Session,
    ) -> Result<SourceTools, Failure> {
        if let Some(file) = &self.file {
            let (listed, left_out) = read_listed(file)?;
            for entry in left_out {
                session.screen.say(Ink::Yellow, "left out", &entry);
            }
            let tools = listed.iter().map(|listed| listed.tool.clone());
            let tools = session.bounded().tools(tools.collect::<Vec<_>>());
            return Ok(SourceTools {
                listed,
                ..SourceTools::new(tools.build().map_err(Failure::failed)?)
            });
        }
        if let Some(tools) = self.api.open(session)? {
            return Ok(SourceTools::new(tools));
        }
        if self.server.is_empty() && servers.is_none() {
            let tools = session.tools(&session.root(root))?;
            return Ok(SourceTools {
                built_in: true,
                ..SourceTools::new(tools)
            });
        }
        let wanted = self.wanted();
        let chosen = wanted.choose(servers)?;
        // An interrupt of the terminal does not reach a started server, so the server is ended here.
        let mut interrupted = pin!(interrupted());
        let (clients, failures) = tokio::select! {
            opened = open_all(chosen, wanted.wait, session) => opened,
            () = &mut interrupted => return Err(Halt::Cancelled.into()),
        };
        if let Some(failure) = failures.into_iter().next() {
            close(&clients).await;
            return Err(failure);
        }
        match tools_of(&clients, session) {
            Ok(tools) => Ok(SourceTools {
                clients,
                ..SourceTools::new(tools)
            }),
            Err(failure) => {
                close(&clients).await;
                Err(failure)
            }
        }
    }
}

/// The tools that servers list.
fn tools_of(clients: &[McpClient], session: &Session) -> Result<Toolset, Failure> {
    let mut tools = session.bounded();
    for client in clients {
        for left in client.unusable() {
            let text = format!("{}: {}", left.tool, left.reason);
            session.screen.say(Ink::Yellow, "left out", &text);
        }
        tools = tools.tools(client.tools());
    }
    tools.build().map_err(Failure::failed)
}

impl SourceTools {
    fn new(tools: Toolset) -> Self {
        Self {
            tools,
            built_in: false,
            clients: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// Whether these are the tools of this program.
    pub(crate) fn is_built_in(&self) -> bool {
        self.built_in
    }

    /// Whether nothing runs these tools: a file only lists their parameters.
    pub(crate) fn is_list(&self) -> bool {
        !self.listed.is_empty()
    }

    /// Fails if a built-in tool exists but the settings leave it out.
    pub(crate) fn check_switched_on(&self, tool: &str) -> Result<(), Failure> {
        if self.is_built_in() {
            check_switched_on(&self.tools, tool)
        } else {
            Ok(())
        }
    }

    /// The tools as they would go to a provider. Those of a file are unchanged.
    pub(crate) fn specs(&self, dialect: Dialect) -> Vec<ToolSpec> {
        if self.listed.is_empty() {
            return self.tools.spec_list(dialect);
        }
        let listed = self.listed.iter().filter_map(|listed| {
            let mut spec = self.tools.spec(listed.name(), Dialect::Portable)?;
            spec.parameters.clone_from(&listed.parameters);
            spec.dialect = dialect;
            Some(spec)
        });
        listed.collect()
    }

    /// Ends the servers.
    pub(crate) async fn close(self) {
        close(&self.clients).await;
    }
}

async fn close(clients: &[McpClient]) {
    for client in clients {
        client.close().await;
    }
}
