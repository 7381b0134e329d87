//! How far a tool reaches, and what is asked first.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// How far a tool reaches.
///
/// ```
/// use callpact::Permission;
///
/// assert!(Permission::ReadOnly < Permission::Destructive);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "policies must decide about each level"
)]
pub enum Permission {
    /// Changes nothing: running it twice or not at all is the same to the world.
    ReadOnly,
    /// Changes something in a way that can be undone or repeated.
    Write,
    /// Changes something that cannot be restored.
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

impl FromStr for Permission {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        [Self::ReadOnly, Self::Write, Self::Destructive]
            .into_iter()
            .find(|permission| permission.name() == name.replace('-', "_"))
            .ok_or_else(|| UnknownName::new("permission", name, "read_only, write or destructive"))
    }
}

/// An unknown name in configuration, with the names that are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    of: &'static str,
    name: String,
    known: &'static str,
}

impl UnknownName {
    fn new(of: &'static str, name: &str, known: &'static str) -> Self {
        Self {
            of,
            name: name.chars().take(64).collect(),
            known,
        }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, name, known } = self;
        write!(f, "unknown {of} `{name}`: write {known}")
    }
}

impl std::error::Error for UnknownName {}

/// Which calls a person is asked about.
///
/// Without a mode, everything above [`Permission::ReadOnly`] is asked about when there is a
/// reviewer. A mode that was set and that asks needs a reviewer: without one the call halts.
///
/// ```
/// use callpact::PermissionMode;
///
/// assert_eq!("ask_destructive".parse(), Ok(PermissionMode::AskDestructive));
/// assert_eq!(
///     "never".parse::<PermissionMode>().unwrap_err().to_string(),
///     "unknown mode `never`: write allow_all, ask, ask_destructive or deny",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PermissionMode {
    /// A person is asked about nothing.
    AllowAll,
    /// A person is asked about everything above read-only.
    Ask,
    /// A person is asked only about destructive calls.
    AskDestructive,
    /// Everything above read-only is refused without asking.
    Deny,
}

/// The verdict of a mode on one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PermissionVerdict {
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

    /// Whether calls with this permission are refused without asking.
    ///
    /// ```
    /// use callpact::{Permission, PermissionMode};
    ///
    /// assert!(PermissionMode::Deny.denies(Permission::Write));
    /// assert!(!PermissionMode::Deny.denies(Permission::ReadOnly));
    /// assert!(!PermissionMode::Ask.denies(Permission::Destructive));
    /// ```
    pub fn denies(self, permission: Permission) -> bool {
        self.verdict(permission) == PermissionVerdict::Deny
    }

    #[allow(clippy::match_same_arms)] // one line for each mode
    pub(crate) fn verdict(self, permission: Permission) -> PermissionVerdict {
        match (self, permission) {
            (Self::AllowAll, _) | (_, Permission::ReadOnly) => PermissionVerdict::Allow,
            (Self::AskDestructive, Permission::Write) => PermissionVerdict::Allow,
            (Self::Ask | Self::AskDestructive, _) => PermissionVerdict::Ask,
            (Self::Deny, _) => PermissionVerdict::Deny,
        }
    }
}

impl fmt::Display for PermissionMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PermissionMode {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        [Self::AllowAll, Self::Ask, Self::AskDestructive, Self::Deny]
            .into_iter()
            .find(|mode| mode.name() == name.replace('-', "_"))
            .ok_or_else(|| {
                UnknownName::new("mode", name, "allow_all, ask, ask_destructive or deny")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::{Permission, PermissionMode, PermissionVerdict};

    #[test]
    fn every_name_leads_back() {
        use Permission::{Destructive, ReadOnly, Write};
        for permission in [ReadOnly, Write, Destructive] {
            assert_eq!(permission.to_string().parse(), Ok(permission));
        }
        assert_eq!("read-only".parse(), Ok(ReadOnly));
        for mode in [
            PermissionMode::AllowAll,
            PermissionMode::Ask,
            PermissionMode::AskDestructive,
            PermissionMode::Deny,
        ] {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert_eq!(
            "ask-destructive".parse(),
            Ok(PermissionMode::AskDestructive)
        );
        let error = "x".repeat(99).parse::<Permission>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "unknown permission `{}`: write read_only, write or destructive",
                "x".repeat(64)
            ),
        );
    }

    #[test]
    fn every_mode_and_permission() {
        use Permission::{Destructive, ReadOnly, Write};
        use PermissionVerdict::{Allow, Ask, Deny};
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
