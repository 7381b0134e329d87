//! The credentials that an operation needs.

use serde_json::Value;

use crate::document::ApiDocument;

/// Where a credential goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CredentialPlace {
    /// `Authorization: Bearer …`
    Bearer,
    /// `Authorization: Basic …`, of `name:password`.
    Basic,
    Header(String),
    Query(String),
    Cookie(String),
}

/// A credential of a scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CredentialNeed {
    pub(crate) scheme: String,
    pub(crate) goes: CredentialPlace,
}

/// The security schemes of a document.
fn scheme<'a>(document: &'a ApiDocument, name: &str) -> Option<&'a Value> {
    let table = if document.is_swagger {
        "/securityDefinitions"
    } else {
        "/components/securitySchemes"
    };
    Some(document.resolve(document.table(table)?.get(name)?))
}

/// Whether a document has a security scheme.
pub(crate) fn has_scheme(document: &ApiDocument, name: &str) -> bool {
    scheme(document, name).is_some()
}

/// Alternative sets of credentials: one set is enough. None if no credential is needed.
pub(crate) fn read_needs(document: &ApiDocument, operation: &Value) -> Vec<Vec<CredentialNeed>> {
    let given = operation
        .get("security")
        .or_else(|| document.get("security"));
    let sets = given.and_then(Value::as_array).into_iter().flatten();
    let sets = sets.filter_map(Value::as_object);
    let read = sets.filter_map(|set| {
        let needs = set.keys().map(|name| {
            Some(CredentialNeed {
                scheme: name.clone(),
                goes: read_place(scheme(document, name)?)?,
            })
        });
        needs.collect::<Option<Vec<_>>>()
    });
    read.collect()
}

fn read_place(scheme: &Value) -> Option<CredentialPlace> {
    let text = |key: &str| scheme.get(key).and_then(Value::as_str);
    let own = || text("name").map(str::to_owned);
    match text("type")? {
        "apiKey" => match text("in")? {
            "header" => own().map(CredentialPlace::Header),
            "query" => own().map(CredentialPlace::Query),
            "cookie" => own().map(CredentialPlace::Cookie),
            _ => None,
        },
        "basic" => Some(CredentialPlace::Basic),
        "http" if text("scheme").is_some_and(|it| it.eq_ignore_ascii_case("basic")) => {
            Some(CredentialPlace::Basic)
        }
        "http" | "oauth2" | "openIdConnect" => Some(CredentialPlace::Bearer),
        _ => None,
    }
}
