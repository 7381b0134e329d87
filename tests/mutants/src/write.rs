//! Writes a file with its mutants, each behind the switch.

use std::{collections::HashSet, ops::Range};

use crate::sites::{Kind, Site};

/// The switch, added to the crate root. It tells which mutant is on. In the tracing run it records
/// the sites that a test visits.
pub(crate) const SWITCH: &str = r#"
#[allow(missing_docs, unreachable_pub)]
#[doc(hidden)]
pub mod mutants {
    use std::{collections::HashSet, io::Write, sync::{LazyLock, Mutex}};

    static ON: LazyLock<usize> = LazyLock::new(|| {
        std::env::var("MUTANT_ON").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
    });
    static TRACE: LazyLock<Option<(std::path::PathBuf, Mutex<HashSet<usize>>)>> = LazyLock::new(|| {
        std::env::var_os("MUTANT_TRACE").map(|path| (path.into(), Mutex::default()))
    });

    pub fn on(site: usize) -> usize {
        if let Some((path, seen)) = &*TRACE
            && let Ok(mut seen) = seen.lock()
            && seen.insert(site)
            && let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path)
        {
            let _ = writeln!(file, "{site}");
        }
        *ON
    }
}
"#;

/// Lints that would reject a mutant although the tests should judge it.
pub(crate) const LINTS: &str =
    "#![allow(arithmetic_overflow, unconditional_panic, overflowing_literals)]\n";

pub(crate) struct Written {
    pub(crate) text: String,
    /// The place of each mutant in the text.
    pub(crate) places: Vec<Mutated>,
}

pub(crate) struct Mutated {
    pub(crate) id: usize,
    pub(crate) range: Range<usize>,
    pub(crate) blame: Blame,
}

/// How to attribute a compile error to a mutant.
pub(crate) enum Blame {
    /// The error is in the mutant's text.
    Inside,
    /// The error says that this `match` lacks arms.
    Incomplete,
}

enum Piece {
    Text(String),
    Mutant(usize, String),
    /// The range in which errors belong to these mutants.
    Start(Vec<usize>),
    End,
}

/// An insertion at one place of the source. At the same place ends come before starts; inner ends
/// and outer starts come first.
struct Insertion {
    at: usize,
    order: (Order, usize),
    pieces: Vec<Piece>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    End,
    Point,
    Start,
}

impl Insertion {
    fn point(at: usize, pieces: Vec<Piece>) -> Self {
        Self {
            at,
            order: (Order::Point, 0),
            pieces,
        }
    }

    /// Text before and after a range. Of equal ranges, the one with the greater `out` is the outer
    /// one.
    fn around(
        range: &Range<usize>,
        out: usize,
        before: Vec<Piece>,
        behind: Vec<Piece>,
    ) -> [Self; 2] {
        let size = range.len() + out;
        [
            Self {
                at: range.start,
                order: (Order::Start, usize::MAX - size),
                pieces: before,
            },
            Self {
                at: range.end,
                order: (Order::End, size),
                pieces: behind,
            },
        ]
    }
}

/// `sites` are the file's sites, with the numbers that the tracing run records.
pub(crate) fn write(source: &str, sites: &[(usize, Site)], dropped: &HashSet<usize>) -> Written {
    let mut insertions = Vec::new();
    for (number, site) in sites {
        let choices: Vec<_> = site
            .choices
            .iter()
            .filter(|(id, _)| !dropped.contains(id))
            .collect();
        if !choices.is_empty() {
            insert(*number, site, &choices, &mut insertions);
        }
    }
    insertions.sort_by(|one, other| (one.at, &one.order).cmp(&(other.at, &other.order)));

    let mut written = Written {
        text: String::with_capacity(source.len() * 2),
        places: Vec::new(),
    };
    let (mut at, mut open) = (0, Vec::new());
    for insertion in insertions {
        written.text.push_str(&source[at..insertion.at]);
        at = insertion.at;
        for piece in insertion.pieces {
            let start = written.text.len();
            match piece {
                Piece::Text(text) => written.text.push_str(&text),
                Piece::Mutant(id, text) => {
                    written.text.push_str(&text);
                    let range = start..written.text.len();
                    written.places.push(Mutated {
                        id,
                        range,
                        blame: Blame::Inside,
                    });
                }
                Piece::Start(ids) => open.push((start, ids)),
                Piece::End => {
                    let (from, ids) = open.pop().expect("as many starts as ends");
                    let of = |id| Mutated {
                        id,
                        range: from..start,
                        blame: Blame::Incomplete,
                    };
                    written.places.extend(ids.into_iter().map(of));
                }
            }
        }
    }
    written.text.push_str(&source[at..]);
    written
}

