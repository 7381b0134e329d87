//! The faults of a call and the fixes made in it, as data and in words for the model.

mod excerpt;
mod fix;
mod fixes;
mod group;
mod issue;
mod path;
#[allow(clippy::module_inception)] // the page of the public type
mod report;
mod secrecy;
mod step;

pub(crate) use excerpt::variant_form;
pub use fix::{Fix, FixKind, describe_fixes};
pub use fixes::Fixes;
pub use issue::{Issue, IssueKind};
pub(crate) use issue::{IssueClue, ShownText};
pub use path::Path;
pub use report::Report;
pub(crate) use secrecy::{hide, hide_issue};
pub use step::Step;
