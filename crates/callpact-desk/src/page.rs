//! The files of the page.

use crate::answer::{DeskAnswer, bytes};

const FILES: &[(&str, &str, &str)] = &[
    (
        "/",
        "text/html; charset=utf-8",
        include_str!("../page/index.html"),
    ),
    (
        "/desk.css",
        "text/css; charset=utf-8",
        include_str!("../page/desk.css"),
    ),
    ("/call.js", SCRIPT, include_str!("../page/call.js")),
    ("/desk.js", SCRIPT, include_str!("../page/desk.js")),
    ("/dom.js", SCRIPT, include_str!("../page/dom.js")),
    ("/editor.js", SCRIPT, include_str!("../page/editor.js")),
    ("/events.js", SCRIPT, include_str!("../page/events.js")),
    ("/form.js", SCRIPT, include_str!("../page/form.js")),
    ("/inbox.js", SCRIPT, include_str!("../page/inbox.js")),
    ("/servers.js", SCRIPT, include_str!("../page/servers.js")),
    ("/session.js", SCRIPT, include_str!("../page/session.js")),
    ("/tools.js", SCRIPT, include_str!("../page/tools.js")),
    ("/trace.js", SCRIPT, include_str!("../page/trace.js")),
    ("/try.js", SCRIPT, include_str!("../page/try.js")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The file at a path.
pub(crate) fn find(path: &str) -> Option<DeskAnswer> {
    let path = if path.is_empty() { "/" } else { path };
    let (_, kind, text) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some(bytes(kind, text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::FILES;

    #[test]
    fn page_is_small_and_self_contained() {
        let size: usize = FILES.iter().map(|(.., text)| text.len()).sum();
        assert!(size <= 150_000, "the page has {size} bytes");
        for (name, _, text) in FILES {
            assert!(!text.contains("://"), "{name} names an address");
            for inline in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "eval(",
                "style=",
                "onclick=",
            ] {
                assert!(!text.contains(inline), "{name} has {inline}");
            }
        }
    }
}
