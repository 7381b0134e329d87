//! The ten tools.

use std::{fs, io, net::SocketAddr, path::PathBuf, process::Command, time::Duration};

use callpact::{ToolContext, ToolError, ToolInput, ToolOutput, tool::LogLevel, tools};
use serde::Serialize;
use serde_json::json;

use super::registry::post;

/// A working copy, and the registry that takes its versions.
pub(crate) struct Release {
    pub(crate) dir: PathBuf,
    pub(crate) registry: SocketAddr,
}

/// The state of a working copy.
#[derive(Serialize, ToolOutput)]
struct Status {
    version: String,
    branch: String,
    /// Files that are not committed
    changed: Vec<String>,
}

/// How the version changes
#[derive(ToolInput)]
#[tool_input(rename_all = "snake_case")]
enum Bump {
    Major,
    Minor,
    Patch,
    /// A version before the release
    Preview {
        stage: Stage,
        #[tool_param(min = 1, default = 1)]
        number: u32,
    },
}

#[derive(ToolInput)]
#[tool_input(rename_all = "snake_case")]
enum Stage {
    Alpha,
    Beta,
}

/// A line of the changelog
#[derive(ToolInput)]
struct Entry {
    kind: Kind,
    #[tool_param(min_length = 3, max_length = 200)]
    text: String,
}

#[derive(Debug, ToolInput)]
#[tool_input(rename_all = "lowercase")]
enum Kind {
    Added,
    Fixed,
    Removed,
}

#[derive(Clone, Copy, Debug, Serialize, ToolInput, ToolOutput)]
#[serde(rename_all = "lowercase")]
enum Check {
    Format,
    Tests,
    Licences,
}

/// What a check found.
#[derive(Serialize, ToolOutput)]
struct Finding {
    check: Check,
    passed: bool,
}

/// Where a release is announced
#[derive(ToolInput)]
#[tool_input(tag = "by", rename_all = "snake_case")]
enum Channel {
    Mail {
        #[tool_param(min_items = 1)]
        to: Vec<String>,
    },
    Chat {
        room: String,
        mention: Option<Mention>,
    },
}

#[derive(ToolInput)]
#[tool_input(rename_all = "snake_case")]
enum Mention {
    Everybody,
    Person(String),
}

#[tools]
impl Release {
    /// The version and the state of the working copy
    #[tool(read_only)]
    fn status(&self) -> Result<Status, ToolError> {
        let changed = self.git(&["status", "--porcelain"])?;
        let names = changed.lines().filter_map(|line| line.get(3..));
        Ok(Status {
            version: self.version()?,
            branch: self.git(&["branch", "--show-current"])?,
            changed: names.map(str::to_owned).collect(),
        })
    }

    /// The subjects of the last commits, newest first
    #[tool(read_only)]
    fn log(
        &self,
        /// Only commits after this tag
        since: Option<String>,
        #[tool_param(min = 1, max = 50, default = 10)] limit: u32,
    ) -> Result<Vec<String>, ToolError> {
        let (limit, range) = (format!("-{limit}"), since.map(|tag| format!("{tag}..")));
        let mut words = vec!["log", "--format=%s", &limit];
        words.extend(range.as_deref());
        Ok(self.git(&words)?.lines().map(str::to_owned).collect())
    }

    /// The version that follows the present one
    #[tool(read_only)]
    fn next_version(&self, bump: Bump) -> Result<String, ToolError> {
        let version = self.version()?;
        let core = version.split('-').next().unwrap_or_default();
        let numbers: Vec<u32> = core
            .split('.')
            .filter_map(|part| part.parse().ok())
            .collect();
        let [major, minor, patch] = numbers[..] else {
            return Err(ToolError::failed(format!("{version} is no version")));
        };
        Ok(match bump {
            Bump::Major => format!("{}.0.0", major + 1),
            Bump::Minor => format!("{major}.{}.0", minor + 1),
            Bump::Patch => format!("{major}.{minor}.{}", patch + 1),
            Bump::Preview { stage, number } => {
                let stage = match stage {
                    Stage::Alpha => "alpha",
                    Stage::Beta => "beta",
                };
                format!("{major}.{}.0-{stage}.{number}", minor + 1)
            }
        })
    }

    /// Writes a version into Cargo.toml
    #[tool(write)]
    fn set_version(
        &self,
        #[tool_param(pattern = "^[0-9]+\\.[0-9]+\\.[0-9]+(-[a-z]+\\.[0-9]+)?$")] version: String,
    ) -> Result<String, ToolError> {
        let old = fs::read_to_string(self.dir.join("Cargo.toml"))?;
        let before = format!("version = \"{}\"", self.version()?);
        let new = old.replacen(&before, &format!("version = \"{version}\""), 1);
        fs::write(self.dir.join("Cargo.toml"), new)?;
        Ok(format!("the version is {version}"))
    }

