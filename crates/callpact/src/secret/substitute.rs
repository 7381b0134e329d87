//! Replaces placeholders by the values of their secrets.

use super::location::{StringRole, write_path};
use super::placeholder::placeholders;
use super::text::visit_strings;
use super::value::wipe;
use super::{PlaceholderFault, ResolvedSecrets, SecretError, SecretPaths, SecretValue};

/// How many bytes the values may add. Without a limit a short text could ask for a long secret
/// thousands of times.
const MAX_ADDED: usize = 8 << 20;

impl ResolvedSecrets {
    /// Puts the values into the argument text.
    ///
    /// The text stays valid JSON, whatever the values are. Strings without placeholders are copied byte
    /// for byte. The paths are checked once more on the text that will run. Placeholders inside of values
    /// are not replaced.
    ///
    /// # Errors
    /// When the text is not JSON, a placeholder is malformed or stands where secrets are not taken, a
    /// secret was not resolved, or the values would add more than a few megabytes.
    pub fn substitute(
        &self,
        arguments: &str,
        paths: &SecretPaths,
    ) -> Result<SecretValue, SecretError> {
        paths.check_text(arguments)?;
        self.substitute_unchecked(arguments, paths)
    }

    fn substitute_unchecked(
        &self,
        arguments: &str,
        paths: &SecretPaths,
    ) -> Result<SecretValue, SecretError> {
        let mut out = WipedText::default();
        let mut copied = 0;
        visit_strings(arguments, |literal| {
            let mut content = WipedText::default();
            let mut done = 0;
            for found in placeholders(literal.content) {
                // `check_text` already refused these. This second check protects against other callers.
                let allowed = literal.role == StringRole::Value && paths.covers(literal.parts);
                let (true, Some(secret)) = (allowed, found.secret) else {
                    let path = write_path(literal.parts);
                    return Err(paths.refuse(vec![PlaceholderFault::NotAllowed { path }]));
                };
                let value = self
                    .values
                    .get(&secret)
                    .ok_or_else(|| SecretError::Missing {
                        name: secret.name().to_owned(),
                    })?;
                content.push(
                    literal
                        .content
                        .get(done..found.range.start)
                        .unwrap_or_default(),
                );
                content.push(value.expose());
                if content.0.len() + out.0.len() > arguments.len() + MAX_ADDED {
                    return Err(SecretError::TooLarge);
                }
                done = found.range.end;
            }
            if done == 0 {
                return Ok(());
            }
            content.push(literal.content.get(done..).unwrap_or_default());
            out.push(
                arguments
                    .get(copied..literal.range.start)
                    .unwrap_or_default(),
            );
            out.push_json(&content.0);
            copied = literal.range.end;
            Ok(())
        })?;
        out.push(arguments.get(copied..).unwrap_or_default());
        Ok(SecretValue::new(std::mem::take(&mut out.0)))
    }
}

/// A text that overwrites its old memory when it grows and when it is dropped.
#[derive(Default)]
struct WipedText(String);

impl WipedText {
    fn push(&mut self, text: &str) {
        if self.0.capacity() - self.0.len() < text.len() {
            let mut grown = String::with_capacity((self.0.len() + text.len()) * 2);
            grown.push_str(&self.0);
            wipe(std::mem::replace(&mut self.0, grown).into_bytes());
        }
        self.0.push_str(text);
    }

    /// Adds a text as a JSON string.
    fn push_json(&mut self, text: &str) {
        self.push("\"");
        for c in text.chars() {
            match c {
                '"' => self.push("\\\""),
                '\\' => self.push("\\\\"),
                '\0'..='\x1f' => self.push(&format!("\\u{:04x}", u32::from(c))),
                _ => self.push(c.encode_utf8(&mut [0; 4])),
            }
        }
        self.push("\"");
    }
}

impl Drop for WipedText {
    fn drop(&mut self) {
        wipe(std::mem::take(&mut self.0).into_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::SecretRef;

    #[test]
    fn unchecked_substitution_still_rejects_undeclared_placeholders() {
        let name = SecretRef::new("n").expect("a name");
        let secrets = ResolvedSecrets::new([(name, SecretValue::new("hunter2"))]).expect("fit");
        let paths = SecretPaths::new(["env"]).expect("a path");
        let put = |text: &str| secrets.substitute_unchecked(text, &paths);
        assert!(put(r#"{"env": "<secret_ref:n>"}"#).is_ok());
        for refused in [
            r#"{"url": "<secret_ref:n>"}"#,
            r#"{"env": {"<secret_ref:n>": 1}}"#,
            r#"{"env": "<secret_ref:n-1>"}"#,
        ] {
            let error = put(refused).expect_err("refused");
            assert!(
                matches!(error, SecretError::Placeholders { .. }),
                "{refused}"
            );
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn wiped_text_leaves_no_copy_in_memory() {
        let mut text = WipedText::default();
        text.push(&"quokka-7".repeat(1000));
        // There is room for as much text again without another move.
        assert!((16_000..20_000).contains(&text.0.capacity()));
        let mut before = crate::secret::tests::Memory::of(text.0.as_bytes());
        text.push(&"x".repeat(20_000));
        // Checked before anything else can reuse the memory.
        assert_eq!(before.count("quokka-7"), 0);
        let mut after = crate::secret::tests::Memory::of(text.0.as_bytes());
        assert_ne!(before.at, after.at, "it never grows where it is");
        assert_eq!(after.count("quokka-7"), 1000);
        drop(text);
        assert_eq!(after.count("quokka-7"), 0);
    }
}
