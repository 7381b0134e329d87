//! Doc comments as descriptions.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The doc comment as running text. The lines of a paragraph are joined; paragraphs, items of a list
/// and lines of a code block stay apart.
pub(crate) fn description(attrs: &[Attribute]) -> String {
    let mut out = String::new();
    let mut gap = "";
    // The mark that closes the open code block.
    let mut fence = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        let Meta::NameValue(pair) = &attr.meta else {
            continue;
        };
        let Some(text) = text(&pair.value) else {
            continue;
        };
        // A block comment is one attribute with many lines, which may begin with a star.
        let starred = text.contains('\n')
            && text
                .lines()
                .skip(1)
                .all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
        for line in text.split('\n') {
            let line = match line.trim_start().strip_prefix('*') {
                Some(rest) if starred => rest,
                _ => line,
            };
            let words = line.trim();
            let mark = ["```", "~~~"]
                .into_iter()
                .find(|mark| words.starts_with(mark));
            if fence.is_some() {
                out.push('\n');
                out.push_str(line.strip_prefix(' ').unwrap_or(line).trim_end());
                if mark == fence {
                    fence = None;
                    gap = "\n";
                }
                continue;
            }
            if words.is_empty() {
                gap = "\n\n";
                continue;
            }
            if gap.is_empty() {
                gap = if mark.is_some() || starts_an_item(words) {
                    "\n"
                } else {
                    " "
                };
            }
            if !out.is_empty() {
                out.push_str(gap);
            }
            out.push_str(words);
            gap = "";
            fence = mark;
        }
    }
    out
}

/// The first doc attribute that is a macro such as `concat!(…)`, whose text is not known yet.
pub(crate) fn find_macro(attrs: &[Attribute]) -> Option<&Expr> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .find_map(|attr| match &attr.meta {
            Meta::NameValue(pair) if text(&pair.value).is_none() => Some(&pair.value),
            _ => None,
        })
}

/// The text of a string literal, even inside the invisible group of a macro.
fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        Expr::Group(group) => text(&group.expr),
        _ => None,
    }
}

/// Whether a line starts an item of a list.
fn starts_an_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || rest.len() < line.len() && rest.starts_with(". ")
}

#[cfg(test)]
mod tests {
    use syn::{Attribute, parse_quote};

    fn of(attrs: &[Attribute]) -> String {
        super::description(attrs)
    }

    #[test]
    fn lines_are_joined_and_paragraphs_stay_apart() {
        let attrs = [
            parse_quote!(#[doc = " One"]),
            parse_quote!(#[doc = " two."]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = " Three"]),
        ];
        assert_eq!(of(&attrs), "One two.\n\nThree");
    }

    #[test]
    fn items_of_a_list_stay_apart() {
        let attrs = [
            parse_quote!(#[doc = " Either"]),
            parse_quote!(#[doc = " - one"]),
            parse_quote!(#[doc = "   or so"]),
            parse_quote!(#[doc = " - 2. two"]),
        ];
        assert_eq!(of(&attrs), "Either\n- one or so\n- 2. two");
    }

    #[test]
    fn block_comments() {
        let attrs = [parse_quote!(#[doc = "\n * One\n * two.\n *\n * * item\n "])];
        assert_eq!(of(&attrs), "One two.\n\n* item");
        let attrs = [parse_quote!(#[doc = " One\n two. "])];
        assert_eq!(of(&attrs), "One two.");
    }

    #[test]
    fn code_blocks_keep_their_lines() {
        let attrs = [
            parse_quote!(#[doc = " Such as"]),
            parse_quote!(#[doc = " ```json"]),
            parse_quote!(#[doc = " {"]),
            parse_quote!(#[doc = "   \"a\": 1"]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = " }"]),
            parse_quote!(#[doc = " ```"]),
            parse_quote!(#[doc = " and so"]),
            parse_quote!(#[doc = " on."]),
        ];
        assert_eq!(
            of(&attrs),
            "Such as\n```json\n{\n  \"a\": 1\n\n}\n```\nand so on."
        );
        let attrs = [parse_quote!(#[doc = "\n * ~~~\n * a\n *   b\n * ~~~\n "])];
        assert_eq!(of(&attrs), "~~~\na\n  b\n~~~");
    }

    #[test]
    fn other_attributes_are_left_alone() {
        assert_eq!(
            of(&[parse_quote!(#[doc(hidden)]), parse_quote!(#[serde(x)])]),
            ""
        );
    }
}
