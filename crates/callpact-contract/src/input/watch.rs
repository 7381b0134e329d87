//! Watches arguments by the schema of a tool, and reports what nothing can correct any more.

use serde_json::Value;

use crate::{
    check::{
        names::unknown_key,
        reading::{AnyText, close, parse_arguments, read_once},
        state::CheckState,
    },
    json::{GrowingDocument, Growth, PartialNode},
    policy::Policy,
    report::{FixKind, Issue, IssueKind, Path, Step, hide_issue},
    schema::{Field, Kind, Schema, Unknown, expected, field_by_case, is_wrapper},
    text::{nearest, ticked},
};

/// The state of a [`StreamReader`](super::stream::StreamReader) after a chunk.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A top-level field is complete. There is no event for a number that does not fit a [`Value`], such as `1e999`.
    Field {
        /// Its key as the model wrote it.
        name: String,
        /// Its value as the model wrote it; only [`finish`](super::stream::StreamReader::finish) converts.
        value: Value,
    },
    /// Something is wrong, whatever comes next: [`finish`](super::stream::StreamReader::finish) will give no value. A
    /// problem that the rest of the text can still correct is not an issue yet.
    Issue(Issue),
}

/// Watches arguments while they arrive, by the schema of any tool. [`StreamReader`](super::stream::StreamReader) also
/// reads them as a type.
#[derive(Clone, Debug)]
pub struct ArgumentWatch<'s> {
    document: GrowingDocument,
    /// The length of a text that is too long.
    too_long: Option<usize>,
    state: WatchState<'s>,
}

#[derive(Clone, Debug)]
struct WatchState<'s> {
    schema: &'s Schema,
    policy: Policy,
    /// The key of the current field.
    key: String,
    reported: usize,
    /// The issue already reported about the current field.
    said: Option<IssueKind>,
    /// The fields whose keys have arrived.
    given: Vec<&'s str>,
    /// The text is no longer plain JSON, so only the end shows what it is.
    is_lost: bool,
}

impl<'s> ArgumentWatch<'s> {
    /// A watch at the start of the arguments.
    pub fn new(schema: &'s Schema, policy: &Policy) -> Self {
        Self {
            document: GrowingDocument::new(),
            too_long: None,
            state: WatchState {
                schema,
                policy: *policy,
                key: String::new(),
                reported: 0,
                said: None,
                given: Vec::new(),
                is_lost: false,
            },
        }
    }

    /// The arguments so far.
    pub fn document(&self) -> &GrowingDocument {
        &self.document
    }

    pub(super) fn policy(&self) -> &Policy {
        &self.state.policy
    }

    /// Takes the next piece. Every byte is read once, and the text of each complete field is checked once.
    pub fn push(&mut self, piece: &str) -> Vec<Event> {
        self.take(piece, 0)
    }

    /// Takes the next piece; so many bytes behind it wait for the rest of their character.
    pub(super) fn take(&mut self, piece: &str, waiting: usize) -> Vec<Event> {
        let mut events = Vec::new();
        if self.too_long.is_some() {
            return events;
        }
        let length = self.document.text().len() + piece.len() + waiting;
        if length > self.state.policy.max_bytes() {
            self.too_long = Some(length);
            let issue = self.too_large();
            events.extend(issue.and_then(|issue| self.report(issue)).map(Event::Issue));
            return events;
        }
        self.document.add(piece);
        while let Some(growth) = self.document.grow() {
            self.state.follow(&self.document, growth, &mut events);
        }
        events
    }

    /// The issue of a text that is too long.
    pub(super) fn too_large(&self) -> Option<Issue> {
        let length = self.too_long?;
        let most = format!("at most {} bytes", self.state.policy.max_bytes());
        let found = format!("{length} bytes");
        Some(Issue::new(
            Path::default(),
            IssueKind::TooLarge,
            most,
            found,
        ))
    }

    /// The issue without secrets, unless there are too many.
    pub(super) fn report(&mut self, issue: Issue) -> Option<Issue> {
        self.state.report(issue)
    }
}

impl<'s> WatchState<'s> {
    fn follow(&mut self, document: &GrowingDocument, growth: Growth, events: &mut Vec<Event>) {
        if self.is_lost {
            return;
        }
        match growth {
            Growth::Started(0) => self.begin(document.node(0), events),
            Growth::Started(id) => self.look_at_start(document.node(id), events),
            Growth::Key(id) => match document.node(id).text() {
                Some(key) => {
                    self.key = key.into_owned();
                    self.said = None;
                    self.look_at_key(events);
                }
                None => self.lose(document.node(id).start(), events),
            },
            Growth::Field(id) => self.complete(document.node(id), events),
            Growth::Trailing => {
                self.is_lost = true;
                let found = "more text behind it";
                let path = Path::default();
                let issue = Issue::new(path, IssueKind::TrailingText, "one JSON value", found);
                self.report_if_strict(issue, events);
            }
            Growth::OtherStart => self.begin_otherwise(events),
            Growth::Broken(at) => self.lose(at, events),
        }
    }

    fn report(&mut self, mut issue: Issue) -> Option<Issue> {
        hide_issue(self.schema, &mut issue);
        let has_room = self.reported < self.policy.max_issues();
        self.reported += usize::from(has_room);
        has_room.then_some(issue)
    }

