//! The value of arguments that are still arriving.

use serde_json::{Map, Value};

/// The deepest nesting of a partial value.
const DEPTH: usize = 128;

/// The value of arguments so far, for showing them while the model writes: strings and lists grow, and a number, a
/// boolean and a key are there once they are complete. `None` before the first value, and for a text that is not JSON.
///
/// Nothing is parsed until this is called, and a call costs a time in proportion to the text. Nothing should run on a
/// partial value: a text that ends early is never one that the model meant.
///
/// ```
/// use serde_json::json;
/// use callpact::stream::partial_value;
///
/// let so_far = r#"{"to": ["Ada", "B"#;
/// assert_eq!(partial_value(so_far), Some(json!({"to": ["Ada", "B"]})));
/// assert_eq!(partial_value(r#"{"to": ["Ada"], "amount": 1"#), Some(json!({"to": ["Ada"]})));
/// assert_eq!(partial_value("no JSON"), None);
/// ```
pub fn partial_value(text: &str) -> Option<Value> {
    let mut reader = PrefixReader { text, at: 0 };
    reader.read_value(0).ok().flatten()
}

/// A text that is not JSON.
struct NotJson;

struct PrefixReader<'t> {
    text: &'t str,
    at: usize,
}

impl PrefixReader<'_> {
    /// The next byte behind white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// A value as far as it is there; nothing if it has not begun, or counts only when it is complete.
    fn read_value(&mut self, depth: usize) -> Result<Option<Value>, NotJson> {
        if depth > DEPTH {
            return Err(NotJson);
        }
        match self.peek() {
            None => Ok(None),
            Some(b'{') => self.read_object(depth).map(Some),
            Some(b'[') => self.read_list(depth).map(Some),
            Some(b'"') => {
                let (text, _) = self.read_string()?;
                Ok(Some(Value::String(text)))
            }
            Some(_) => self.read_word(),
        }
    }

    fn read_object(&mut self, depth: usize) -> Result<Value, NotJson> {
        self.at += 1;
        let mut members = Map::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(members.into());
        }
        loop {
            match self.peek() {
                None => break,
                Some(b'"') => {}
                Some(_) => return Err(NotJson),
            }
            let (key, is_whole) = self.read_string()?;
            if !is_whole {
                break;
            }
            match self.peek() {
                None => break,
                Some(b':') => self.at += 1,
                Some(_) => return Err(NotJson),
            }
            let Some(value) = self.read_value(depth + 1)? else {
                break;
            };
            members.insert(key, value);
            match self.peek() {
                None => break,
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(_) => return Err(NotJson),
            }
        }
        Ok(members.into())
    }

    fn read_list(&mut self, depth: usize) -> Result<Value, NotJson> {
        self.at += 1;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items.into());
        }
        while let Some(item) = self.read_value(depth + 1)? {
            items.push(item);
            match self.peek() {
                None => break,
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                Some(_) => return Err(NotJson),
            }
        }
        Ok(items.into())
    }

    /// The characters of a string, and whether it ends.
    fn read_string(&mut self) -> Result<(String, bool), NotJson> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'"' => {
                    self.at = end + 1;
                    let literal = self.text.get(start..=end).unwrap_or_default();
                    let text = serde_json::from_str(literal).map_err(|_| NotJson)?;
                    return Ok((text, true));
                }
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        self.at = self.text.len();
        let inside = self.text.get(start + 1..).unwrap_or_default();
        let mut literal = String::with_capacity(inside.len() + 2);
        literal.push('"');
        literal.push_str(without_open_escape(inside));
        literal.push('"');
        let text = serde_json::from_str(&literal).map_err(|_| NotJson)?;
        Ok((text, false))
    }

    /// A number or a word. At the end of the text more of it may follow.
    fn read_word(&mut self) -> Result<Option<Value>, NotJson> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_part =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '+' | '.');
        let Some(end) = rest.find(|letter| !is_part(letter)) else {
            self.at = self.text.len();
            return Ok(None);
        };
        let word = rest.get(..end).unwrap_or_default();
        self.at += end;
        serde_json::from_str(word).map(Some).map_err(|_| NotJson)
    }
}

/// The start of a string without an escape that is not complete, such as one half of a surrogate pair.
fn without_open_escape(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte != b'\\' {
            at += 1;
            continue;
        }
        let length = match bytes.get(at + 1) {
            Some(b'u') => {
                let is_high = matches!(
                    bytes.get(at + 2..at + 4),
                    Some([b'd' | b'D', b'8'..=b'9' | b'a'..=b'b' | b'A'..=b'B'])
                );
                if is_high { 12 } else { 6 }
            }
            _ => 2,
        };
        if at + length > bytes.len() {
            return text.get(..at).unwrap_or_default();
        }
        at += length;
    }
    text
}
