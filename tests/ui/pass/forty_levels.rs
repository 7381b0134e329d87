//! Structs with two fields of the next struct, 40 levels deep: the compiler must not visit a level twice for each
//! visit of the level above, or it would not end.

#![recursion_limit = "1024"]

use callpact::{Policy, ToolInput, read_str};

macro_rules! levels {
    ($name:ident $next:ident $($rest:ident)*) => {
        #[derive(ToolInput)]
        #[allow(dead_code)] // a declaration
        struct $name {
            left: Box<$next>,
            right: Box<$next>,
        }

        levels!($next $($rest)*);
    };
    ($last:ident) => {
        #[derive(ToolInput)]
        #[allow(dead_code)] // a declaration
        struct $last {
            text: String,
        }
    };
}

levels! {
    L0 L1 L2 L3 L4 L5 L6 L7 L8 L9 L10 L11 L12 L13 L14 L15 L16 L17 L18 L19
    L20 L21 L22 L23 L24 L25 L26 L27 L28 L29 L30 L31 L32 L33 L34 L35 L36 L37 L38 L39
}

fn main() {
    assert!(read_str::<L0>("[]", &Policy::exact()).is_err());
}
