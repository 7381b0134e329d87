//! The effect of each element on the text.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementKind {
    /// Left out with all its content.
    Dropped,
    /// Starts and ends a line.
    Block,
    /// A line break without content.
    Break,
    /// A table cell.
    Cell,
    /// Has no content.
    Void,
    Title,
    Other,
}

impl ElementKind {
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"title" => Self::Title,
            b"script" | b"style" | b"nav" | b"footer" | b"header" | b"noscript" | b"svg"
            | b"math" | b"template" | b"iframe" | b"object" | b"canvas" | b"audio" | b"video"
            | b"datalist" | b"noframes" | b"noembed" => Self::Dropped,
            b"br" | b"hr" => Self::Break,
            b"td" | b"th" => Self::Cell,
            b"area" | b"base" | b"col" | b"embed" | b"img" | b"input" | b"link" | b"meta"
            | b"param" | b"source" | b"track" | b"wbr" => Self::Void,
            _ if block_name(name).is_some() => Self::Block,
            _ => Self::Other,
        }
    }
}

/// The name of a block element, as a constant. Only these are counted, so a page with invented
/// names cannot fill the memory.
pub(super) fn block_name(name: &[u8]) -> Option<&'static str> {
    const BLOCKS: &[&str] = &[
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "html",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "optgroup",
        "option",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "textarea",
        "tfoot",
        "thead",
        "tr",
        "ul",
    ];
    let at = BLOCKS
        .binary_search_by(|block| block.as_bytes().cmp(name))
        .ok()?;
    BLOCKS.get(at).copied()
}
