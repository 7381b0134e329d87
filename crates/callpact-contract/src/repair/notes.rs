//! The fixes made in a text, bounded in number and size.

use crate::{
    policy::Policy,
    report::{Fix, FixKind, Path},
    text::{cut, quoted},
};

/// Classes of changes between two values, with counts; their path is built once for all of them.
#[derive(Default)]
pub(super) struct SeenChanges(Vec<(FixKind, usize)>);

impl SeenChanges {
    pub(super) fn add(&mut self, kind: FixKind) {
        match self.0.iter_mut().find(|(seen, _)| *seen == kind) {
            Some((_, times)) => *times += 1,
            None => self.0.push((kind, 1)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn drain(&mut self) -> impl Iterator<Item = (FixKind, usize)> + '_ {
        self.0.drain(..)
    }
}

/// The fixes of one text.
pub(super) struct RepairNotes {
    policy: Policy,
    pub(super) fixes: Vec<Fix>,
    /// Whether a class of changes was needed that the host does not allow.
    pub(super) refused: bool,
}

impl RepairNotes {
    pub(super) fn new(policy: &Policy) -> Self {
        Self {
            policy: *policy,
            fixes: Vec::new(),
            refused: false,
        }
    }

    /// Whether another fix would be kept; if not, its path need not be built.
    pub(super) fn has_room(&self) -> bool {
        self.fixes.len() < self.policy.max_issues()
    }

    /// Notes a change, never with the content of a string, which may be secret.
    pub(super) fn add(&mut self, kind: FixKind, path: Path, from: &str, to: &str) {
        self.refused |= self.policy.refuses(kind);
        if self.has_room() {
            self.fixes.push(Fix {
                path,
                kind,
                from: from.to_owned().into(),
                to: to.to_owned().into(),
            });
        }
    }

    /// Notes a change that its class fully describes.
    pub(super) fn plain(&mut self, kind: FixKind, path: Path, times: usize) {
        let what = kind.found();
        if times > 1 {
            self.add(kind, path, &format!("{what}, {times} times"), "");
        } else {
            self.add(kind, path, what, "");
        }
    }

    pub(super) fn word(&mut self, path: Path, from: &str, to: &str) {
        self.add(FixKind::PythonLiteral, path, from, to);
    }

    pub(super) fn key(&mut self, path: Path, key: &str) {
        self.add(FixKind::UnquotedKey, path, &cut(key, 64), &quoted(key));
    }
}