    /// Puts a section at the top of CHANGELOG.md
    #[tool(write)]
    fn changelog(
        &self,
        version: String,
        #[tool_param(min_items = 1)] entries: Vec<Entry>,
    ) -> Result<String, ToolError> {
        let path = self.dir.join("CHANGELOG.md");
        let old = fs::read_to_string(&path).unwrap_or_default();
        let lines = entries
            .iter()
            .map(|entry| format!("- {:?}: {}\n", entry.kind, entry.text));
        fs::write(
            path,
            format!("## {version}\n\n{}\n{old}", lines.collect::<String>()),
        )?;
        Ok(format!("entries: {}", entries.len()))
    }

    /// Commits every change
    #[tool(write)]
    fn commit(
        &self,
        #[tool_param(min_length = 1, max_length = 72)] message: String,
    ) -> Result<String, ToolError> {
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "-m", &message])?;
        Ok("committed".to_owned())
    }

    /// Runs checks, which takes a while
    #[tool(read_only)]
    async fn run_checks(
        &self,
        #[tool_param(min_items = 1)] checks: Vec<Check>,
        cx: &ToolContext,
    ) -> Vec<Finding> {
        let (total, mut found) = (checks.len(), Vec::new());
        for (done, check) in (1_u32..).zip(checks) {
            tokio::time::sleep(Duration::from_millis(5)).await;
            cx.log(LogLevel::Info, &format!("{check:?} is done"));
            cx.progress(done, total, format!("{check:?}"));
            found.push(Finding {
                check,
                passed: true,
            });
        }
        found
    }

    /// Tags the last commit
    #[tool(write, idempotent)]
    fn tag(&self, #[tool_param(pattern = "^v[0-9]")] name: String) -> Result<String, ToolError> {
        self.git(&["tag", "--force", &name])?;
        Ok(format!("tagged {name}"))
    }

    /// Publishes a version. Nobody can take it back. The token is `<secret_ref:registry>`
    #[tool(destructive, secrets(token), open_world)]
    fn publish(
        &self,
        version: String,
        #[tool_param(secret)] token: String,
    ) -> Result<String, ToolError> {
        let body = json!({"name": "lamp", "version": version});
        Ok(post(self.registry, "/publish", Some(&token), &body)?)
    }

    /// Tells people about a release
    #[tool(write, open_world)]
    fn announce(&self, channel: Channel, text: String) -> Result<String, ToolError> {
        let to = match channel {
            Channel::Mail { to } => to,
            Channel::Chat { room, mention } => match mention {
                None => vec![room],
                Some(Mention::Everybody) => vec![room, "@all".to_owned()],
                Some(Mention::Person(name)) => vec![room, format!("@{name}")],
            },
        };
        Ok(post(
            self.registry,
            "/announce",
            None,
            &json!({"to": to, "text": text}),
        )?)
    }
}

impl Release {
    fn git(&self, words: &[&str]) -> io::Result<String> {
        let mut git = Command::new("git");
        for name in [
            "GIT_AUTHOR_NAME",
            "GIT_AUTHOR_EMAIL",
            "GIT_COMMITTER_NAME",
            "GIT_COMMITTER_EMAIL",
        ] {
            git.env(name, "ada@example.com");
        }
        let done = git.current_dir(&self.dir).args(words).output()?;
        if !done.status.success() {
            return Err(io::Error::other(
                String::from_utf8_lossy(&done.stderr).trim().to_owned(),
            ));
        }
        Ok(String::from_utf8_lossy(&done.stdout).trim_end().to_owned())
    }

    fn version(&self) -> io::Result<String> {
        let manifest = fs::read_to_string(self.dir.join("Cargo.toml"))?;
        let version = manifest.split("version = \"").nth(1);
        let version = version.and_then(|rest| rest.split('"').next());
        Ok(version.unwrap_or_default().to_owned())
    }

    /// A package in a new directory, with a commit and a tag.
    pub(crate) fn sample(dir: PathBuf, registry: SocketAddr) -> io::Result<Self> {
        let release = Self { dir, registry };
        fs::write(
            release.dir.join("Cargo.toml"),
            "[package]\nname = \"lamp\"\nversion = \"1.4.2\"\n",
        )?;
        release.git(&["init", "--quiet", "--initial-branch=main"])?;
        release.git(&["add", "--all"])?;
        release.git(&["commit", "--quiet", "-m", "Add the lamp"])?;
        release.git(&["tag", "v1.4.2"])?;
        fs::write(release.dir.join("lamp.rs"), "// It dims.\n")?;
        Ok(release)
    }
}
