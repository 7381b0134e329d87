//! Who may call a server of this program: a file of tokens, or a login service that signs them.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use clap::Args;
use serde::Deserialize;
use toolwright::identity::{Authenticator, Identity, ScopeRules, StaticTokens};
use toolwright_mcp::jwt::{JwtTokens, KeySet};

use crate::{config::Config, exit::Failure};

/// The most bytes of a file of tokens.
const MAX_BYTES: u64 = 1 << 20;

/// The part of a command line that says who may call.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// Let in only who has a token of this file, which has their hashes
    #[arg(long, value_name = "FILE", conflicts_with = "issuer")]
    pub tokens: Option<PathBuf>,
    /// Let in only who has a token that this login service signed
    #[arg(long, value_name = "ISSUER", requires_all = ["audience", "keys"])]
    pub issuer: Option<String>,
    /// The audience of signed tokens: the address of this server
    #[arg(long, value_name = "AUDIENCE", requires = "issuer")]
    pub audience: Option<String>,
    /// The key set of the login service: an address, or a file
    #[arg(long, value_name = "URL|FILE", requires = "issuer")]
    pub keys: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenFile {
    token: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    sha256: String,
    #[serde(default)]
    scopes: Vec<String>,
}

impl TokenArgs {
    /// Finds out who calls, if the command line asks for it.
    pub(crate) async fn authenticator(&self) -> Result<Option<Box<dyn Authenticator>>, Failure> {
        if let Some(path) = &self.tokens {
            let read = read_tokens(path);
            let failed = |why| Failure::failed(format!("{}: {why}", path.display()));
            return Ok(Some(Box::new(read.map_err(failed)?)));
        }
        let (Some(issuer), Some(audience), Some(keys)) = (&self.issuer, &self.audience, &self.keys)
        else {
            return Ok(None);
        };
        let set = if keys.contains("://") {
            KeySet::url(keys).await
        } else {
            KeySet::file(keys).await
        };
        let set = set.map_err(|error| Failure::failed(format!("{keys}: {error}")))?;
        Ok(Some(Box::new(JwtTokens::new(issuer, audience, set))))
    }
}

/// What is wrong with an address that other machines reach, where nothing says who calls.
pub(crate) fn open_to_all(address: SocketAddr) -> String {
    format!("other machines reach {address} and nothing says who calls: add --tokens or --issuer")
}

/// The rules for scopes, if the settings have some.
pub(crate) fn scope_rules(config: &Config) -> Option<ScopeRules> {
    let scopes = &config.approvals.scopes;
    let rules = scopes
        .iter()
        .fold(ScopeRules::new(), |rules, (scope, mode)| {
            rules.mode(scope, *mode)
        });
    (!scopes.is_empty()).then_some(rules)
}

fn read_tokens(path: &Path) -> Result<StaticTokens, String> {
    let length = std::fs::metadata(path).map(|data| data.len());
    if length.map_err(|error| error.to_string())? > MAX_BYTES {
        return Err("larger than 1 MiB".to_owned());
    }
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file: TokenFile = toml::from_str(&text).map_err(|error| {
        // The words of TOML quote the file, which may have a token that somebody wrote by mistake.
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.unwrap_or_default().matches('\n').count() + 1;
        format!("line {line}: expected tables `[[token]]` with `name`, `sha256` and, if there are any, `scopes`")
    })?;
    let mut tokens = StaticTokens::new();
    for Entry {
        name,
        sha256,
        scopes,
    } in file.token
    {
        let of = format!("the token of `{name}`");
        let identity = scopes
            .into_iter()
            .fold(Identity::new(name), Identity::with_scope);
        tokens = tokens
            .hashed(&sha256, identity)
            .map_err(|error| format!("{of}: {error}"))?;
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::read_tokens;

    #[test]
    fn a_file_of_tokens_has_hashes_and_nothing_else() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("tokens.toml");
        let read = |text: &str| {
            std::fs::write(&file, text).expect("a file");
            read_tokens(&file)
        };
        let hash = "5d".repeat(32);
        let good = format!("[[token]]\nname = \"ada\"\nsha256 = \"{hash}\"\nscopes = [\"a\"]\n");
        assert!(read(&good).is_ok());
        for (text, why) in [
            (
                "[[token]]\nname = \"ada\"\nsha256 = \"the-token-of-ada\"\n",
                "the token of `ada`: expected a SHA-256",
            ),
            (
                "[[token]]\nname = \"ada\"\ntoken = \"the-token-of-ada\"\n",
                "line 3: expected tables",
            ),
            ("[[tokens]]\n", "line 1: expected tables"),
            ("token = \"the-token-of-ada\"\n", "line 1: expected tables"),
            ("", "line 1: expected tables"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(why), "{error}");
            assert!(!error.contains("the-token-of-ada"), "{error}");
        }
    }
}
