//! Secrets of one call: which are asked for, and their values in place at the last moment.

use std::sync::Arc;

use super::entry::Entry;
use crate::{
    input::{Fix, FixKind},
    secret::{
        PlaceholderFault, ResolvedSecrets, SecretError, SecretRef, SecretValue, placeholders,
        scan_text,
    },
    tool::ToolContext,
};

/// The secrets that the arguments ask for, all of them where they may stand.
///
/// `fixes` are what was changed to read them: a text that was read as an object or a list would let
/// the value of a secret write keys of its own, and in pairs for a map the keys stand where values do.
pub(super) fn asked(
    entry: &Entry,
    arguments: &str,
    fixes: &[Fix],
) -> Result<Vec<SecretRef>, SecretError> {
    // A placeholder can be written with escapes, so a text with any is looked through whole.
    let plain = placeholders(arguments).next().is_some();
    if !plain && !arguments.contains("\\u") {
        return Ok(Vec::new());
    }
    match entry.secret_paths.check_text(arguments) {
        // What is not JSON goes to a string tool as it is, and must not hold a placeholder either.
        Err(SecretError::NotJson) if !plain => Ok(Vec::new()),
        Ok(asked) if !asked.is_empty() => {
            let faults = faults(arguments, fixes)?;
            if faults.is_empty() {
                Ok(asked)
            } else {
                Err(entry.secret_paths.refuse(faults))
            }
        }
        found => found,
    }
}

/// Whether a text was read as what stands in it.
pub(super) fn takes_apart(fix: &Fix) -> bool {
    use FixKind::{DoubleEncoded, StructureFromText, Wrapped};
    matches!(fix.kind, DoubleEncoded | StructureFromText | Wrapped)
}

/// What is wrong with placeholders in arguments that were read with changes.
fn faults(arguments: &str, fixes: &[Fix]) -> Result<Vec<PlaceholderFault>, SecretError> {
    let mut faults: Vec<_> = fixes
        .iter()
        .filter(|fix| takes_apart(fix))
        .map(|fix| PlaceholderFault::InText {
            path: fix.path.to_string(),
        })
        .collect();
    if fixes.iter().any(|fix| fix.kind == FixKind::MapFromPairs) {
        for found in scan_text(arguments)? {
            if found.is_key_of_pair() {
                let path = found.path().to_owned();
                faults.push(PlaceholderFault::InKey { path });
            }
        }
    }
    Ok(faults)
}

/// The arguments with their secrets, and their values.
pub(super) async fn resolve(
    entry: &Entry,
    arguments: &str,
    asked: Vec<SecretRef>,
    cx: &ToolContext,
) -> Result<(SecretValue, Arc<ResolvedSecrets>), SecretError> {
    let Some(resolver) = cx.secrets() else {
        let name = asked
            .first()
            .map(|secret| secret.name().to_owned())
            .unwrap_or_default();
        return Err(SecretError::Missing { name });
    };
    let values = ResolvedSecrets::resolve(resolver, asked).await?;
    let text = values.substitute(arguments, &entry.secret_paths)?;
    Ok((text, Arc::new(values)))
}
