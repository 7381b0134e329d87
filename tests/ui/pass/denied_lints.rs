//! Generated code gives no warning, whatever is denied.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    non_camel_case_types,
    non_snake_case,
    private_bounds,
    private_interfaces,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unused,
    unused_extern_crates,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    rust_2018_idioms,
    future_incompatible
)]
#![allow(dead_code)]

mod inner {
    use std::{collections::BTreeMap, marker::PhantomData};

    use callpact::{ToolInput, ToolOutput};

    #[derive(Debug, Default, ToolInput)]
    pub(crate) struct Unit;

    /// With private fields of private types.
    #[derive(Debug, ToolInput)]
    #[tool_input(validate = Args::fine)]
    pub(crate) struct Args {
        r#type: String,
        #[tool_param(rename = "$ref", any_name)]
        reference: String,
        title: Option<String>,
        #[tool_param(pattern = "^a", min_length = 1, default = "abc", secret)]
        __at: String,
        #[tool_param(default)]
        __slots: u8,
        #[tool_param(default = seven)]
        __field: u8,
        #[tool_param(default = SEVEN)]
        __map: u8,
        #[tool_param(with = Private)]
        __value0: u32,
        #[tool_param(with = Private)]
        __value1: Option<u32>,
        #[tool_param(skip)]
        __value2: Vec<Private>,
        #[tool_param(flatten)]
        private: Private2,
        #[tool_param(flatten)]
        rest: BTreeMap<String, Names>,
        #[tool_param()]
        names: Names,
    }

    const SEVEN: u8 = 7;

    fn seven() -> u8 {
        SEVEN
    }

    impl Args {
        fn fine(&self) -> Result<(), String> {
            Err(format!("{self:?}"))
        }
    }

    #[derive(Debug, Clone, Copy, ToolInput)]
    pub(crate) struct Private(u8);

    impl From<Private> for u32 {
        fn from(value: Private) -> Self {
            Self::from(value.0)
        }
    }

    #[derive(Debug, Clone, Copy, ToolInput)]
    pub(crate) struct Private2 {
        limit: Private,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ToolInput)]
    pub(crate) enum Names {
        One,
    }

    #[derive(Debug, ToolInput)]
    #[tool_input(tag = "type", rename_all_fields = "camelCase", validate = Tagged::fine)]
    pub(crate) enum Tagged<T: Copy, const N: usize>
    where
        T: Default,
    {
        #[tool_param(alias = "first")]
        A {
            the_first: [T; N],
            #[tool_param(flatten)]
            private: Private2,
            #[tool_param(recursive)]
            again: Option<Box<Self>>,
        },
        B(Private2),
        C,
        D {},
    }

    impl<T: Copy + Default, const N: usize> Tagged<T, N> {
        fn fine(&self) -> Result<(), &'static str> {
            Ok(())
        }
    }

    /// What goes on being read for a while.
    #[derive(Debug, ToolInput)]
    pub(crate) struct Old {
        #[deprecated]
        name: Option<String>,
        #[deprecated(note = "nobody reads it")]
        #[tool_param(default = 5)]
        limit: u8,
        #[deprecated]
        #[tool_param(skip)]
        skipped: u8,
        form: Option<OldForm>,
        names: Option<OldNames>,
    }

    #[derive(Debug, ToolInput)]
    pub(crate) enum OldForm {
        #[deprecated]
        A {
            #[deprecated]
            a: u8,
        },
        #[deprecated]
        B(u8),
        #[deprecated]
        C(u8, u8),
        #[deprecated]
        D,
    }

    #[derive(Debug, Clone, Copy, ToolInput)]
    pub(crate) enum OldNames {
        #[deprecated]
        One,
        Two,
    }

    #[deprecated]
    #[derive(Debug, Clone, Copy, serde::Serialize, ToolInput, ToolOutput)]
    pub(crate) struct OldType {
        limit: u8,
    }

    #[derive(Debug, ToolInput)]
    pub(crate) enum External<T> {
        A { a: T },
        B(u8, Private),
        C(Private),
        D(),
        E,
    }

    #[derive(Debug, ToolInput)]
    #[tool_input(untagged)]
    pub(crate) enum Untagged {
        A { a: Private },
        B(u8, Private),
        C(Private),
    }

    #[derive(Debug, ToolInput)]
    pub(crate) struct Generic<T, U: Iterator, S = String> {
        item: Option<T>,
        next: Vec<U::Item>,
        more: S,
        #[tool_param(skip)]
        marker: PhantomData<U>,
    }
}

use callpact::{Policy, ToolInput, read_str};

fn read<T: ToolInput + std::fmt::Debug>(text: &str) {
    println!("{:?}", read_str::<T>(text, &Policy::exact()));
}

fn main() {
    read::<inner::Unit>("{}");
    read::<inner::Args>("{}");
    read::<inner::Old>("{}");
    read::<inner::Names>("{}");
    read::<inner::Tagged<u8, 4>>("{}");
    read::<inner::External<inner::Names>>("{}");
    read::<inner::Untagged>("{}");
    read::<inner::Generic<u8, std::vec::IntoIter<bool>>>("{}");
}
