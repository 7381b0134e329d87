//! The name of a variant that there is not, where it may be shown and where not.

use crate::{Policy, ToolInput, read_str};

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
enum Named {
    Circle(f64),
    Square(f64),
}

#[derive(ToolInput)]
#[tool_input(tag = "kind")]
#[allow(dead_code)] // a declaration
enum Tagged {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Shown<T> {
    it: T,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Secret<T> {
    #[tool_param(secret)]
    it: T,
}

fn line<T: ToolInput>(text: &str) -> String {
    let Err(report) = read_str::<T>(text, &Policy::lax()) else {
        panic!("accepted: {text}")
    };
    assert_eq!(report.issues.len(), 1, "{report}");
    report.issues[0].to_string()
}

#[test]
fn a_name_that_is_near_unless_it_is_secret() {
    let (named, tagged) = (r#"{"it": "squaer"}"#, r#"{"it": {"kind": "squaer"}}"#);
    for shown in [line::<Shown<Named>>(named), line::<Shown<Tagged>>(tagged)] {
        assert!(
            shown.ends_with("found \"squaer\"; did you mean \"Square\"?"),
            "{shown}"
        );
    }
    for hidden in [line::<Secret<Named>>(named), line::<Secret<Tagged>>(tagged)] {
        assert!(hidden.ends_with("found a string (not shown)"), "{hidden}");
    }
}
