//! The faults of a call and the fixes made in it, as data and in words for the model.

mod change;
mod excerpt;
mod expected;
mod fix;
mod fixes;
mod group;
mod hint;
mod issue;
mod issues;
mod lines;
mod path;
mod propose;
mod room;
mod secrecy;
mod trail;

pub use fix::{Fix, FixKind, describe_fixes};
pub use fixes::Fixes;
pub(crate) use hint::{Trial, add_hints};
pub(crate) use issue::{Clue, FoundForm, Shown, WantedKind};
pub use issue::{Issue, IssueKind};
pub use issues::Issues;
pub use lines::Report;
pub use path::Path;
pub(crate) use propose::{Refused, meant_by};
pub(crate) use secrecy::{hide, hide_issue, is_secret_at};
pub(crate) use trail::Part;
pub use trail::Step;
