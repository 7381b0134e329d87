//! The secrets of one call: the ones that the arguments name, and their values.

use std::sync::Arc;

use crate::{
    input::{Fix, FixKind},
    secret::{
        PlaceholderFault, ResolvedSecrets, SecretError, SecretRef, SecretValue, placeholders,
        scan_text,
    },
    tool::ToolContext,
    toolset::ToolEntry,
};

/// Finds the secrets that the arguments ask for, and refuses those in a wrong place.
///
/// `fixes` are the changes that reading made. They matter in two cases: in a string that was read as an
/// object or a list, the value of a secret could add keys; and in pairs for a map, the keys stand where
/// values usually do.
pub(super) fn find_references(
    entry: &ToolEntry,
    arguments: &str,
    fixes: &[&Fix],
) -> Result<Vec<SecretRef>, SecretError> {
    if !may_be_named(arguments) {
        return Ok(Vec::new());
    }
    match entry.secret_paths.check_text(arguments) {
        // A string tool gets text that is not JSON unchanged. Such a text must not hold a placeholder either.
        Err(SecretError::NotJson) if placeholders(arguments).next().is_none() => Ok(Vec::new()),
        Ok(secrets) if !secrets.is_empty() => {
            let faults = find_faults(arguments, fixes)?;
            if faults.is_empty() && entry.tool.passed_secrets().is_some() {
                // They are resolved at the place where the tool runs.
                Ok(Vec::new())
            } else if faults.is_empty() {
                Ok(secrets)
            } else {
                Err(entry.secret_paths.refuse(faults))
            }
        }
        found => found,
    }
}

/// Whether the arguments may hold a placeholder. It can be written with escapes, so a text that has escapes is
/// searched whole.
pub(super) fn may_be_named(arguments: &str) -> bool {
    memchr::memchr2(b'<', b'\\', arguments.as_bytes()).is_some()
        && (arguments.contains("\\u") || placeholders(arguments).next().is_some())
}

/// Whether a string was read as the JSON in it.
pub(super) fn takes_apart(fix: &Fix) -> bool {
    use FixKind::{DoubleEncoded, StructureFromText, Wrapped};
    matches!(fix.kind, DoubleEncoded | StructureFromText | Wrapped)
}

/// Finds placeholders that are in the wrong place because of a change by the reader.
fn find_faults(arguments: &str, fixes: &[&Fix]) -> Result<Vec<PlaceholderFault>, SecretError> {
    let mut faults: Vec<_> = fixes
        .iter()
        .filter(|fix| takes_apart(fix))
        .map(|fix| PlaceholderFault::InText {
            path: fix.path.to_string(),
        })
        .collect();
    if fixes.iter().any(|fix| fix.kind.is_map_from_list()) {
        for found in scan_text(arguments)? {
            if found.is_key_of_pair() {
                let path = found.path().to_owned();
                faults.push(PlaceholderFault::InKey { path });
            }
        }
    }
    Ok(faults)
}

/// Looks up the secrets and puts their values into the arguments.
pub(super) async fn resolve(
    entry: &ToolEntry,
    arguments: &str,
    secrets: Vec<SecretRef>,
    cx: &ToolContext,
) -> Result<(SecretValue, Arc<ResolvedSecrets>), SecretError> {
    let Some(resolver) = cx.secrets() else {
        let name = secrets
            .first()
            .map(|secret| secret.name().to_owned())
            .unwrap_or_default();
        return Err(SecretError::Missing { name });
    };
    let values = ResolvedSecrets::resolve(resolver, secrets).await?;
    let text = values.substitute(arguments, &entry.secret_paths)?;
    Ok((text, Arc::new(values)))
}

#[cfg(test)]
mod tests {
    use super::may_be_named;

    #[test]
    fn a_placeholder_is_found_wherever_it_stands() {
        for before in 0..200 {
            for after in 0..20 {
                let text =
                    |middle: &str| format!("{}{middle}{}", "ö".repeat(before), "=".repeat(after));
                for named in ["<secret_ref:token>", r"\u003csecret_ref:token>"] {
                    assert!(may_be_named(&text(named)), "{before} {after} {named}");
                }
                for other in ["", "<", r"\n", "[;]=>"] {
                    assert!(!may_be_named(&text(other)), "{before} {after} {other}");
                }
            }
        }
    }
}
