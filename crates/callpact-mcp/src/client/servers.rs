//! The `mcpServers` file that hosts share: the servers and how to reach each.

use std::collections::BTreeMap;

use callpact::{Policy, read_str};
use serde::Deserialize;
use serde_json::Value;

use super::{
    config::{McpConfig, shown_address},
    error::ClientError,
};

/// The most bytes of a file.
const MAX_BYTES: usize = 1 << 20;

/// Keys of a server that concern other hosts. Here the program decides about approval.
const IGNORED: &[&str] = &["alwaysAllow", "autoApprove", "description", "timeout"];

impl McpConfig {
    /// Reads the `mcpServers` file that many hosts share, and returns the servers by name.
    ///
    /// A server has a `command` with `args`, `env` and `cwd`, or a `url` with `headers`. In all of
    /// these, `${NAME}` stands for a variable of the environment, and `${NAME:-text}` gives the text if
    /// the variable is not set. A server with `"disabled": true` is left out.
    ///
    /// ```
    /// use callpact_mcp::client::McpConfig;
    ///
    /// let servers = McpConfig::from_json(
    ///     r#"{"mcpServers": {
    ///         "files": {"command": "file-server", "args": ["--root", "docs"]},
    ///         "search": {"url": "https://example.com/mcp", "headers": {"X-Key": "${KEY:-none}"}}
    ///     }}"#,
    /// )?;
    /// assert_eq!(servers.keys().collect::<Vec<_>>(), ["files", "search"]);
    ///
    /// let error = McpConfig::from_json(
    ///     r#"{"mcpServers": {"a": {"url": "https://example.com/mcp", "args": ["-v"]}}}"#,
    /// );
    /// assert_eq!(
    ///     error.unwrap_err().to_string(),
    ///     "the configuration: `a`: `args` is for a server with a `command`",
    /// );
    /// # Ok::<(), callpact_mcp::client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// With all faults of the file: a key that does not belong to the server's transport, an unknown
    /// key, a variable that is not set, a value of another type.
    pub fn from_json(text: &str) -> Result<BTreeMap<String, Self>, ClientError> {
        read_servers(text, &|name| std::env::var(name).ok())
    }
}

type EnvironmentVariables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads a file, with the given variables of the environment.
fn read_servers(
    text: &str,
    variables: EnvironmentVariables<'_>,
) -> Result<BTreeMap<String, McpConfig>, ClientError> {
    let fault = |text: String| ClientError::Config(text);
    if text.len() > MAX_BYTES {
        return Err(fault(format!("it has more than {MAX_BYTES} bytes")));
    }
    // An editor may have written a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file: ServerFile = serde_json::from_str(text).map_err(|error| {
        let mut why: String = error.to_string().chars().take(200).collect();
        if text.trim_start().starts_with('/') {
            why.push_str("; JSON has no comments");
        }
        fault(why)
    })?;
    // Of a key that stands twice, serde takes the last one.
    if let Err(report) = read_str::<Value>(text, &Policy::exact()) {
        let lines: Vec<String> = report.issues.iter().map(ToString::to_string).collect();
        return Err(fault(lines.join("\n")));
    }
    let (mut servers, mut faults) = (BTreeMap::new(), Vec::new());
    for (name, entry) in file.servers {
        let mut reader = EntryReader {
            name: name.chars().take(64).collect(),
            variables,
            faults: &mut faults,
        };
        if let Some(config) = reader.read(entry) {
            servers.insert(name, config);
        }
    }
    if faults.is_empty() {
        Ok(servers)
    } else {
        Err(fault(faults.join("\n")))
    }
}

#[derive(Deserialize)]
struct ServerFile {
    #[serde(rename = "mcpServers")]
    servers: serde_json::Map<String, Value>,
}

/// Reads the entry of one server and collects its faults.
struct EntryReader<'a> {
    name: String,
    variables: EnvironmentVariables<'a>,
    faults: &'a mut Vec<String>,
}

