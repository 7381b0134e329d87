//! Arguments as they come in, chunk by chunk.

use std::marker::PhantomData;

use serde_json::Value;

use super::read::{Read, TypedValue, read_str, schema_of};
use crate::{
    check::{
        names::unknown_key,
        reading::{close, read_once},
        state::CheckState,
        values::parse,
    },
    json::JsonScanner,
    policy::Policy,
    read::ToolInput,
    repair::cut_off,
    report::{FixKind, Issue, IssueKind, Path, Report, Step, hide_issue},
    schema::{Field, Kind, Unknown, expected, field_by_case, is_wrapper},
    text::{nearest, ticked},
};

/// The state of a [`StreamReader`] after a chunk.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A top-level field is complete. There is no event for a number that does not fit a [`Value`], such as `1e999`.
    Field {
        /// Its key as the model wrote it.
        name: String,
        /// Its value as the model wrote it; only [`finish`](StreamReader::finish) converts.
        value: Value,
    },
    /// Something is wrong, whatever comes next: [`finish`](StreamReader::finish) will give no value. A
    /// problem that the rest of the text can still correct is not an issue yet.
    Issue(Issue),
}

/// Reads arguments while the model is still writing them.
///
/// Completed top-level fields are for showing progress. Nothing should run on them, since only
/// [`finish`](Self::finish) sees the whole. A stream that ends in the middle is never a value.
///
/// ```
/// use callpact::{Policy, ToolInput, input::stream::{Event, StreamReader}};
///
/// #[derive(ToolInput)]
/// struct Write { path: String, content: String }
///
/// let mut reader = StreamReader::<Write>::new(&Policy::lax());
/// assert!(reader.push(r#"{"path": "a.t"#).is_empty());
/// let events = reader.push(r#"xt", "content": "one"#);
/// assert!(matches!(&events[..], [Event::Field { name, value }] if name == "path" && value == "a.txt"));
/// reader.push("\"}");
/// assert_eq!(reader.finish()?.value.content, "one");
/// # Ok::<(), callpact::Report>(())
/// ```
#[derive(Debug)]
pub struct StreamReader<T> {
    policy: Policy,
    text: String,
    /// The start of a character that the next chunk completes.
    partial: Vec<u8>,
    pos: usize,
    place: StreamPlace,
    key: String,
    start: usize,
    depth: usize,
    in_string: bool,
    escaped: bool,
    fault: Option<StreamFault>,
    reported: usize,
    /// The events already sent about the current field.
    said: Option<IssueKind>,
    /// The fields whose keys have arrived.
    given: Vec<&'static str>,
    type_: PhantomData<fn() -> T>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StreamPlace {
    Start,
    /// Before a key, or before the end of the object.
    Key {
        first: bool,
    },
    InKey,
    Colon,
    Value,
    InScalar,
    InNested,
    Comma,
    Done,
    /// The text is no longer plain JSON, so only the end will tell what it is.
    Lost,
}

/// Why there will be no value, whatever follows.
#[derive(Clone, Copy, Debug)]
enum StreamFault {
    TooLarge(usize),
    NotText,
}

impl<T: ToolInput> StreamReader<T> {
    /// A reader at the start of a stream.
    pub fn new(policy: &Policy) -> Self {
        Self {
            policy: *policy,
            text: String::new(),
            partial: Vec::new(),
            pos: 0,
            place: StreamPlace::Start,
            key: String::new(),
            start: 0,
            depth: 0,
            in_string: false,
            escaped: false,
            fault: None,
            reported: 0,
            said: None,
            given: Vec::new(),
            type_: PhantomData,
        }
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes the next chunk. It may be split anywhere, even inside a character.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>) -> Vec<Event> {
        let mut events = Vec::new();
        let chunk = chunk.as_ref();
        if self.fault.is_some() {
            return events;
        }
        let length = self.text.len() + self.partial.len() + chunk.len();
        if length > self.policy.max_bytes() {
            self.fault = Some(StreamFault::TooLarge(length));
            self.place = StreamPlace::Lost;
            for issue in self.broken().issues {
                self.report(issue, &mut events);
            }
            return events;
        }
        let whole;
        let bytes = if self.partial.is_empty() {
            chunk
        } else {
            self.partial.extend_from_slice(chunk);
            whole = std::mem::take(&mut self.partial);
            &whole
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => self.text.push_str(text),
            Err(error) => {
                let (text, rest) = bytes
                    .split_at_checked(error.valid_up_to())
                    .unwrap_or_default();
                self.text
                    .push_str(std::str::from_utf8(text).unwrap_or_default());
                if error.error_len().is_some() {
                    self.fault = Some(StreamFault::NotText);
                } else {
                    self.partial = rest.to_vec();
                }
            }
        }
        self.go_on(&mut events);
        if self.fault.is_some() {
            for issue in self.broken().issues {
                self.report(issue, &mut events);
            }
        }
        events
    }

