//! The faults of a call and the fixes made in it, as data and in words for the model.

mod excerpt;
mod expected;
mod fix;
mod fixes;
mod group;
mod issue;
mod issues;
mod lines;
mod path;
mod room;
mod secrecy;
mod trail;

pub use fix::{Fix, FixKind, describe_fixes};
pub use fixes::Fixes;
pub(crate) use issue::{Clue, Shown};
pub use issue::{Issue, IssueKind};
pub use issues::Issues;
pub use lines::Report;
pub use path::Path;
pub(crate) use secrecy::{hide, hide_issue};
pub(crate) use trail::Part;
pub use trail::Step;
