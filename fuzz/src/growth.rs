//! The work of a reading grows with the text. Declarations that contain themselves count their values as they are
//! read, whichever forms are tried for them.

use std::{cell::Cell, collections::BTreeMap};

use callpact::{Policy, ToolInput, read_str};

use super::text_of;

thread_local! {
    static READ: Cell<usize> = const { Cell::new(0) };
}

/// A number whose conversion counts each time that it is made.
struct Counted;

impl From<u32> for Counted {
    fn from(_: u32) -> Self {
        READ.set(READ.get() + 1);
        Self
    }
}

#[derive(ToolInput)]
#[serde(untagged)]
#[allow(dead_code)] // only what is counted matters
enum Expression {
    Number(#[tool_param(with = u32)] Counted),
    Text(String),
    List(#[tool_param(recursive)] Vec<Expression>),
}

#[derive(ToolInput)]
#[serde(untagged)]
#[allow(dead_code)]
enum Filter {
    And {
        #[tool_param(recursive)]
        and: Vec<Filter>,
    },
    Or {
        #[tool_param(recursive)]
        or: Vec<Option<Filter>>,
    },
    Not {
        #[tool_param(recursive)]
        not: Box<Filter>,
    },
    Named {
        #[tool_param(recursive)]
        named: BTreeMap<String, Filter>,
    },
    Leaf {
        #[tool_param(with = u32)]
        leaf: Counted,
    },
}

#[derive(ToolInput)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Tagged {
    Leaf {
        #[tool_param(with = u32)]
        size: Counted,
    },
    Node {
        #[tool_param(recursive)]
        items: Vec<Tagged>,
        #[tool_param(with = u32)]
        size: Option<Counted>,
    },
}

#[derive(ToolInput)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code)]
enum Beside {
    Leaf(#[tool_param(with = u32)] Counted),
    Node(#[tool_param(recursive)] Vec<Beside>),
}

#[derive(ToolInput)]
#[allow(dead_code)]
enum Outside {
    Leaf(#[tool_param(with = u32)] Counted),
    Node(#[tool_param(recursive)] Vec<Outside>),
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Call {
    expression: Option<Expression>,
    filter: Option<Filter>,
    tagged: Option<Tagged>,
    beside: Option<Beside>,
    outside: Option<Outside>,
}

/// How often a value may be read for each byte of the text: by each variant of a union, exactly and with conversions,
/// and once more for a hint.
const EACH: usize = 32;

/// Any text, as a model would write the arguments.
pub fn check(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        READ.set(0);
        let read = read_str::<Call>(text, &policy);
        let most = EACH * text.len();
        let count = READ.get();
        assert!(
            count <= most,
            "{count} values read of {} bytes, {}: {text}",
            text.len(),
            read.is_ok()
        );
    }
}
