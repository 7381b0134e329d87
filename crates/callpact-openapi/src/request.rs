//! Makes the request of a call.

use std::collections::BTreeMap;

use callpact_tools::engine::fetch::{FetchRequest, Secrets};
use serde_json::{Map, Value};
use url::{Url, form_urlencoded};

use crate::{
    body::plain_text,
    operation::{ParameterPlace, ParameterStyle, RequestPlan, ToolParameter},
    security::{CredentialNeed, CredentialPlace},
};

/// The credentials by scheme.
pub(crate) type SchemeCredentials = BTreeMap<String, String>;

/// Why a request cannot be made.
pub(crate) enum RequestFault {
    /// For the model.
    Arguments(String),
    /// For the program.
    Setup(String),
}

/// Makes a request from the arguments of a call, which fit the schema.
pub(crate) fn make_request(
    plan: &RequestPlan,
    server: &Url,
    arguments: &Map<String, Value>,
    credentials: &SchemeCredentials,
    secrets: &Secrets,
) -> Result<FetchRequest, RequestFault> {
    let (mut path, mut query) = (plan.path.clone(), Vec::new());
    let (mut headers, mut cookies, mut form) = (Vec::new(), Vec::new(), Map::new());
    for parameter in &plan.parameters {
        let Some(value) = arguments.get(&parameter.key) else {
            continue;
        };
        let name = &parameter.name;
        match parameter.place {
            ParameterPlace::Path => {
                let text = join(value, parameter.style);
                path = path.replace(
                    &format!("{{{name}}}"),
                    &path_segment(&text, &parameter.key)?,
                );
            }
            ParameterPlace::Query => query.extend(pairs(parameter, value)),
            ParameterPlace::Header => headers.push((name.as_str(), join(value, parameter.style))),
            ParameterPlace::Cookie => cookies.push((name.clone(), join(value, parameter.style))),
            ParameterPlace::Form => drop(form.insert(name.clone(), value.clone())),
        }
    }
    if let Some(at) = path.find('{') {
        let rest = path.get(at..).unwrap_or_default().to_owned();
        let words = format!("the document declares no parameter for `{rest}` in the path");
        return Err(RequestFault::Setup(words));
    }
    let needs = choose(plan, credentials)?;
    let mut hidden = Vec::new();
    for need in needs {
        let value = credentials.get(&need.scheme).map_or("", String::as_str);
        match &need.goes {
            CredentialPlace::Bearer => {
                hidden.push(("Authorization".to_owned(), format!("Bearer {value}")));
            }
            CredentialPlace::Basic => hidden.push(("Authorization".to_owned(), basic(value))),
            CredentialPlace::Header(name) => hidden.push((name.clone(), value.to_owned())),
            CredentialPlace::Query(name) => query.push((name.clone(), value.to_owned())),
            CredentialPlace::Cookie(name) => cookies.push((name.clone(), value.to_owned())),
        }
    }
    let mut url = server.clone();
    let base = server.path().trim_end_matches('/');
    url.set_path(&format!("{base}/{}", path.trim_start_matches('/')));
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    let mut request = FetchRequest::new(plan.method, url).secrets(secrets);
    for (name, value) in headers {
        request = request.header(name, &value);
    }
    for (name, value) in hidden {
        request = request.secret_header(&name, &value);
    }
    if !cookies.is_empty() {
        let cookies: Vec<String> = cookies
            .iter()
            .map(|(name, value)| format!("{name}={}", encode(value)))
            .collect();
        request = request.secret_header("Cookie", &cookies.join("; "));
    }
    let body = match &plan.body {
        Some((key, kind)) => arguments.get(key).map(|value| (kind, value.clone())),
        None if form.is_empty() => None,
        None => Some((&plan.form, Value::Object(form))),
    };
    if let Some((kind, value)) = body {
        let text = kind.write(&value).map_err(RequestFault::Arguments)?;
        request = request
            .header("Content-Type", &kind.media_type())
            .body(text);
    }
    Ok(request)
}

/// The first set of credentials that the program has.
fn choose<'a>(
    plan: &'a RequestPlan,
    credentials: &SchemeCredentials,
) -> Result<&'a [CredentialNeed], RequestFault> {
    let has = |set: &&Vec<CredentialNeed>| {
        set.iter()
            .all(|need| credentials.contains_key(&need.scheme))
    };
    // With a credential more is answered. Of equal sets, the first counts.
    let sets = plan.needs.iter().rev().filter(has);
    let best = sets.max_by_key(|set| set.len());
    match (best, plan.needs.first()) {
        (Some(set), _) => Ok(set),
        (None, None) => Ok(&[]),
        (None, Some(first)) => {
            let names: Vec<&str> = first.iter().map(|need| need.scheme.as_str()).collect();
            let words = format!(
                "the operation needs a credential for {}",
                names.join(" and ")
            );
            Err(RequestFault::Setup(words))
        }
    }
}

/// A text as one segment of a path. A segment of dots would lead to another path.
fn path_segment(text: &str, key: &str) -> Result<String, RequestFault> {
    if text.is_empty() || text == "." || text == ".." {
        return Err(RequestFault::Arguments(format!(
            "{key}: expected a text that is neither empty nor `.` nor `..`"
        )));
    }
    Ok(encode(text))
}

/// A text in a URL, with `%20` for a space.
fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

fn basic(value: &str) -> String {
    use base64::Engine as _;
    let encoded = base64::engine::general_purpose::STANDARD.encode(value);
    format!("Basic {encoded}")
}

/// The pairs of a query.
fn pairs(parameter: &ToolParameter, value: &Value) -> Vec<(String, String)> {
    let name = &parameter.name;
    match (parameter.style, value) {
        (ParameterStyle::Repeated, Value::Array(items)) => {
            let pair = |item| (name.clone(), plain_text(item));
            items.iter().map(pair).collect()
        }
        (ParameterStyle::Repeated, Value::Object(fields)) => {
            let pair = |(key, value): (&String, &Value)| (key.clone(), plain_text(value));
            fields.iter().map(pair).collect()
        }
        (ParameterStyle::Deep, Value::Object(fields)) => {
            let pair =
                |(key, value): (&String, &Value)| (format!("{name}[{key}]"), plain_text(value));
            fields.iter().map(pair).collect()
        }
        (style, value) => vec![(name.clone(), join(value, style))],
    }
}

/// A value as one text.
fn join(value: &Value, style: ParameterStyle) -> String {
    let between = match style {
        ParameterStyle::Json => return value.to_string(),
        ParameterStyle::Joined(between) => between,
        ParameterStyle::Repeated | ParameterStyle::Deep => ",",
    };
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(plain_text).collect();
            items.join(between)
        }
        Value::Object(fields) => {
            let parts: Vec<String> = fields
                .iter()
                .flat_map(|(key, value)| [key.clone(), plain_text(value)])
                .collect();
            parts.join(between)
        }
        value => plain_text(value),
    }
}