impl EntryReader<'_> {
    fn fault(&mut self, text: &str) {
        self.faults.push(format!("`{}`: {text}", self.name));
    }

    /// Reads a server; `None` if it is disabled or faulty.
    fn read(&mut self, entry: Value) -> Option<McpConfig> {
        let before = self.faults.len();
        let Value::Object(mut entry) = entry else {
            self.fault("a server is an object with a `command` or a `url`");
            return None;
        };
        entry.retain(|key, _| !IGNORED.contains(&&**key));
        let shown = shown_target(&entry);
        match entry.remove("disabled") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Bool(true)) => return None,
            Some(_) => self.fault("`disabled` is true or false"),
        }
        let kind = entry.remove("type");
        let kind = kind.as_ref().map(|kind| kind.as_str().unwrap_or_default());
        let command = entry
            .remove("command")
            .map(|value| self.text("command", value));
        let url = entry.remove("url").map(|value| self.text("url", value));
        let config = match (command, url) {
            (Some(command), None) => {
                if !matches!(kind, None | Some("stdio")) {
                    self.fault("a server with a `command` has the type \"stdio\"");
                }
                let args = entry.remove("args").map(|value| self.list("args", value));
                let mut config = McpConfig::command(command, args.unwrap_or_default());
                if let Some(env) = entry.remove("env") {
                    for (name, value) in self.pairs("env", env) {
                        config = config.env(name, value);
                    }
                }
                match entry.remove("cwd") {
                    Some(dir) => config.current_dir(self.text("cwd", dir)),
                    None => config,
                }
            }
            (None, Some(url)) => {
                if !matches!(
                    kind,
                    None | Some("http" | "streamable-http" | "streamableHttp")
                ) {
                    self.fault("a server with a `url` has the type \"http\"");
                }
                let mut config = McpConfig::url(url);
                if let Some(headers) = entry.remove("headers") {
                    for (name, value) in self.pairs("headers", headers) {
                        config = config.header(name, value);
                    }
                }
                config
            }
            (Some(_), Some(_)) => {
                self.fault("it has a `command` and a `url`; a server has one of them");
                return None;
            }
            (None, None) => {
                self.fault("it has neither a `command` nor a `url`");
                return None;
            }
        };
        for key in entry.keys() {
            let text = match key.as_str() {
                "args" | "env" | "cwd" => format!("`{key}` is for a server with a `command`"),
                "headers" => "`headers` is for a server with a `url`".to_owned(),
                other => {
                    let other: String = other.chars().take(64).collect();
                    format!(
                        "unknown key `{other}`; known are command, args, env, cwd, url, headers, type and disabled"
                    )
                }
            };
            self.fault(&text);
        }
        let mut config = config;
        config.shown = Some(shown);
        match config.check() {
            Ok(()) => {}
            Err(ClientError::Config(why)) => self.fault(&why),
            Err(error) => self.fault(&error.to_string()),
        }
        (self.faults.len() == before).then_some(config)
    }

    fn text(&mut self, key: &str, value: Value) -> String {
        let Value::String(text) = value else {
            self.fault(&format!("`{key}` is a string"));
            return String::new();
        };
        match expand(&text, self.variables) {
            Ok(text) => text,
            Err(why) => {
                self.fault(&format!("`{key}`: {why}"));
                String::new()
            }
        }
    }

    fn list(&mut self, key: &str, value: Value) -> Vec<String> {
        let Value::Array(items) = value else {
            self.fault(&format!("`{key}` is a list of strings"));
            return Vec::new();
        };
        let texts = items.into_iter().enumerate();
        texts
            .map(|(i, item)| self.text(&format!("{key}[{i}]"), item))
            .collect()
    }

    fn pairs(&mut self, key: &str, value: Value) -> Vec<(String, String)> {
        let Value::Object(map) = value else {
            self.fault(&format!("`{key}` is an object of strings"));
            return Vec::new();
        };
        let pairs = map.into_iter();
        pairs
            .map(|(name, value)| {
                let short: String = name.chars().take(64).collect();
                let value = self.text(&format!("{key}.{short}"), value);
                (name, value)
            })
            .collect()
    }
}

/// The target of a server as it is written, before variables are replaced.
fn shown_target(entry: &serde_json::Map<String, Value>) -> String {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    if let Some(url) = text("url") {
        return shown_address(url);
    }
    let args = entry.get("args").and_then(Value::as_array);
    let args = args.into_iter().flatten().filter_map(Value::as_str);
    let words: Vec<&str> = text("command").into_iter().chain(args).collect();
    words.join(" ")
}

