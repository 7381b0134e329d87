//! `JSONPath`: the library parses and runs, this file bounds and writes.

use jsonpath_rust::parser::model::{JpQuery, Segment, Selector};
use jsonpath_rust::parser::parse_json_path;
use jsonpath_rust::query::{QueryRef, js_path_process};

use super::node::{Node, metered};
use super::{JsonQueryError, Limits, short, show, too_long, within};

/// What a query may copy in all, in bytes.
const BUDGET: u64 = 128 << 20;

/// Most brackets inside brackets. The library has a limit too, but recurses deeper than we like.
const MAX_NESTING: usize = 32;

/// Most operators that the parser descends for without a bracket.
const MAX_NEGATIONS: usize = 32;

/// Most function calls inside function calls. The parser tries each of them as several things, so
/// that its work grows sixfold with every one.
const MAX_CALLS: usize = 4;

/// Reads a `JSONPath`.
pub(super) fn parse(path: &str) -> Result<JpQuery, JsonQueryError> {
    check_nesting(path)?;
    parse_json_path(path).map_err(|_| {
        let hint = "not a JSONPath (RFC 9535): expected one such as `$.a.b[0]` or `$..c[?@.d > 1]`";
        JsonQueryError::InvalidPath(format!("`{}` is {hint}", short(path)))
    })
}

fn check_nesting(path: &str) -> Result<(), JsonQueryError> {
    // The brackets that are open; of each, whether it is that of a function.
    let mut open = Vec::new();
    let (mut calls, mut negations) = (0_usize, 0_usize);
    let (mut quote, mut escaped) = (None, false);
    let mut before = ' ';
    for c in path.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote.is_some() => escaped = true,
            c if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(c),
            '(' | '[' => {
                let call = c == '(' && (before.is_alphanumeric() || before == '_');
                calls += usize::from(call);
                open.push(call);
            }
            ')' | ']' => calls -= usize::from(open.pop() == Some(true)),
            '!' => negations += 1,
            _ => {}
        }
        if open.len() > MAX_NESTING || negations > MAX_NEGATIONS {
            let reason = format!("the path is nested deeper than {MAX_NESTING} levels");
            return Err(JsonQueryError::Limit(reason));
        }
        if calls > MAX_CALLS {
            let reason = format!("functions are nested deeper than {MAX_CALLS} levels in the path");
            return Err(JsonQueryError::Limit(reason));
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    Ok(())
}

/// Runs the query and writes its results.
pub(super) fn run(
    path: &str,
    query: &JpQuery,
    root: &Node,
    json: &str,
    limits: &Limits,
) -> Result<String, JsonQueryError> {
    let (found, enough) = metered(BUDGET, limits.max_time, path, || {
        js_path_process(query, root)
    });
    if !enough {
        return Err(JsonQueryError::Limit(
            "the path takes too much work on this JSON".to_owned(),
        ));
    }
    let found = found.map_err(|_| JsonQueryError::InvalidPath(short(path)))?;
    let nodes: Vec<&Node> = found.into_iter().map(QueryRef::val).collect();
    if is_singular(query) {
        let node = nodes
            .first()
            .ok_or_else(|| JsonQueryError::NotFound(short(path)))?;
        return show(node, json, limits);
    }
    if nodes.len() > limits.max_results {
        return Err(JsonQueryError::Limit(format!(
            "the path finds {} values, more than {}; ask for fewer",
            nodes.len(),
            limits.max_results
        )));
    }
    // One large value may be found a thousand times, or be white space for the most part.
    let most = json.len().saturating_mul(2).saturating_add(1 << 20);
    let mut looked_at = 0_usize;
    let mut out = String::from("[");
    for (index, node) in nodes.iter().enumerate() {
        looked_at = looked_at.saturating_add(node.span.len());
        if out.len() > limits.max_output || looked_at > most {
            return Err(too_long(limits));
        }
        if index > 0 {
            out.push(',');
        }
        node.write(json, &mut out);
    }
    out.push(']');
    within(out, limits)
}

/// Whether the query can name one value at most (RFC 9535, section 2.3.5.1).
fn is_singular(query: &JpQuery) -> bool {
    query.segments.iter().all(|segment| match segment {
        Segment::Selector(Selector::Name(_) | Selector::Index(_)) => true,
        Segment::Selectors(all) => {
            matches!(all.as_slice(), [Selector::Name(_) | Selector::Index(_)])
        }
        _ => false,
    })
}
