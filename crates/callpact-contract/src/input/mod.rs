//! Reads arguments: the [`ToolInput`] trait, the reader, and its reports.

mod constant;
#[cfg(feature = "schemars")]
mod serde_type;
pub mod stream;

#[cfg(feature = "schemars")]
#[cfg_attr(docsrs, doc(cfg(feature = "schemars")))]
pub use serde_type::Serde;

pub use crate::{
    policy::{MAX_DEPTH, Policy},
    read::{
        at::At,
        foreign::{read_foreign, read_foreign_value},
        input::Input,
        reading::{Read, read_str, read_value},
        tool_input::{MapKey, ToolInput},
    },
    report::{Fix, FixKind, Fixes, Issue, IssueKind, Issues, Path, Report, Step, describe_fixes},
    text::{nearest, nearest_of},
};

#[doc(hidden)]
pub use crate::read::foreign::read_foreign_call;
#[doc(hidden)]
pub use constant::{draft, json};

pub mod repair {
    //! Mends a broken text if it can have only one meaning.
    pub use crate::repair::clean_text;
    #[doc(hidden)]
    pub use crate::repair::is_json;
}

#[doc(hidden)]
pub mod generated {
    //! The functions that generated code calls.
    pub use crate::{
        read::{
            fields::{takes_others, width},
            object::{Object, read_object, skip_value, unusable},
            tool_input::put,
            union::{Union, read_union},
        },
        types::{Again, conversion, conversion_inside, nth, pattern, read_choice, validated},
    };
}

#[cfg(test)]
mod tests;
