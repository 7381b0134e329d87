//! What the programs share; and the pages of `docs/` and the README, compiled as doc-tests.

/// JSON text over several lines, its keys in the order they have.
///
/// ```
/// assert_eq!(
///     toolwright_examples::pretty(r#"{"b":[1,"x{"],"a":{}}"#),
///     "{\n  \"b\": [\n    1,\n    \"x{\"\n  ],\n  \"a\": {}\n}",
/// );
/// ```
pub fn pretty(json: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut chars = json.chars().peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    while let Some(c) = chars.next() {
        match c {
            '{' | '[' => {
                out.push(c);
                if let Some(end) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' => {
                out.push(c);
                while let Some(inside) = chars.next() {
                    out.push(inside);
                    match inside {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(doctest)]
mod pages {
    macro_rules! pages {
        ($($name:ident = $path:literal;)*) => {$(
            #[doc = include_str!($path)]
            struct $name;
        )*};
    }

    pages! {
        Readme = "../README.md";
        Index = "../docs/README.md";
        Approval = "../docs/approval.md";
        Attributes = "../docs/attributes.md";
        Benchmarks = "../docs/benchmarks.md";
        Decisions = "../docs/decisions.md";
        DecisionsOfTheRuntime = "../docs/decisions-runtime.md";
        Deriving = "../docs/deriving.md";
        Errors = "../docs/errors.md";
        Functions = "../docs/functions.md";
        Leniency = "../docs/leniency.md";
        Migrating = "../docs/migrating.md";
        Pipelines = "../docs/pipelines.md";
        Providers = "../docs/providers.md";
        Repair = "../docs/repair.md";
        Secrets = "../docs/secrets.md";
        Security = "../docs/security.md";
        Testing = "../docs/testing-your-tools.md";
        Tools = "../docs/tools.md";
        ToolsAndResults = "../docs/tools-and-results.md";
    }
}

#[cfg(test)]
mod guide_tests;
