//! What an edit changes, line by line.

use serde_json::{Value, json};

/// The most pairs of lines that are compared; above it, all lines differ.
const PAIRS: usize = 1_000_000;

/// The lines of two texts: `-` for lines only in the first, `+` for lines only in the second.
pub(crate) fn lines(before: &str, after: &str) -> Value {
    let one: Vec<_> = before.split('\n').collect();
    let two: Vec<_> = after.split('\n').collect();
    let width = two.len() + 1;
    // How many lines the tails from a pair on have in common, in the same order.
    let mut same = vec![
        0_u32;
        if one.len() * two.len() > PAIRS {
            0
        } else {
            (one.len() + 1) * width
        }
    ];
    let common = |same: &[u32], i: usize, j: usize| same.get(i * width + j).copied().unwrap_or(0);
    for i in (0..one.len()).rev() {
        for j in (0..two.len()).rev() {
            let longest = if one[i] == two[j] {
                common(&same, i + 1, j + 1) + 1
            } else {
                common(&same, i + 1, j).max(common(&same, i, j + 1))
            };
            match same.get_mut(i * width + j) {
                Some(here) => *here = longest,
                None => break,
            }
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < one.len() || j < two.len() {
        let pair = one.get(i).zip(two.get(j));
        if pair.is_some_and(|(a, b)| a == b) && !same.is_empty() {
            out.push(json!([" ", one[i]]));
            (i, j) = (i + 1, j + 1);
        } else if i < one.len()
            && (j == two.len() || common(&same, i + 1, j) >= common(&same, i, j + 1))
        {
            out.push(json!(["-", one[i]]));
            i += 1;
        } else {
            out.push(json!(["+", two[j]]));
            j += 1;
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::lines;

    fn written(before: &str, after: &str) -> String {
        let lines = lines(before, after);
        let lines = lines.as_array().expect("an array").iter();
        let written = lines.map(|line| {
            let part = |at: usize| line[at].as_str().expect("a text").to_owned();
            part(0) + &part(1)
        });
        written.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn a_line_that_both_have_is_no_difference() {
        assert_eq!(written("a", "a"), " a");
        assert_eq!(written("a\nb\nc", "a\nx\nc"), " a|-b|+x| c");
        assert_eq!(written("a\nb", "b\na\nb"), "+b| a| b");
        assert_eq!(written("", "a"), "-|+a");
        assert_eq!(written("a\nb\nc", "c"), "-a|-b| c");
        // Too long to be compared.
        let long = "a\n".repeat(2_000);
        assert_eq!(written(&long, &long).matches('-').count(), 2_001);
    }
}
