//! `JSONPath`: the bounds of a query, and its answer.

use super::answer::{show, too_long, within};
use super::error::{JsonQueryError, QueryLimits, short};
use super::find::find;
use super::node::JsonNode;
use super::parse::parse_query;
use super::syntax::PathQuery;

/// The most nested brackets. The parser and the search go down one level for each.
const MAX_NESTING: usize = 32;

/// The most negations.
const MAX_NEGATIONS: usize = 32;

/// The most nested function calls.
const MAX_CALLS: usize = 4;

/// Reads a `JSONPath`.
pub(super) fn parse(path: &str) -> Result<PathQuery, JsonQueryError> {
    check_nesting(path)?;
    parse_query(path).map_err(|why| {
        let path = short(path);
        JsonQueryError::InvalidPath(format!("`{path}` is not a JSONPath (RFC 9535): {why}"))
    })
}

fn check_nesting(path: &str) -> Result<(), JsonQueryError> {
    // For each open bracket, whether it belongs to a function.
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
        if open.len() > MAX_NESTING {
            let reason = format!("the path is nested deeper than {MAX_NESTING} levels");
            return Err(JsonQueryError::Limit(reason));
        }
        if negations > MAX_NEGATIONS {
            let reason = format!("the path has more than {MAX_NEGATIONS} `!`");
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
    query: &PathQuery,
    root: &JsonNode,
    json: &str,
    limits: &QueryLimits,
) -> Result<String, JsonQueryError> {
    let nodes = find(query, root, limits.max_time).map_err(|_| {
        JsonQueryError::Limit("the path takes too much work on this JSON".to_owned())
    })?;
    if query.is_singular() {
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
    // One large value may be found a thousand times, or consist mostly of white space.
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