    /// Reads the whole.
    ///
    /// An empty stream means no arguments, like an empty text. If the provider says that the model
    /// was cut off, call [`cut_off`](Self::cut_off) instead.
    ///
    /// # Errors
    /// A [`Report`] of every issue that was found.
    pub fn finish(self) -> Result<Read<T>, Report> {
        if self.fault.is_some() || !self.partial.is_empty() {
            return Err(self.broken());
        }
        read_str(&self.text, &self.policy)
    }

    /// The report on a stream that was cut off according to the provider, even if it happens to be complete.
    pub fn cut_off(self) -> Report {
        self.cut()
    }

    fn cut(&self) -> Report {
        let issue = cut_off(Path::default(), &self.text, T::SCHEMA.holds_secret());
        Report::new(vec![issue])
    }

    fn broken(&self) -> Report {
        let (kind, words, found) = match self.fault {
            None => return self.cut(),
            Some(StreamFault::TooLarge(length)) => (
                IssueKind::TooLarge,
                format!("at most {} bytes", self.policy.max_bytes()),
                format!("{length} bytes"),
            ),
            Some(StreamFault::NotText) => (
                IssueKind::NotJson,
                "JSON".to_owned(),
                "bytes that are not UTF-8".to_owned(),
            ),
        };
        Report::new(vec![Issue::new(Path::default(), kind, words, found)])
    }

    fn report(&mut self, mut issue: Issue, events: &mut Vec<Event>) {
        hide_issue(T::SCHEMA, &mut issue);
        if self.reported < self.policy.max_issues() {
            self.reported += 1;
            events.push(Event::Issue(issue));
        }
    }

    /// Reports an issue only if mending is off.
    fn say_if_strict(&mut self, issue: Issue, events: &mut Vec<Event>) {
        if !self.policy.repairs() {
            self.report(issue, events);
        }
    }

    fn go_on(&mut self, events: &mut Vec<Event>) {
        while let Some(byte) = self.text.as_bytes().get(self.pos).copied() {
            let space = matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
            match self.place {
                StreamPlace::Lost => {
                    self.pos = self.text.len();
                    return;
                }
                StreamPlace::InKey => {
                    if self.string_ends(byte) {
                        let literal = self.text.get(self.start..=self.pos).unwrap_or_default();
                        match serde_json::from_str(literal) {
                            Ok(key) => {
                                self.key = key;
                                self.place = StreamPlace::Colon;
                            }
                            Err(_) => self.lose(events),
                        }
                    }
                }
                StreamPlace::InNested => self.nested(byte, events),
                StreamPlace::InScalar if space || matches!(byte, b',' | b'}') => {
                    self.complete(self.pos, events);
                    continue;
                }
                StreamPlace::InScalar => {}
                _ if space => {}
                StreamPlace::Start if byte == b'{' => self.place = StreamPlace::Key { first: true },
                StreamPlace::Start => {
                    self.place = StreamPlace::Lost;
                    // `null` and an empty text mean no arguments.
                    let object = matches!(T::SCHEMA.kind, Kind::Object(_) | Kind::Map(_));
                    if byte != b'n' && object {
                        let words = expected(T::SCHEMA);
                        let issue = Issue::new(
                            Path::default(),
                            IssueKind::NotAnObject,
                            words,
                            "another start",
                        );
                        self.say_if_strict(issue, events);
                    }
                }
                StreamPlace::Key { first: true } if byte == b'}' => self.place = StreamPlace::Done,
                StreamPlace::Key { .. } if byte == b'"' => {
                    self.start = self.pos;
                    self.escaped = false;
                    self.place = StreamPlace::InKey;
                }
                StreamPlace::Colon if byte == b':' => {
                    self.place = StreamPlace::Value;
                    self.said = None;
                    self.look_at_key(events);
                }
                StreamPlace::Value => self.begin(byte, events),
                StreamPlace::Comma if byte == b',' => {
                    self.place = StreamPlace::Key { first: false }
                }
                StreamPlace::Comma if byte == b'}' => self.place = StreamPlace::Done,
                StreamPlace::Done => {
                    self.place = StreamPlace::Lost;
                    let issue = Issue::new(
                        Path::default(),
                        IssueKind::TrailingText,
                        "one JSON value",
                        "more text behind it",
                    );
                    self.say_if_strict(issue, events);
                }
                StreamPlace::Key { .. } | StreamPlace::Colon | StreamPlace::Comma => {
                    self.lose(events);
                }
            }
            self.pos += 1;
        }
    }

    fn lose(&mut self, events: &mut Vec<Event>) {
        self.place = StreamPlace::Lost;
        let found = format!("a fault at byte {}", self.pos);
        let issue = Issue::new(Path::default(), IssueKind::NotJson, "JSON", found);
        self.say_if_strict(issue, events);
    }

    /// Whether this byte ends the current string; it comes after the opening quote.
    fn string_ends(&mut self, byte: u8) -> bool {
        let ends = byte == b'"' && !self.escaped;
        self.escaped = byte == b'\\' && !self.escaped;
        ends
    }

