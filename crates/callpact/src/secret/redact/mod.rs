//! Taking secrets out of what comes back.
//!
//! Rather than looking for every spelling of a secret, the text is read in every way in which it may be
//! encoded ([`forms`]), and each reading is searched for the secret itself ([`automaton`]). So it does not
//! matter which characters an encoder chose to encode, in which case, or at which alignment.

mod automaton;
mod digits;
mod forms;
mod lane;
mod stream;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use self::automaton::PatternAutomaton;
pub use self::stream::RedactStream;
use super::{MIN_SECRET_CHARS, SecretRef, SecretValue};

/// How deep a value is looked into; what lies deeper is replaced as a whole.
const MAX_DEPTH: usize = 256;

/// The lines of a key in several lines, such as a PEM file. Each is searched for by itself, so that a key is
/// found however its lines are joined, indented or listed.
fn key_lines(secret: &str) -> impl Iterator<Item = &str> {
    let lines = secret.lines().map(str::trim);
    let is_key = secret.trim().contains('\n');
    lines.filter(move |line| is_key && line.len() >= MIN_LINE && !line.starts_with("-----"))
}

/// Whether a value is in so few words that it can be removed.
fn is_long(value: &str) -> bool {
    value.trim().chars().count() >= MIN_SECRET_CHARS
}

/// The shortest line of a secret that is searched for by itself.
const MIN_LINE: usize = 16;

/// Replaces secrets by their placeholders.
///
/// It finds a secret as it is, with JSON escapes (up to four times, as JSON in a JSON string) or `\u{…}`,
/// percent-encoded (up to twice) or form-encoded, in quoted-printable, in base64 (both alphabets, with or
/// without padding, wrapped, indented, also inside of a longer text, up to twice), in base32, in hexadecimal,
/// and as decimal bytes. ASCII letters are compared without their case. Blanks around a secret may be missing.
/// Each line of a key in several lines is found by itself. Overlapping secrets are replaced as one, by the name of the first, so that no part is left.
///
/// It does not find secrets that were cut, reversed, encrypted, compressed, or spelled in any other way.
///
/// It is cheap to clone, and its `Debug` shows nothing.
///
/// ```
/// use callpact::secret::{ResolvedSecrets, SecretRef, SecretValue};
///
/// let secrets = ResolvedSecrets::new([(SecretRef::new("token")?, SecretValue::new("s3cr3t/&?"))])?;
/// let redactor = secrets.redactor();
/// assert_eq!(redactor.redact("?t=s3cr3t%2f%26%3F&x=1"), "?t=<secret_ref:token>&x=1");
/// assert_eq!(redactor.redact("nothing here"), "nothing here");
/// # Ok::<(), callpact::secret::SecretError>(())
/// ```
#[derive(Clone, Default)]
pub struct Redactor {
    automaton: Arc<PatternAutomaton>,
}

impl Redactor {
    /// A redactor for nothing, which changes nothing.
    pub fn none() -> Self {
        Self::default()
    }

    pub(super) fn of<'a>(
        values: impl IntoIterator<Item = (&'a SecretRef, &'a SecretValue)>,
    ) -> Self {
        let values = values.into_iter();
        Self::of_texts(values.map(|(secret, value)| (secret.to_string(), value.expose())))
    }

    /// A redactor for settings of the program that may be secrets, each with its name. Several may have one name. Values
    /// of fewer than six characters are in too many words to be removed.
    pub fn of_settings<'a>(settings: impl IntoIterator<Item = (String, &'a str)>) -> Self {
        let settings = settings.into_iter().filter(|(_, value)| is_long(value));
        Self::of_texts(settings.map(|(name, value)| {
            let secret = SecretRef::new(name).or_else(|_| SecretRef::new("setting"));
            (
                secret.map_or_else(|_| String::new(), |it| it.to_string()),
                value,
            )
        }))
    }

    fn of_texts<'a>(texts: impl Iterator<Item = (String, &'a str)>) -> Self {
        let patterns = texts.flat_map(|(name, whole)| {
            let trimmed = whole.trim();
            // Tools drop the line end of a secret that came out of a file. What is left is no shorter
            // than a secret must be: one that would be was refused.
            let trimmed = (trimmed != whole).then_some(trimmed);
            [Some(whole), trimmed]
                .into_iter()
                .flatten()
                .chain(key_lines(whole))
                .map(move |text| (name.clone(), text))
        });
        Self {
            automaton: Arc::new(PatternAutomaton::new(patterns)),
        }
    }

    /// A redactor for the values of secret parameters. Values of fewer than six characters are in too many words to be
    /// removed.
    pub(crate) fn of_parameters<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let values = values.into_iter().filter(|value| is_long(value));
        let patterns = values.flat_map(|value| {
            let escaped = serde_json::Value::from(value).to_string();
            let escaped = escaped.trim_matches('"').to_owned();
            let own = (escaped != value).then_some(escaped);
            [Some(value.to_owned()), own].into_iter().flatten()
        });
        let patterns: Vec<String> = patterns.collect();
        let patterns = patterns.iter();
        Self {
            automaton: Arc::new(PatternAutomaton::new(
                patterns.map(|text| ("(secret)".to_owned(), &**text)),
            )),
        }
    }

    /// The text without secrets; borrowed if there were none in it.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if text.len() < self.automaton.shortest {
            return Cow::Borrowed(text);
        }
        let mut stream = self.stream();
        let mut out = stream.push(text);
        out.push_str(&stream.finish());
        if out == text {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(out)
        }
    }

    /// Removes the secrets from a text.
    pub(crate) fn clean(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.redact(text) {
            *text = clean;
        }
    }

    /// The value without secrets, in strings, in keys and in numbers.
    ///
    /// A number that contains a secret becomes a string. Keys that become equal are numbered, so that
    /// nothing is lost.
    pub fn redact_value(&self, value: &Value) -> Value {
        if self.automaton.is_empty() {
            value.clone()
        } else {
            self.value_at(value, 0)
        }
    }

    fn value_at(&self, value: &Value, depth: usize) -> Value {
        if depth > MAX_DEPTH {
            return Value::String("<not shown: nested too deeply>".into());
        }
        match value {
            Value::Null | Value::Bool(_) => value.clone(),
            Value::String(text) => Value::String(self.redact(text).into_owned()),
            Value::Number(number) => match self.redact(&number.to_string()) {
                Cow::Borrowed(_) => value.clone(),
                Cow::Owned(text) => Value::String(text),
            },
            Value::Array(items) => {
                let out: Value = items
                    .iter()
                    .map(|item| self.value_at(item, depth + 1))
                    .collect();
                // The bytes of a value stand in several numbers.
                if items.iter().all(Value::is_number)
                    && let Cow::Owned(text) = self.redact(&out.to_string())
                    && out == *value
                {
                    return Value::String(text);
                }
                out
            }
            Value::Object(fields) => {
                let mut out = Map::new();
                // How often each key came: many keys may become one.
                let mut counts: HashMap<Cow<'_, str>, usize> = HashMap::new();
                for (key, field) in fields {
                    let key = self.redact(key);
                    let mut free = key.to_string();
                    let number = counts.entry(key.clone()).or_insert(1);
                    while out.contains_key(&free) {
                        *number += 1;
                        free = format!("{key} ({number})");
                    }
                    out.insert(free, self.value_at(field, depth + 1));
                }
                Value::Object(out)
            }
        }
    }

    /// A redactor for text that comes in pieces.
    pub fn stream(&self) -> RedactStream {
        RedactStream::new(Arc::clone(&self.automaton))
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor(..)")
    }
}
