//! The tools of workers on other machines.

use std::{path::PathBuf, time::Duration};

use callpact::Toolset;
use callpact_nats::{ConnectOptions, NatsError, Server, Workers, WorkersConfig};
use clap::{ArgGroup, Args};

use crate::{exit::Failure, screen::Ink, session::Session};

/// How long the program waits for a server.
const CONNECT: Duration = Duration::from_secs(10);

/// The tools come from one place: `--nats` with an argument that names another place is a mistake.
pub(crate) fn one_place() -> [ArgGroup; 2] {
    [one_source(), one_directory()]
}

/// The tools of a command without a directory come from one place.
pub(crate) fn one_source() -> ArgGroup {
    ArgGroup::new("place").args(["nats", "file", "openapi", "server"])
}

/// A worker has its own directory.
pub(crate) fn one_directory() -> ArgGroup {
    ArgGroup::new("directory").args(["nats", "root"])
}

/// Where workers are found.
#[derive(Clone, Debug, Default, Args)]
pub struct Remote {
    /// Use the tools of workers at a NATS server, such as `nats://127.0.0.1:4222`
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub access: Access,
}

/// How a NATS server is used.
#[derive(Clone, Debug, Args)]
pub struct Access {
    /// What names at the NATS server begin with
    #[arg(
        long,
        value_name = "PREFIX",
        default_value = "callpact",
        requires = "nats"
    )]
    pub nats_prefix: String,
    /// A file with credentials for the NATS server
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub nats_creds: Option<PathBuf>,
}

impl Default for Access {
    fn default() -> Self {
        Self {
            nats_prefix: "callpact".to_owned(),
            nats_creds: None,
        }
    }
}

impl Access {
    /// The server at an address.
    ///
    /// # Errors
    /// If the file of credentials cannot be read.
    pub(crate) async fn server(&self, url: &str) -> Result<Server, Failure> {
        let options = ConnectOptions::new().connection_timeout(CONNECT);
        let options = match &self.nats_creds {
            None => options,
            Some(file) => options
                .credentials_file(file)
                .await
                .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?,
        };
        Ok(Server::new(url).prefix(&self.nats_prefix).options(options))
    }
}

impl Remote {
    /// The name of the workers in a store, if `--nats` was given. It holds no password.
    pub(crate) fn workspace(&self) -> Option<String> {
        let url = self.nats.as_deref()?;
        let host = url.rsplit(['/', '@']).find(|part| !part.is_empty());
        let prefix = &self.access.nats_prefix;
        Some(format!("the workers `{prefix}` at {}", host.unwrap_or(url)))
    }

    /// The tools of the workers, if `--nats` was given.
    ///
    /// # Errors
    /// If the server cannot be used, or there is no worker.
    pub(crate) async fn tools(&self, session: &Session) -> Result<Option<Toolset>, Failure> {
        let connected = self.connect(session).await?;
        Ok(connected.map(|(_, tools)| tools))
    }

    /// Connects to the workers as well.
    ///
    /// # Errors
    /// If the server cannot be used, or there is no worker.
    pub(crate) async fn connect(
        &self,
        session: &Session,
    ) -> Result<Option<(Workers, Toolset)>, Failure> {
        let Some(url) = &self.nats else {
            return Ok(None);
        };
        let server = self.access.server(url).await?;
        let workers = WorkersConfig::new(server).open().await.map_err(failure)?;
        let workers = session.workers.get_or_init(|| workers).clone();
        let tools = tools_of(&workers, session)?;
        if tools.is_empty() {
            return Err(Failure::failed(
                "no worker is there; `callpact worker --nats URL` starts one",
            ));
        }
        Ok(Some((workers, tools)))
    }
}

/// The failure of a server or a worker. An invalid name or address is a faulty argument.
#[allow(clippy::needless_pass_by_value)] // for `map_err`
pub(crate) fn failure(error: NatsError) -> Failure {
    match error {
        NatsError::Name(_) | NatsError::Address(_) | NatsError::Setting(_) => {
            Failure::invalid(error)
        }
        error => Failure::failed(error),
    }
}

/// The tools that workers have now.
///
/// # Errors
/// If they cannot form a list.
pub(crate) fn tools_of(workers: &Workers, session: &Session) -> Result<Toolset, Failure> {
    for left in workers.unusable() {
        let text = format!("{}: {}", left.tool, left.reason);
        session.screen.say(Ink::Yellow, "left out", &text);
    }
    let tools = Toolset::builder()
        .tools(workers.tools())
        .max_output(session.config.limits.max_output)
        .build()
        .map_err(Failure::failed)?;
    let always = &session.config.approvals.always;
    Ok(tools.require_approval(|name| always.iter().any(|always| always == name)))
}
