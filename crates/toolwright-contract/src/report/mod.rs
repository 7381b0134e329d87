//! What is wrong with a call and what was mended in it, as data and in words for the model.

mod excerpt;
mod fix;
mod issue;
mod lines;
mod path;
mod secrecy;

pub use fix::{Fix, FixKind};
pub use issue::{Issue, IssueKind};
pub use lines::Report;
pub use path::{Path, Step};
pub(crate) use path::{Place, SHORT};
pub(crate) use secrecy::{A_KEY, NO_END, Told, blot, hide, hide_issue, in_fix, quotes_text};
