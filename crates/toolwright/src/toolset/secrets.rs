//! Secrets of one call: which are asked for, and their values in place at the last moment.

use std::sync::Arc;

use super::entry::Entry;
use crate::{
    secret::{ResolvedSecrets, SecretError, SecretRef, SecretValue, placeholders},
    tool::ToolContext,
};

/// The secrets that the arguments ask for, all of them where they may stand.
pub(super) fn asked(entry: &Entry, arguments: &str) -> Result<Vec<SecretRef>, SecretError> {
    // A placeholder can be written with escapes, so a text with any is looked through whole.
    let plain = placeholders(arguments).next().is_some();
    if !plain && !arguments.contains("\\u") {
        return Ok(Vec::new());
    }
    match entry.secret_paths.check_text(arguments) {
        // What is not JSON goes to a string tool as it is, and must not hold a placeholder either.
        Err(SecretError::NotJson) if !plain => Ok(Vec::new()),
        found => found,
    }
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
