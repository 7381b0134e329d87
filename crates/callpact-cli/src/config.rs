//! `callpact.toml`: the tools, roots, limits and approvals.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use callpact::{
    PermissionMode,
    identity::{Identity, TokenError},
    input::nearest,
};
use serde::Deserialize;

use crate::{exit::Failure, system::KNOWN, text_file::read_file};

/// The file of settings without `--config`.
const FILE: &str = "callpact.toml";

/// The most bytes of a configuration.
const MAX_BYTES: u64 = 1 << 20;

/// The known keys, by table.
const KEYS: &[(&str, &[&str])] = &[
    ("", &["root", "store", "tools", "limits", "approvals"]),
    (
        "limits",
        &[
            "timeout_seconds",
            "max_output",
            "max_calls",
            "max_turns",
            "max_read_bytes",
            "max_write_bytes",
        ],
    ),
    (
        "approvals",
        &["mode", "always", "scopes", "timeout_seconds"],
    ),
];

/// The settings.
///
/// ```
/// use callpact_cli::Config;
///
/// let error = Config::parse("tools = [\"calculator\"]\n[limit]\nmax_calls = 3\n").unwrap_err();
/// assert_eq!(error.to_string(), "unknown key `limit`; did you mean `limits`?");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Config {
    /// The directory that file tools work in; a relative one starts at the directory of this file.
    pub root: Option<PathBuf>,
    /// The file of calls that wait; a relative one starts at the directory of this file.
    pub store: Option<PathBuf>,
    /// The tools to offer; by default the tools that need only the root.
    pub tools: Option<Vec<String>>,
    /// Limits on calls and on runs of the agent.
    pub limits: Limits,
    /// Which calls need approval.
    pub approvals: Approvals,
}

/// Limits on calls and on runs of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Limits {
    /// The seconds that a call may take, without the time of an approval.
    pub timeout_seconds: u64,
    /// The most characters of a reply that a model gets.
    pub max_output: usize,
    /// The most calls in a run of the agent.
    pub max_calls: usize,
    /// How often a run of the agent may ask its model.
    pub max_turns: usize,
    /// The most bytes that `file_read` reads.
    pub max_read_bytes: Option<u64>,
    /// The most bytes in a file after `file_write` or `file_edit`.
    pub max_write_bytes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout_seconds: 60,
            max_output: 20_000,
            max_calls: 25,
            max_turns: 30,
            max_read_bytes: None,
            max_write_bytes: None,
        }
    }
}

/// Which calls need approval.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Approvals {
    /// Which calls need approval; `ask` unless the command says otherwise.
    pub mode: Option<PermissionMode>,
    /// Tools whose calls need approval in every mode.
    pub always: Vec<String>,
    /// The mode for callers with a scope, if `serve` identifies callers.
    pub scopes: Option<BTreeMap<String, PermissionMode>>,
    /// The seconds that a person has to answer; after that the call halts.
    pub timeout_seconds: u64,
}

impl Default for Approvals {
    fn default() -> Self {
        Self {
            mode: None,
            always: Vec::new(),
            scopes: None,
            timeout_seconds: 300,
        }
    }
}

