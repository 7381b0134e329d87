//! The list of tools, and one tool in full.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{PoisonError, RwLock},
};

use callpact::{Dialect, ToolSpec, Toolset, adapter::Severity, schema::pretty};
use serde_json::{Value, json};

use crate::form;

/// The tools of a desk, which may be replaced while it is open.
pub(crate) struct CurrentTools(RwLock<Toolset>);

impl CurrentTools {
    pub(crate) fn new(tools: Toolset) -> Self {
        Self(RwLock::new(tools))
    }

    pub(crate) fn get(&self) -> Toolset {
        let tools = self.0.read().unwrap_or_else(PoisonError::into_inner);
        tools.clone()
    }

    pub(crate) fn set(&self, tools: Toolset) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = tools;
    }
}

/// One line for every tool.
pub(crate) fn list(tools: &Toolset) -> Value {
    let specs = tools
        .names()
        .filter_map(|name| tools.spec(name, Dialect::Portable));
    specs
        .map(|spec| {
            let mut schema = DefaultHasher::new();
            spec.parameters.hash(&mut schema);
            json!({
                "name": spec.name,
                "title": spec.hints.title,
                "description": spec.description,
                "permission": spec.permission,
                "idempotent": spec.hints.idempotent,
                "open_world": spec.hints.open_world,
                "server": spec.hints.server,
                "tokens": estimate_tokens(&spec.to_json()),
                // Shows the page that the parameters have changed.
                "schema": schema.finish().to_string(),
            })
        })
        .collect()
}

/// A person's view of a tool: the tree of its parameters, and its size in every dialect.
pub(crate) fn describe(tools: &Toolset, name: &str) -> Option<Value> {
    let parameters = tools.parameters(name)?;
    let dialects: Vec<_> = Dialect::ALL
        .into_iter()
        .filter_map(|dialect| tools.spec(name, dialect).map(|spec| (dialect, spec)))
        .map(|(dialect, spec)| measure(dialect, &spec))
        .collect();
    let tree = form::describe(parameters.tree(), tools.secret_params(name));
    Some(json!({
        "name": name,
        "parts": form::outline(&tree),
        "tree": tree,
        "dialects": dialects,
    }))
}

/// A tool as the model behind a dialect sees it.
pub(crate) fn write(tools: &Toolset, name: &str, dialect: Dialect) -> Option<Value> {
    let spec = tools.spec(name, dialect)?;
    let mut answer = measure(dialect, &spec);
    if let Some(fields) = answer.as_object_mut() {
        let lint: Vec<_> = spec.lint().iter().map(|lint| json!(lint)).collect();
        fields.insert("lint".to_owned(), lint.into());
        fields.insert("text".to_owned(), pretty(&spec.to_json()).into());
        fields.insert(
            "output".to_owned(),
            json!(spec.output.as_deref().map(pretty)),
        );
    }
    Some(answer)
}

fn measure(dialect: Dialect, spec: &ToolSpec) -> Value {
    let text = spec.to_json();
    let lint = spec.lint();
    let count = |severity| lint.iter().filter(|lint| lint.severity == severity).count();
    json!({
        "dialect": dialect.name(),
        "written_as": spec.dialect.name(),
        "bytes": text.len(),
        "tokens": estimate_tokens(&text),
        "errors": count(Severity::Error),
        "warnings": count(Severity::Warning),
    })
}

/// The approximate number of tokens that a model reads for a JSON text: one for each run of punctuation,
/// one for each six letters of a word or part of it, one for each three digits. Tokenizers differ by a
/// quarter either way.
fn estimate_tokens(text: &str) -> usize {
    let class = |c: char| match c {
        c if c.is_ascii_digit() => 3,
        c if c.is_alphabetic() && c.is_ascii() => 6,
        c if c.is_whitespace() => 0,
        c if c.is_ascii() => 4,
        _ => 1,
    };
    let mut tokens = 0;
    let (mut current, mut length) = (0, 0_usize);
    for c in text.chars().chain(std::iter::once(' ')) {
        let next = class(c);
        if next == current {
            length += 1;
            continue;
        }
        if current > 0 {
            tokens += length.div_ceil(current);
        }
        (current, length) = (next, 1);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::estimate_tokens;

    #[test]
    fn an_estimate_grows_with_the_text() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens("city"), 1);
        assert_eq!(estimate_tokens(r#"{"name":"city","minimum":1000}"#), 11);
        assert_eq!(estimate_tokens("日本"), 2);
    }
}
