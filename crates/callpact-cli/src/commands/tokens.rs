//! Who may call a server of this program: a file of tokens, or a login service that signs them.

use std::{
    net::SocketAddr,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use callpact::{
    identity::{Authenticator, Identity, ScopeRules, StaticTokens, TokenError},
    review::is_hidden,
    store::BoxFuture,
};
use callpact_mcp::jwt::{JwtTokens, KeySet};
use clap::Args;
use serde::Deserialize;
use toml::Spanned;

use crate::{config::Config, exit::Failure, text_file::read_regular};

/// The most bytes of a file of tokens.
const MAX_BYTES: u64 = 1 << 20;

/// The part of a command line that says who may call.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// Let in only who has a token of this file, which has their hashes
    #[arg(long, value_name = "FILE", conflicts_with = "issuer")]
    pub tokens: Option<PathBuf>,
    /// Let in only who has a token that this login service signed
    #[arg(long, value_name = "ISSUER", requires_all = ["audience", "keys"], value_parser = parse_words)]
    pub issuer: Option<String>,
    /// The audience of signed tokens: the address of this server
    #[arg(long, value_name = "AUDIENCE", requires = "issuer", value_parser = parse_words)]
    pub audience: Option<String>,
    /// The key set of the login service: an address, or a file
    #[arg(long, value_name = "URL|FILE", requires = "issuer")]
    pub keys: Option<String>,
}

