//! How far a tool reaches, and what is asked before it does.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// How far a tool reaches.
///
/// ```
/// use toolwright::Permission;
///
/// assert!(Permission::ReadOnly < Permission::Destructive);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// Changes nothing: running it twice or not at all is the same to the world.
    ReadOnly,
    /// Changes something, in a way that can be undone or repeated.
    Write,
    /// Changes something that cannot be brought back.
    Destructive,
}

impl Permission {
    /// The name in logs and in configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::Write => "write",
            Self::Destructive => "destructive",
        }
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which calls a person is asked about.
///
/// Without a mode, everything above [`Permission::ReadOnly`] is asked about when there is a
/// reviewer. A mode that was set and that asks needs a reviewer: without one the call halts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionMode {
    /// Nothing is asked.
    AllowAll,
    /// Everything above read-only is asked about.
    Ask,
    /// Only what is destructive is asked about.
    AskDestructive,
    /// Everything above read-only is refused without asking.
    Deny,
}

/// What a mode makes of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    Ask,
    Deny,
}

impl PermissionMode {
    /// The name in configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllowAll => "allow_all",
            Self::Ask => "ask",
            Self::AskDestructive => "ask_destructive",
            Self::Deny => "deny",
        }
    }

    #[allow(clippy::match_same_arms)] // one line a mode
    pub(crate) fn verdict(self, permission: Permission) -> Verdict {
        match (self, permission) {
            (Self::AllowAll, _) | (_, Permission::ReadOnly) => Verdict::Allow,
            (Self::AskDestructive, Permission::Write) => Verdict::Allow,
            (Self::Ask | Self::AskDestructive, _) => Verdict::Ask,
            (Self::Deny, _) => Verdict::Deny,
        }
    }
}

impl fmt::Display for PermissionMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PermissionMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        [Self::AllowAll, Self::Ask, Self::AskDestructive, Self::Deny]
            .into_iter()
            .find(|mode| mode.name() == name.replace('-', "_"))
            .ok_or_else(|| {
                format!("unknown mode `{name}`: write allow_all, ask, ask_destructive or deny")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::{Permission, PermissionMode, Verdict};

    #[test]
    fn every_mode_and_permission() {
        use Permission::{Destructive, ReadOnly, Write};
        use Verdict::{Allow, Ask, Deny};
        for (mode, verdicts) in [
            (PermissionMode::AllowAll, [Allow, Allow, Allow]),
            (PermissionMode::Ask, [Allow, Ask, Ask]),
            (PermissionMode::AskDestructive, [Allow, Allow, Ask]),
            (PermissionMode::Deny, [Allow, Deny, Deny]),
        ] {
            let found = [ReadOnly, Write, Destructive].map(|permission| mode.verdict(permission));
            assert_eq!(found, verdicts, "{mode}");
        }
    }
}
