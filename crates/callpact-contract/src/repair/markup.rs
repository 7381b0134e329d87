//! Markup of a call that leaked into a string, and may have swallowed the parameters after it.

/// Whether a text needs a closer check. It is cheap, because every accepted text is tested.
pub(crate) fn is_suspect(text: &str) -> bool {
    // `<` may be escaped, but not the words: no model escapes letters.
    let bytes = text.as_bytes();
    (bytes.contains(&b'<') || text.contains("\\u003c") || text.contains("\\u003C"))
        && (text.contains("parameter") || text.contains("invoke"))
}

/// The closing tags at the end of a text that have no opening tag in it.
pub(crate) fn closing_mark(text: &str) -> Option<&str> {
    let end = text.trim_end();
    ["parameter", "invoke"].into_iter().find_map(|tag| {
        let mark = closes(end, tag)?;
        (end.matches(mark).count() > opened(end, tag)).then_some(mark)
    })
}

/// The names in `<parameter name="…">`.
pub(crate) fn swallowed_names(value: &str) -> impl Iterator<Item = &str> {
    value
        .split("parameter name=\"")
        .skip(1)
        .filter_map(|behind| {
            let (name, _) = behind.split_once('"')?;
            (name.len() <= 64).then_some(name)
        })
}

/// The closing tag at the end of a text, with or without a namespace.
fn closes<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let mark = text.get(text.rfind("</")?..)?;
    let name = mark.strip_prefix("</")?.strip_suffix('>')?;
    let plain = name.rsplit_once(':').map_or(name, |(_, name)| name);
    (plain == tag).then_some(mark)
}

fn opened(text: &str, tag: &str) -> usize {
    text.split('<')
        .skip(1)
        .filter(|behind| {
            let name = behind
                .split(['>', ' ', '\n', '/'])
                .next()
                .unwrap_or_default();
            let plain = name.rsplit_once(':').map_or(name, |(_, name)| name);
            plain == tag
        })
        .count()
}