/// Takes any text with a character that can be seen. An unset variable of a script leaves none.
pub(crate) fn parse_words(text: &str) -> Result<String, &'static str> {
    let is_seen = |c: char| !c.is_whitespace() && !is_hidden(c);
    if text.chars().any(is_seen) {
        return Ok(text.to_owned());
    }
    Err("it is empty")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenFile {
    token: Vec<TokenEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenEntry {
    name: Spanned<String>,
    sha256: Spanned<String>,
    #[serde(default)]
    scopes: Option<Spanned<Vec<String>>>,
}

impl TokenArgs {
    /// Identifies callers, if the command line asks for it.
    pub(crate) async fn authenticator(&self) -> Result<Option<Box<dyn Authenticator>>, Failure> {
        if let Some(path) = &self.tokens {
            let read = FileTokens::open(path);
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

/// The fault of an address that other machines can reach if callers are not identified.
pub(crate) fn open_to_all(address: SocketAddr) -> String {
    format!("other machines reach {address} and nothing says who calls: add --tokens or --issuer")
}

/// The rules for scopes, if the settings have a table of them. With an empty table everybody may only read.
pub(crate) fn scope_rules(config: &Config) -> Option<ScopeRules> {
    let scopes = config.approvals.scopes.as_ref()?.iter();
    Some(scopes.fold(ScopeRules::new(), |rules, (scope, mode)| {
        rules.mode(scope, *mode)
    }))
}

/// The fault of a table of scopes if callers are not identified.
pub(crate) const SCOPES_OF_NOBODY: &str =
    "approvals.scopes has no effect: nothing says who calls; add --tokens or --issuer";

/// The tokens of a file. It is read again when it has changed.
struct FileTokens {
    path: PathBuf,
    read: Mutex<LastRead>,
}

/// The last reading of a file of tokens.
struct LastRead {
    /// The state of the file; `None` if the file may change again without a change of its state.
    stamp: Option<FileStamp>,
    tokens: StaticTokens,
    /// The fault in the file.
    fault: Option<String>,
}

/// When a file was changed, and its length. If they differ, the content differs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    modified: Option<SystemTime>,
    length: u64,
}

impl FileStamp {
    fn of(path: &Path) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        Ok(Self {
            modified: data.modified().ok(),
            length: data.len(),
        })
    }

    /// Whether a later change will have another time, however coarse the clock of the file system.
    fn is_settled(self) -> bool {
        let age = self.modified.and_then(|time| time.elapsed().ok());
        age.is_some_and(|age| age > SETTLED)
    }
}

/// Changes this far apart have different times.
const SETTLED: Duration = Duration::from_secs(2);

impl FileTokens {
    fn open(path: &Path) -> Result<Self, String> {
        let stamp = FileStamp::of(path).map_err(|error| error.to_string())?;
        let tokens = read_tokens(path)?;
        // Later, an empty list revokes the last token.
        if tokens.is_empty() {
            return Err(
                "`token` is an empty list, so nobody could call; expected tables `[[token]]`"
                    .to_owned(),
            );
        }
        let last = LastRead {
            stamp: Some(stamp).filter(|stamp| stamp.is_settled()),
            tokens,
            fault: None,
        };
        Ok(Self {
            path: path.to_owned(),
            read: Mutex::new(last),
        })
    }

    /// The valid tokens. After a fault, the tokens that were read before stay.
    fn current(&self) -> StaticTokens {
        let mut last = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = FileStamp::of(&self.path).ok();
        if stamp.is_some() && stamp == last.stamp {
            return last.tokens.clone();
        }
        // The state is from before the reading, so that a change in between is read next time.
        last.stamp = stamp.filter(|stamp| stamp.is_settled());
        let fault = match read_tokens(&self.path) {
            Ok(tokens) => {
                last.tokens = tokens;
                None
            }
            Err(why) => Some(why),
        };
        if let Some(why) = &fault
            && last.fault != fault
        {
            let file = self.path.display();
            tracing::error!(target: "callpact", "{file}: {why}; the tokens that were read before stay");
        }
        last.fault = fault;
        last.tokens.clone()
    }
}

impl Authenticator for FileTokens {
    fn identify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Option<Identity>> {
        Box::pin(async move { self.current().identify(token).await })
    }
}

fn read_tokens(path: &Path) -> Result<StaticTokens, String> {
    let text = read_regular(path, MAX_BYTES).map_err(|error| error.to_string())?;
    let line_of = |span: Option<Range<usize>>| {
        let before = span.and_then(|span| text.get(..span.start));
        before.unwrap_or_default().matches('\n').count() + 1
    };
    let file: TokenFile = toml::from_str(&text).map_err(|error| {
        // The TOML error quotes the file, which may hold a token that was written there by mistake.
        let line = line_of(error.span());
        format!("line {line}: expected tables `[[token]]` with `name`, `sha256` and, if there are any, `scopes`")
    })?;
    let mut tokens = StaticTokens::new();
    for TokenEntry {
        name,
        sha256,
        scopes,
    } in file.token
    {
        let of_scopes = scopes.as_ref().map(Spanned::span);
        let identity = scopes
            .map(Spanned::into_inner)
            .unwrap_or_default()
            .into_iter()
            .fold(Identity::new(name.get_ref()), Identity::with_scope);
        tokens = tokens.hashed(sha256.get_ref(), identity).map_err(|error| {
            let place = match error {
                TokenError::NoName => Some(name.span()),
                TokenError::BadScope => of_scopes,
                _ => Some(sha256.span()),
            };
            let (line, name) = (line_of(place), name.get_ref());
            let name: String = name.chars().take(64).collect();
            format!("line {line}: the token of `{name}`: {error}")
        })?;
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::{FileTokens, read_tokens};
    use callpact::identity::Authenticator;

    #[tokio::test]
    async fn reloads_token_file_and_keeps_last_valid_tokens() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("tokens.toml");
        // printf %s the-token-of-ada | sha256sum, and the same for grace
        let ada = "7dac292edbc1f082c8e2f3485f445396480972c0b282d9ecae47688f07754ecc";
        let grace = "ecd753ca4f6c9f75892217ba586fab59e735225de5b2bf7d416954d9e79cabd5";
        let entry = |name, hash| format!("[[token]]\nname = \"{name}\"\nsha256 = \"{hash}\"\n");
        let put = |text: &str| std::fs::write(&file, text).expect("a file");
        put(&entry("ada", ada));
        let tokens = FileTokens::open(&file).expect("tokens");
        let who = async || {
            let mut names = Vec::new();
            for token in ["the-token-of-ada", "the-token-of-grace"] {
                names.extend(tokens.identify(token).await.map(|identity| identity.name));
            }
            names.join(" ")
        };
        assert_eq!(who().await, "ada");
        // A text of the same length, at once.
        put(&entry("eve", ada));
        assert_eq!(who().await, "eve");
        put(&(entry("ada", ada) + &entry("grace", grace)));
        assert_eq!(who().await, "ada grace");
        put(&entry("grace", grace));
        assert_eq!(who().await, "grace", "the token of ada was removed");
        for broken in ["[[token]]\nname = 1\n", ""] {
            put(broken);
            assert_eq!(who().await, "grace");
        }
        std::fs::remove_file(&file).expect("it is there");
        assert_eq!(who().await, "grace");
        if cfg!(unix) {
            let made = std::process::Command::new("mkfifo").arg(&file).status();
            assert!(made.is_ok_and(|status| status.success()));
            assert_eq!(who().await, "grace", "nobody waits for a pipe");
            std::fs::remove_file(&file).expect("it is there");
        }
        put(&entry("ada", ada));
        assert_eq!(who().await, "ada");
        put("token = []\n");
        assert_eq!(who().await, "", "the last token was taken back");
        let opened = FileTokens::open(&file).err();
        assert!(opened.is_some_and(|why| why.starts_with("`token` is an empty list")));
        put(&entry("ada", ada));
        assert_eq!(who().await, "ada");
        // A file that has not changed for a while is not read again.
        let old = std::time::SystemTime::now() - std::time::Duration::from_mins(1);
        let opened = std::fs::File::options()
            .write(true)
            .open(&file)
            .expect("the file");
        opened.set_modified(old).expect("a time");
        assert_eq!(who().await, "ada");
        put(&entry("eve", ada));
        opened.set_modified(old).expect("a time");
        assert_eq!(who().await, "ada", "it looks as it did");
    }

    #[test]
    fn token_file_accepts_only_hashes() {
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
                "line 3: the token of `ada`: expected a SHA-256",
            ),
            (
                &format!(
                    "{good}[[token]]\nname = \"grace\"\nsha256 = \"{}\"\n",
                    hash.to_uppercase()
                ),
                "line 7: the token of `grace`: the same token stands twice",
            ),
            (
                &good.replace("ada", ""),
                "line 2: the token of ``: expected a name of 1 to 256 characters",
            ),
            (
                &good.replace("ada", "ada\\u202e"),
                "line 2: the token of `ada\u{202e}`: expected a name",
            ),
            (
                "[[token]]\nname = \"ada\"\ntoken = \"the-token-of-ada\"\n",
                "line 3: expected tables",
            ),
            (
                &good.replace("[\"a\"]", "[\"write\", \"\"]"),
                "line 4: the token of `ada`: expected scopes of 1 to 256 characters",
            ),
            (
                &good.replace("[\"a\"]", "[\"wri\\u200bte\"]"),
                "line 4: the token of `ada`: expected scopes",
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
