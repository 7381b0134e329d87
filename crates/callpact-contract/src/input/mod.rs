//! Reads arguments: the [`ToolInput`] trait, the reader, and its reports.

pub(crate) mod constant;
mod foreign;
pub(crate) mod partial;
mod read;
#[cfg(feature = "schemars")]
mod serde_type;
pub mod stream;
mod watch;

#[cfg(feature = "schemars")]
#[cfg_attr(docsrs, doc(cfg(feature = "schemars")))]
pub use serde_type::Serde;

pub use crate::{
    policy::{MAX_DEPTH, Policy},
    read::{MapKey, ToolInput},
    report::{Fix, FixKind, Fixes, Issue, IssueKind, Path, Report, Step, describe_fixes},
    text::{nearest, nearest_of},
};
pub use foreign::{read_foreign, read_foreign_value};
pub use partial::PartialInput;
pub use read::{Read, read_str, read_value};

#[doc(hidden)]
pub use foreign::{WrittenArguments, read_foreign_call, read_text};
#[doc(hidden)]
pub use read::{read_str_quickly, read_str_thoroughly};

pub mod repair {
    //! Mends a broken text if it can have only one meaning.
    pub use crate::repair::clean_text;
    #[doc(hidden)]
    pub use crate::repair::{cut_off_call, is_json};
}

#[cfg(test)]
mod tests;
