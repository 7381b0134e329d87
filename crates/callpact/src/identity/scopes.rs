//! What the scopes of an identity allow.

use super::Identity;
use crate::tool::{PermissionMode, ToolContext};

/// Which scopes allow what: a permission mode for the calls of an identity, and the role that it acts for.
///
/// Scopes add up: of several modes, the widest counts, in the order `Deny`, `Ask`, `AskDestructive`,
/// `AllowAll`. A caller without an identity, or without a scope that has a mode, gets `Deny`, so only tools
/// that read run.
///
/// ```
/// use callpact::{PermissionMode, identity::{Identity, ScopeRules}};
///
/// let rules = ScopeRules::new()
///     .mode("tools:write", PermissionMode::AskDestructive)
///     .mode("tools:admin", PermissionMode::AllowAll)
///     .role("tools:admin", "ops");
/// let ada = Identity::new("ada").with_scope("tools:write");
/// assert_eq!(rules.mode_of(Some(&ada)), PermissionMode::AskDestructive);
/// assert_eq!(rules.role_of(Some(&ada)), None);
/// let grace = ada.with_scope("tools:admin");
/// assert_eq!(rules.mode_of(Some(&grace)), PermissionMode::AllowAll);
/// assert_eq!(rules.role_of(Some(&grace)), Some("ops"));
/// assert_eq!(rules.mode_of(None), PermissionMode::Deny);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScopeRules {
    modes: Vec<(String, PermissionMode)>,
    roles: Vec<(String, String)>,
}

impl ScopeRules {
    /// No rules: everybody may only read.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the calls of a scope a mode.
    #[must_use]
    pub fn mode(mut self, scope: impl Into<String>, mode: PermissionMode) -> Self {
        self.modes.push((scope.into(), mode));
        self
    }

    /// Lets a scope act for a role. If several rules match, the first one counts.
    #[must_use]
    pub fn role(mut self, scope: impl Into<String>, role: impl Into<String>) -> Self {
        self.roles.push((scope.into(), role.into()));
        self
    }

    /// The mode for the calls of an identity.
    pub fn mode_of(&self, who: Option<&Identity>) -> PermissionMode {
        of_scopes(&self.modes, who)
            .into_iter()
            .copied()
            .max_by_key(|mode| match mode {
                PermissionMode::Deny => 0,
                PermissionMode::Ask => 1,
                PermissionMode::AskDestructive => 2,
                PermissionMode::AllowAll => 3,
            })
            .unwrap_or(PermissionMode::Deny)
    }

    /// The role that an identity acts for.
    pub fn role_of(&self, who: Option<&Identity>) -> Option<&str> {
        let roles = of_scopes(&self.roles, who);
        roles.first().map(|role| role.as_str())
    }

    /// The context for the calls of an identity: with its name as the caller, its mode, and its role if it
    /// has one.
    pub fn apply(&self, who: Option<&Identity>, cx: ToolContext) -> ToolContext {
        let cx = cx.with_permissions(self.mode_of(who));
        let cx = match self.role_of(who) {
            Some(role) => cx.with_role(role),
            None => cx,
        };
        match who {
            Some(who) => cx.with_caller(&who.name),
            None => cx,
        }
    }
}

/// The values that the rules give to the scopes of an identity, in the order of the rules.
fn of_scopes<'a, T>(rules: &'a [(String, T)], who: Option<&Identity>) -> Vec<&'a T> {
    let has = |scope: &str| who.is_some_and(|who| who.has_scope(scope));
    let given = rules.iter().filter(|(scope, _)| has(scope));
    given.map(|(_, given)| given).collect()
}