/// All faults of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(Vec<String>);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads the settings of a file; without one, those of `callpact.toml` if it exists.
    ///
    /// # Errors
    /// If the file cannot be read, or with all its faults.
    pub fn load(path: Option<&Path>) -> Result<Self, Failure> {
        let given = path.is_some();
        let path = path.unwrap_or(Path::new(FILE));
        let text = match read_file(path, MAX_BYTES) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !given => {
                return Ok(Self::default());
            }
            text => text,
        };
        let shown = path.display();
        let text = text.map_err(|error| Failure::failed(format!("{shown}: {error}")))?;
        let mut config =
            Self::parse(&text).map_err(|error| Failure::failed(format!("{shown}: {error}")))?;
        if let Some(dir) = path.parent() {
            for place in [&mut config.root, &mut config.store].into_iter().flatten() {
                *place = dir.join(&*place);
            }
        }
        Ok(config)
    }

    /// Reads settings from a text.
    ///
    /// # Errors
    /// With all faults: invalid TOML, unknown keys and tools, and invalid values.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let table: toml::Table =
            toml::from_str(text).map_err(|error| ConfigError(vec![error.to_string()]))?;
        let mut faults = Vec::new();
        for (section, keys) in KEYS {
            let found = if section.is_empty() {
                Some(&table)
            } else {
                table.get(*section).and_then(toml::Value::as_table)
            };
            if !section.is_empty() && found.is_none() && table.contains_key(*section) {
                faults.push(format!(
                    "`{section}` is a table: write `[{section}]` above its keys"
                ));
            }
            for key in found.into_iter().flat_map(toml::Table::keys) {
                if !keys.contains(&key.as_str()) {
                    faults.push(describe_unknown_key(section, key, keys));
                }
            }
        }
        if !faults.is_empty() {
            return Err(ConfigError(faults));
        }
        let config: Self =
            toml::from_str(text).map_err(|error| ConfigError(vec![error.to_string()]))?;
        for tool in config
            .tools
            .iter()
            .flatten()
            .chain(&config.approvals.always)
        {
            if !KNOWN.contains(&tool.as_str()) {
                faults.push(no_such_tool(tool, KNOWN.iter().copied()));
            }
        }
        for scope in config
            .approvals
            .scopes
            .iter()
            .flat_map(|scopes| scopes.keys())
        {
            if !Identity::is_name(scope) {
                let scope: String = scope.chars().take(64).collect();
                let why = TokenError::BadScope;
                faults.push(format!("the key `{scope}` of `approvals.scopes`: {why}"));
            }
        }
        let limits = &config.limits;
        for (name, zero) in [
            ("limits.timeout_seconds", limits.timeout_seconds == 0),
            ("limits.max_output", limits.max_output == 0),
            ("limits.max_calls", limits.max_calls == 0),
            ("limits.max_turns", limits.max_turns == 0),
            (
                "approvals.timeout_seconds",
                config.approvals.timeout_seconds == 0,
            ),
        ] {
            if zero {
                faults.push(format!("`{name}` must be at least 1"));
            }
        }
        if faults.is_empty() {
            Ok(config)
        } else {
            Err(ConfigError(faults))
        }
    }
}

fn describe_unknown_key(section: &str, key: &str, keys: &[&str]) -> String {
    let key: String = key.chars().take(64).collect();
    let dot = if section.is_empty() { "" } else { "." };
    let hint = match nearest(&key, keys.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", keys.join(", ")),
    };
    format!("unknown key `{section}{dot}{key}`; {hint}")
}

/// Says that a tool does not exist, with the nearest name that does.
pub(crate) fn no_such_tool<'a>(name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    let name: String = name.chars().take(64).collect();
    let hint = match nearest(&name, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", names.collect::<Vec<_>>().join(", ")),
    };
    format!("unknown tool `{name}`; {hint}")
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[test]
    fn the_documented_example_is_the_defaults() {
        let text = include_str!("../../../docs/callpact.toml");
        let config = Config::parse(text).expect("the example parses");
        let defaults = Config::default();
        assert_eq!(
            config.limits.timeout_seconds,
            defaults.limits.timeout_seconds
        );
        assert_eq!(config.limits.max_output, defaults.limits.max_output);
        assert_eq!(config.limits.max_calls, defaults.limits.max_calls);
        assert_eq!(config.limits.max_turns, defaults.limits.max_turns);
        assert_eq!(config.approvals, defaults.approvals);
    }

    #[test]
    fn every_fault_is_said_at_once() {
        let error = Config::parse("rot = 1\n[limits]\nmaxcalls = 3\n[approvals]\nwhen = 1\n");
        let text = error.expect_err("three unknown keys").to_string();
        assert_eq!(
            text,
            "unknown key `rot`; did you mean `root`?\n\
             unknown key `limits.maxcalls`; did you mean `max_calls`?\n\
             unknown key `approvals.when`; known are mode, always, scopes, timeout_seconds"
        );
    }

    #[test]
    fn tools_and_limits_are_checked() {
        let text = "tools = [\"file_raed\"]\n[limits]\nmax_calls = 0\n";
        let text = Config::parse(text).expect_err("two faults").to_string();
        assert_eq!(
            text,
            "unknown tool `file_raed`; did you mean `file_read`?\n`limits.max_calls` must be at least 1"
        );
        let text =
            "[approvals.scopes]\n\"\" = \"deny\"\n\"wri\\u200bte\" = \"ask\"\nwrite = \"ask\"\n";
        let text = Config::parse(text).expect_err("two scopes").to_string();
        assert_eq!(
            text.matches("expected scopes of 1 to 256").count(),
            2,
            "{text}"
        );
        let text = "[approvals]\nmode = \"sometimes\"\n";
        let text = Config::parse(text).expect_err("no such mode").to_string();
        assert!(text.contains("unknown variant `sometimes`"), "{text}");
    }
}