fn insert(
    number: usize,
    site: &Site,
    choices: &[&(usize, String)],
    insertions: &mut Vec<Insertion>,
) {
    if let Some(matched) = &site.matched {
        let ids = choices.iter().map(|(id, _)| *id).collect();
        insertions.extend(Insertion::around(
            matched,
            2,
            vec![Piece::Start(ids)],
            vec![Piece::End],
        ));
    }
    let text = |text: &str| Piece::Text(text.to_owned());
    let on = format!("crate::mutants::on({number})");
    let ids = choices
        .iter()
        .map(|(id, _)| id.to_string())
        .collect::<Vec<_>>()
        .join("|");
    let not = format!("!matches!({on}, {ids})");
    match site.kind {
        Kind::Body => {
            let mut body = vec![Piece::Text(format!("match {on} {{ "))];
            for (id, value) in choices {
                body.push(Piece::Text(format!("{id} => ")));
                body.push(Piece::Mutant(*id, format!("return {value}")));
                body.push(text(", "));
            }
            body.push(text("_ => {} } "));
            insertions.push(Insertion::point(site.range.start, body));
        }
        Kind::Arm => {
            insertions.push(Insertion::point(
                site.range.start,
                vec![Piece::Text(format!(" if {not}"))],
            ));
        }
        // The mutants of the condition have the same range and stand inside.
        Kind::Condition => {
            let before = vec![Piece::Text(format!("{not} && ("))];
            insertions.extend(Insertion::around(&site.range, 1, before, vec![text(")")]));
        }
        Kind::Expression => {
            let mut before = vec![Piece::Text(format!("(match {on} {{ "))];
            for (id, other) in choices {
                before.push(Piece::Text(format!("{id} => (")));
                before.push(Piece::Mutant(*id, other.clone()));
                before.push(text("), "));
            }
            before.push(text("_ => ("));
            insertions.extend(Insertion::around(
                &site.range,
                0,
                before,
                vec![text(") })")],
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Blame, write};
    use crate::{listed::Mutant, sites};

    /// The mutant as cargo-mutants lists it: the original text and its replacement.
    fn mutant(source: &str, genre: &str, what: &str, replacement: &str) -> Mutant {
        let at = source.find(what).expect("it is there");
        let line = source[..at].matches('\n').count() + 1;
        let column = source[..at]
            .chars()
            .rev()
            .take_while(|found| *found != '\n')
            .count()
            + 1;
        let listed = serde_json::json!({
            "name": "", "file": "", "genre": genre, "replacement": replacement,
            "span": { "start": { "line": line, "column": column } },
        });
        serde_json::from_value(listed).expect("a mutant")
    }

    fn switched(source: &str, mutants: &[(&str, &str, &str)]) -> (String, Vec<usize>, Vec<usize>) {
        let mutants: Vec<_> = (1..)
            .zip(
                mutants
                    .iter()
                    .map(|(genre, what, instead)| mutant(source, genre, what, instead)),
            )
            .collect();
        let found = sites::find(source, &mutants).expect("it parses");
        let sites: Vec<_> = (1..).zip(found.sites).collect();
        let written = write(source, &sites, &HashSet::new());
        syn::parse_file(&written.text).expect("what is written parses");
        for place in written
            .places
            .iter()
            .filter(|place| matches!(place.blame, Blame::Incomplete))
        {
            assert_eq!(&written.text[place.range.clone()], "n");
        }
        (written.text, found.refused, found.left)
    }

    #[test]
    fn selects_outer_and_nested_operators_in_place() {
        let source = "fn f(n: u8) -> bool { é(); n + 1 < 2 }";
        let (text, refused, left) = switched(
            source,
            &[("BinaryOperator", "<", "=="), ("BinaryOperator", "+", "-")],
        );
        assert_eq!(
            text,
            "fn f(n: u8) -> bool { é(); (match crate::mutants::on(1) { 1 => (n + 1 == 2), _ => (\
             (match crate::mutants::on(2) { 2 => (n - 1), _ => (n + 1) }) < 2) }) }"
        );
        assert!(refused.is_empty() && left.is_empty());
    }

    #[test]
    fn arms_and_their_conditions_are_passed_over() {
        let source = "fn f(n: u8) { match n { 1 => a(), 2 if !g() => b(), _ => {} } }";
        let all = [
            ("MatchArm", "1 =>", ""),
            ("MatchArm", "2 if", ""),
            ("MatchArmGuard", "!g()", "true"),
        ];
        let (text, refused, left) = switched(source, &all);
        assert_eq!(
            text,
            "fn f(n: u8) { match n { 1 if !matches!(crate::mutants::on(1), 1) => a(), \
             2 if !matches!(crate::mutants::on(2), 2) && ((match crate::mutants::on(3) { 3 => (true), _ => (!g()) })) \
             => b(), _ => {} } }"
        );
        assert!(refused.is_empty() && left.is_empty());
    }

    #[test]
    fn mutated_body_returns_early_and_field_uses_rest() {
        let source = "fn f() -> S { S { one: -1, ..rest() } }";
        let all = [
            ("FnValue", "S { one", "S::new()"),
            ("StructField", "one", ""),
            ("UnaryOperator", "-1", ""),
        ];
        let (text, refused, left) = switched(source, &all);
        assert_eq!(
            text,
            "fn f() -> S { match crate::mutants::on(1) { 1 => return S::new(), _ => {} } S { one: \
             (match crate::mutants::on(2) { 2 => ((rest()).one), _ => ((match crate::mutants::on(3) { 3 => (1), _ => (-1) })) }), \
             ..rest() } }"
        );
        assert!(refused.is_empty() && left.is_empty());
    }

    #[test]
    fn skips_constant_evaluation_and_bindings() {
        let source = "const fn f(n: u8) -> bool { n == 1 } fn g() { if let 1 = n && h() {} } fn i() -> impl Sized { 7 }";
        let all = [
            ("BinaryOperator", "==", "!="),
            ("BinaryOperator", "&&", "||"),
            ("FnValue", "7", "0"),
        ];
        let (text, refused, left) = switched(source, &all);
        assert_eq!(
            (text.as_str(), refused, left),
            (source, vec![2], vec![1, 3])
        );
    }
}