    fn add(&mut self, issue: Issue, events: &mut Vec<Event>) {
        events.extend(self.report(issue).map(Event::Issue));
    }

    /// Reports an issue only if mending is off.
    fn report_if_strict(&mut self, issue: Issue, events: &mut Vec<Event>) {
        if !self.policy.repairs() {
            self.add(issue, events);
        }
    }

    fn takes_object(&self) -> bool {
        matches!(self.schema.kind, Kind::Object(_) | Kind::Map(_))
    }

    fn begin(&mut self, root: PartialNode<'_>, events: &mut Vec<Event>) {
        // `null` and an empty text mean no arguments.
        if root.written().starts_with('n') {
            self.is_lost = true;
        } else if !root.is_object() {
            self.begin_otherwise(events);
        }
    }

    fn begin_otherwise(&mut self, events: &mut Vec<Event>) {
        self.is_lost = true;
        if self.takes_object() {
            let words = expected(self.schema);
            let path = Path::default();
            let issue = Issue::new(path, IssueKind::NotAnObject, words, "another start");
            self.report_if_strict(issue, events);
        }
    }

    fn lose(&mut self, at: usize, events: &mut Vec<Event>) {
        self.is_lost = true;
        let found = format!("a fault at byte {at}");
        let issue = Issue::new(Path::default(), IssueKind::NotJson, "JSON", found);
        self.report_if_strict(issue, events);
    }

    fn field(&self) -> Option<&'s Field> {
        let lax = self.policy.converts();
        self.schema.fields().find(|field| {
            field.name.part() == self.key || (lax && field.aliases.contains(&&*self.key))
        })
    }

    /// Looks at the first byte of the value of a field.
    fn look_at_start(&mut self, value: PartialNode<'_>, events: &mut Vec<Event>) {
        let Some(field) = self.field() else {
            return;
        };
        if !value.is_object() && !value.is_list() {
            return;
        }
        let is_wrong = match field.schema.kind {
            Kind::Text(_) | Kind::Boolean => true,
            // A list of one number is mended, and only its end shows how many there are.
            Kind::Integer(_) | Kind::Number(_) => value.is_object() || !self.policy.repairs(),
            _ => false,
        };
        if is_wrong {
            let found = if value.is_object() {
                "an object"
            } else {
                "an array"
            };
            let path = Path::from_iter([Step::Key(field.name.part().to_owned())]);
            let words = expected(field.schema.part());
            self.said = Some(IssueKind::WrongType);
            self.add(Issue::new(path, IssueKind::WrongType, words, found), events);
        }
    }

    fn look_at_key(&mut self, events: &mut Vec<Event>) {
        if let Some(field) = self.field() {
            let name = field.name.part();
            if self.given.contains(&name) {
                // If mending is on, a repeated key with the same value is no issue.
                let path = Path::from_iter([Step::Key(name.to_owned())]);
                let issue = Issue::new(path, IssueKind::DuplicateKey, "once", "more than once");
                self.report_if_strict(issue, events);
            } else {
                self.given.push(name);
            }
            return;
        }
        let Kind::Object(rules) = &self.schema.kind else {
            return;
        };
        let by_case = self.policy.converts() && field_by_case(rules, &self.key).is_some();
        let mended = by_case || self.policy.repairs() && is_wrapper(&self.key);
        if rules.unknown != Unknown::Deny || rules.extra.is_some() || mended {
            return;
        }
        let fields = self.schema.fields();
        let names: Vec<&str> = fields.map(|field| field.name.part()).collect();
        let path = Path::from_iter([Step::Key(self.key.clone())]);
        let mut issue = unknown_key(path, &names);
        // Its value has not arrived yet, so this is not tried; the report on the whole call does.
        let free = names.iter().filter(|name| !self.given.contains(name));
        if let Some(name) = nearest(&self.key, free.copied()) {
            issue.hint = Some(format!("did you mean {}?", ticked(name)).into());
        }
        self.said = Some(IssueKind::UnknownKey);
        self.add(issue, events);
    }

    /// The value of the current field is complete.
    fn complete(&mut self, value: PartialNode<'_>, events: &mut Vec<Event>) {
        let key = Value::from(&*self.key);
        let alone = format!("{{{key}:{}}}", value.written());
        let mut state = CheckState::new(self.policy);
        let document = parse_arguments(&alone, self.schema);
        let is_there = read_once(&document, self.schema, &mut state, &mut AnyText);
        let read = close(is_there, state, &document, self.schema);
        if self.takes_object()
            && let Err(report) = read
        {
            for issue in report.issues {
                // A missing field may still arrive, and an issue about the whole may change.
                let is_whole = issue.path.is_root();
                let is_outer = issue.path.steps().len() == 1;
                let is_missing = issue.kind == IssueKind::Missing && is_outer;
                let is_said = self.said == Some(issue.kind) && is_outer;
                // A wrapper is removed, and a key that resembles a parameter is ignored if that parameter is given too.
                let unwraps = self.policy.repairs() && is_wrapper(&self.key);
                let is_mended = issue.kind == IssueKind::UnknownKey
                    && is_outer
                    && (unwraps || !self.policy.refuses(FixKind::UnknownDropped));
                if !(is_whole || is_missing || is_said || is_mended) {
                    self.add(issue, events);
                }
            }
        }
        let name = std::mem::take(&mut self.key);
        events.extend(value.value().map(|value| Event::Field { name, value }));
    }
}
