//! MCP servers on a command line: their programs, addresses, and files of servers.

use std::{collections::BTreeMap, io::ErrorKind, path::Path, pin::pin, time::Duration};

use callpact::input::nearest;
use callpact_mcp::client::{ClientError, McpClient, McpConfig};
use tokio::task::JoinSet;

use crate::{
    exit::Failure,
    screen::{Ink, Screen},
    session::Session,
    text_file::read_file,
};

/// The most bytes of a file of servers.
const MAX_BYTES: u64 = 1 << 20;

/// How long a server may take to introduce itself.
pub(crate) const WAIT: Duration = Duration::from_secs(30);

/// How long a server may be silent before the program says that it waits.
const SILENCE: Duration = Duration::from_secs(1);

/// The servers of a file, by name.
pub(crate) type FileServers = BTreeMap<String, McpConfig>;

/// Reads a file of servers; `None` if the file holds settings. Those are TOML, and begin neither with `{` nor with a
/// comment of JavaScript.
pub(crate) fn read_servers(path: Option<&Path>) -> Result<Option<FileServers>, Failure> {
    let Some(path) = path else {
        return Ok(None);
    };
    let shown = path.display();
    let failed = |error: &dyn std::fmt::Display| Failure::failed(format!("{shown}: {error}"));
    let text = match read_file(path, MAX_BYTES) {
        // The settings have their own messages for a missing file and for invalid bytes.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidData) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(&error)),
        Ok(text) if !is_json(&text) => return Ok(None),
        Ok(text) => text,
    };
    match McpConfig::from_json(&text) {
        Ok(servers) => Ok(Some(servers)),
        Err(error) => Err(failed(&error)),
    }
}

fn is_json(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.trim_start().starts_with(['{', '/'])
}

/// The servers that a command line asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedServers<'a> {
    /// An address, or a program with its arguments; with a file the names of servers.
    pub(crate) target: &'a [String],
    /// The variable of the environment that holds a bearer token.
    pub(crate) token_env: Option<&'a str>,
    /// How long a server may take to introduce itself.
    pub(crate) wait: Duration,
}

impl WantedServers<'_> {
    /// The requested servers of a file, or the one on the command line.
    pub(crate) fn choose(
        self,
        servers: Option<FileServers>,
    ) -> Result<Vec<(String, McpConfig)>, Failure> {
        match servers {
            Some(servers) => choose(self, servers),
            None => Ok(vec![single(self)?]),
        }
    }
}

/// Opens all servers at the same time, and returns the clients and the failures.
pub(crate) async fn open_all(
    chosen: Vec<(String, McpConfig)>,
    wait: Duration,
    session: &Session,
) -> (Vec<McpClient>, Vec<Failure>) {
    let timeout = Duration::from_secs(session.config.limits.timeout_seconds);
    let mut opening = JoinSet::new();
    for (number, (name, config)) in chosen.into_iter().enumerate() {
        let config = config.timeout(timeout).open_timeout(wait);
        let screen = session.screen.clone();
        opening.spawn(async move { (number, open(&name, config, wait, &screen).await) });
    }
    let mut opened = opening.join_all().await;
    opened.sort_by_key(|(number, _)| *number);
    let (mut clients, mut failures) = (Vec::new(), Vec::new());
    for (_, opened) in opened {
        match opened {
            Ok(client) => clients.push(client),
            Err(failure) => failures.push(failure),
        }
    }
    (clients, failures)
}

/// Opens a server. If it is silent, the program says what it is waiting for.
pub(crate) async fn open(
    name: &str,
    config: McpConfig,
    wait: Duration,
    screen: &Screen,
) -> Result<McpClient, Failure> {
    let mut opening = pin!(config.open());
    let opened = tokio::select! {
        opened = &mut opening => opened,
        () = tokio::time::sleep(SILENCE) => {
            let text = format!("for {name} to introduce itself and its tools, at most {wait:?}");
            screen.say(Ink::Dim, "waiting", &text);
            opening.await
        }
    };
    opened.map_err(|error| {
        let hint = match error {
            ClientError::TimedOut(_) => "; a server has to speak the Model Context Protocol",
            _ => "",
        };
        Failure::failed(format!("{name}: {error}{hint}"))
    })
}

/// The servers of a file that the command line names, or all of them. Their tools get a prefix, and what they write to
/// standard error is shown.
fn choose(
    args: WantedServers<'_>,
    mut servers: FileServers,
) -> Result<Vec<(String, McpConfig)>, Failure> {
    if args.token_env.is_some() {
        return Err(Failure::invalid(
            "--token-env is for an address; a file of servers has `headers`",
        ));
    }
    if servers.is_empty() {
        return Err(Failure::invalid(
            "the file has no server that is not disabled",
        ));
    }
    let with_prefix = |(name, config): (String, McpConfig)| {
        let config = config.prefix(format!("{name}_")).show_errors();
        (name, config)
    };
    if args.target.is_empty() {
        return Ok(servers.into_iter().map(with_prefix).collect());
    }
    let mut chosen = Vec::new();
    for name in args.target {
        let Some(server) = servers.remove_entry(name) else {
            let known = servers.keys().map(String::as_str);
            let hint = match nearest(name, known.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
            };
            let name: String = name.chars().take(64).collect();
            let text = format!("the file has no server `{name}`; {hint}");
            return Err(Failure::invalid(text));
        };
        chosen.push(with_prefix(server));
    }
    Ok(chosen)
}

/// The one server on the command line.
fn single(args: WantedServers<'_>) -> Result<(String, McpConfig), Failure> {
    let Some((first, rest)) = args.target.split_first() else {
        return Err(Failure::invalid(
            "name a server: its address, its command after --, or a file of servers with --config",
        ));
    };
    let url = first.starts_with("http://") || first.starts_with("https://");
    if url && !rest.is_empty() {
        return Err(Failure::invalid("an address takes no arguments"));
    }
    if !url && first.contains("://") {
        return Err(Failure::invalid(
            "the address of a server starts with http:// or https://",
        ));
    }
    let config = if url {
        McpConfig::url(first)
    } else {
        McpConfig::command(first, rest).show_errors()
    };
    let config = match args.token_env {
        None => config,
        Some(variable) => match std::env::var(variable) {
            Ok(token) if url => config.bearer_token(token),
            Ok(_) => return Err(Failure::invalid("--token-env is for addresses")),
            Err(_) => return Err(Failure::invalid(format!("{variable} is not set"))),
        },
    };
    Ok((first.clone(), config))
}