    fn begin(&mut self, byte: u8, events: &mut Vec<Event>) {
        self.start = self.pos;
        self.depth = 0;
        self.in_string = false;
        self.escaped = false;
        if !matches!(byte, b'"' | b'{' | b'[') {
            self.place = StreamPlace::InScalar;
            return;
        }
        self.place = StreamPlace::InNested;
        if byte == b'"' {
            self.in_string = true;
            return;
        }
        self.depth = 1;
        let wrong = self.field().is_some_and(|field| match field.schema.kind {
            Kind::Text(_) | Kind::Boolean => true,
            // A list of one number is mended, and only its end shows how many there are.
            Kind::Integer(_) | Kind::Number(_) => byte == b'{' || !self.policy.repairs(),
            _ => false,
        });
        if wrong && let Some(field) = self.field() {
            let found = if byte == b'{' {
                "an object"
            } else {
                "an array"
            };
            let path = Path::from_iter([Step::Key(field.name.part().to_owned())]);
            let issue = Issue::new(
                path,
                IssueKind::WrongType,
                expected(field.schema.part()),
                found,
            );
            self.said = Some(IssueKind::WrongType);
            self.report(issue, events);
        }
    }

    fn nested(&mut self, byte: u8, events: &mut Vec<Event>) {
        if self.in_string {
            if !self.string_ends(byte) {
                return;
            }
            self.in_string = false;
        } else {
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
        }
        if self.depth == 0 && !self.in_string {
            self.complete(self.pos + 1, events);
        }
    }

    fn field(&self) -> Option<&'static Field> {
        let lax = self.policy.converts();
        T::SCHEMA.fields().find(|field| {
            field.name.part() == self.key || (lax && field.aliases.contains(&&*self.key))
        })
    }

    fn look_at_key(&mut self, events: &mut Vec<Event>) {
        if let Some(field) = self.field() {
            if self.given.contains(&field.name.part()) {
                // If mending is on, a repeated key with the same value is no issue.
                let path = Path::from_iter([Step::Key(field.name.part().to_owned())]);
                let issue = Issue::new(path, IssueKind::DuplicateKey, "once", "more than once");
                self.say_if_strict(issue, events);
            } else {
                self.given.push(field.name.part());
            }
            return;
        }
        let Kind::Object(rules) = &T::SCHEMA.kind else {
            return;
        };
        let by_case = self.policy.converts() && field_by_case(rules, &self.key).is_some();
        let mended = by_case || self.policy.repairs() && is_wrapper(&self.key);
        if rules.unknown != Unknown::Deny || rules.extra.is_some() || mended {
            return;
        }
        let names: Vec<&'static str> = T::SCHEMA.fields().map(|field| field.name.part()).collect();
        let path = Path::from_iter([Step::Key(self.key.clone())]);
        let mut issue = unknown_key(path, &names);
        // Its value has not arrived yet, so this is not tried; the report on the whole call does.
        let free = names.iter().filter(|name| !self.given.contains(name));
        if let Some(name) = nearest(&self.key, free.copied()) {
            issue.hint = Some(format!("did you mean {}?", ticked(name)).into());
        }
        self.said = Some(IssueKind::UnknownKey);
        self.report(issue, events);
    }

    /// The current value is complete.
    fn complete(&mut self, end: usize, events: &mut Vec<Event>) {
        self.place = StreamPlace::Comma;
        let slice = self.text.get(self.start..end).unwrap_or_default();
        let value = parse(slice).ok();
        if value.is_none() {
            // The tool may not ask for a number that does not fit a `Value`.
            let mut json = JsonScanner::new(slice);
            if json.take_written().is_none() || !json.is_done() {
                self.lose(events);
                return;
            }
        }
        let alone = format!("{{{}:{slice}}}", Value::String(self.key.clone()));
        let mut state = CheckState::new(self.policy);
        let mut place = TypedValue::<T>::none();
        let schema = schema_of::<T>();
        let is_there = read_once(&alone, schema, &mut state, &mut place);
        let read = close(is_there, state, &alone, schema);
        if matches!(T::SCHEMA.kind, Kind::Object(_) | Kind::Map(_))
            && let Err(report) = read
        {
            for issue in report.issues {
                // A missing field may still arrive, and an issue about the whole may change.
                let whole = issue.path.is_root();
                let missing = issue.kind == IssueKind::Missing && issue.path.steps().len() == 1;
                let said = self.said == Some(issue.kind) && issue.path.steps().len() == 1;
                // A wrapper is removed, and a key that resembles a parameter is ignored if that parameter is given too.
                let unwraps = self.policy.repairs() && is_wrapper(&self.key);
                let mended = issue.kind == IssueKind::UnknownKey
                    && issue.path.steps().len() == 1
                    && (unwraps || !self.policy.refuses(FixKind::UnknownDropped));
                if !(whole || missing || said || mended) {
                    self.report(issue, events);
                }
            }
        }
        let name = std::mem::take(&mut self.key);
        events.extend(value.map(|value| Event::Field { name, value }));
    }
}