/// Replaces `${NAME}` and `${NAME:-text}`. The inserted value is not searched again.
fn expand(text: &str, variables: EnvironmentVariables<'_>) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let (inside, after) = after.split_once('}').ok_or("`${` has no `}` after it")?;
        let (name, default) = match inside.split_once(":-") {
            Some((_, default)) if default.contains("${") => {
                return Err("a text after `:-` cannot hold a variable".to_owned());
            }
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            let name: String = name.chars().take(64).collect();
            return Err(format!(
                "`${{{name}}}` is not a variable of the environment"
            ));
        }
        out.push_str(before);
        match (variables(name).filter(|value| !value.is_empty()), default) {
            (Some(value), _) => out.push_str(&value),
            (None, Some(default)) => out.push_str(default),
            (None, None) => return Err(format!("the variable {name} is not set")),
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{expand, read_servers};

    fn variable(name: &str) -> Option<String> {
        match name {
            "HOME" => Some("/home/a".to_owned()),
            "NESTED" => Some("${HOME}".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        }
    }

    #[test]
    fn variables_are_replaced_once() {
        for (text, expanded) in [
            ("plain $HOME {HOME}", Ok("plain $HOME {HOME}")),
            ("${HOME}/b/${HOME}", Ok("/home/a/b//home/a")),
            ("${NESTED}", Ok("${HOME}")),
            ("${NONE:-x}${EMPTY:-y}${HOME:-z}", Ok("xy/home/a")),
            ("${NONE:-}", Ok("")),
            ("${NONE}", Err("the variable NONE is not set")),
            ("${EMPTY}", Err("the variable EMPTY is not set")),
            ("${HOME", Err("`${` has no `}` after it")),
            (
                "${HOME:-${NONE}}",
                Err("a text after `:-` cannot hold a variable"),
            ),
            ("${}", Err("`${}` is not a variable of the environment")),
            (
                "${input:key}",
                Err("`${input:key}` is not a variable of the environment"),
            ),
        ] {
            let found = expand(text, &variable);
            assert_eq!(found.as_deref().map_err(String::as_str), expanded, "{text}");
        }
    }

    #[test]
    fn reports_all_faults_of_file_together() {
        let text = r#"{"mcpServers": {
            "both": {"command": "a", "url": "https://example.com"},
            "none": {},
            "text": "a",
            "mixed": {"command": "a", "headers": {"X": "y"}},
            "types": {"command": "a", "args": "b", "env": {"A": 1}, "disabled": "no"},
            "sse": {"url": "https://example.com", "type": "sse"},
            "typo": {"command": "a", "arg": ["b"]},
            "unset": {"command": "${NONE}"},
            "plain": {"url": "http://example.com/mcp", "headers": {"Authorization": "x"}},
            "header": {"url": "https://example.com", "headers": {"a b": "c"}},
            "host": {"url": "https://example.com", "headers": {"Host": "d"}},
            "off": {"disabled": true, "command": 7},
            "good": {"command": "a", "autoApprove": ["x"]}
        }}"#;
        let error = read_servers(text, &variable)
            .expect_err("many faults")
            .to_string();
        for expected in [
            "`both`: it has a `command` and a `url`; a server has one of them",
            "`none`: it has neither a `command` nor a `url`",
            "`text`: a server is an object with a `command` or a `url`",
            "`mixed`: `headers` is for a server with a `url`",
            "`types`: `args` is a list of strings",
            "`types`: `env.A` is a string",
            "`types`: `disabled` is true or false",
            "`sse`: a server with a `url` has the type \"http\"",
            "`typo`: unknown key `arg`; known are command",
            "`unset`: `command`: the variable NONE is not set",
            "`plain`: not an address of a server: a header is not sent over `http` to another machine",
            "`header`: `a b` is not the name of a header",
            "`host`: the header `Host` belongs to the protocol",
        ] {
            assert!(error.contains(expected), "{expected}: {error}");
        }
        assert!(
            !error.contains("`off`") && !error.contains("`good`"),
            "{error}"
        );
        for text in [
            "",
            "[]",
            "{}",
            r#"{"mcpServers": []}"#,
            r#"{"servers": {}}"#,
        ] {
            assert!(read_servers(text, &variable).is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_a_fault() {
        for (text, key) in [
            (
                r#"{"mcpServers": {"a": {"command": "b"}, "a": {"command": "c"}}}"#,
                "mcpServers.a",
            ),
            (
                r#"{"mcpServers": {"a": {"command": "b", "command": "c"}}}"#,
                "mcpServers.a.command",
            ),
            (
                r#"{"mcpServers": {"a": {"command": "b", "env": {"A": "s3cret", "A": "d"}}}}"#,
                "mcpServers.a.env.A",
            ),
        ] {
            let error = read_servers(text, &variable).expect_err("twice");
            assert_eq!(
                error.to_string(),
                format!("the configuration: {key}: expected once, found more than once"),
            );
        }
    }
}
