//! One call of a turn, while its pieces arrive.

use serde_json::Value;

use super::partial_args::PartialArgs;
use crate::{
    Issue,
    adapter::ToolCall,
    input::{
        repair::is_json,
        stream::{ArgumentWatch, Event, GrowingDocument},
    },
    tool::{CallOrigin, text_arguments},
};

/// What joins the pieces of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum CallKey {
    Index(u64),
    Name(String),
    /// Its pieces are not marked.
    #[default]
    None,
}

impl CallKey {
    /// The number in an event.
    pub(super) fn index(event: &Value, key: &str) -> Self {
        let number = event.get(key).and_then(Value::as_u64);
        Self::Index(number.unwrap_or(u64::MAX))
    }
}

/// What the provider said of the end of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SlotEnd {
    /// Nothing yet.
    #[default]
    Open,
    /// The call is complete.
    Whole,
    /// The call ended, and is not complete.
    Cut,
}

/// How the arguments of a call are read while they arrive.
#[derive(Debug)]
enum CallGrowth<'a> {
    /// The tool is not known.
    Any(GrowingDocument),
    Watched {
        watch: Box<ArgumentWatch<'a>>,
        /// The watch before the first byte.
        start: Box<ArgumentWatch<'a>>,
    },
}

impl Default for CallGrowth<'_> {
    fn default() -> Self {
        Self::Any(GrowingDocument::new())
    }
}

/// A call whose pieces arrive.
#[derive(Debug, Default)]
pub(super) struct CallSlot<'a> {
    pub(super) key: CallKey,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    pub(super) origin: CallOrigin,
    pub(super) end: SlotEnd,
    pub(super) fault: Option<String>,
    /// The arguments as a value that grows, where a provider sends them so.
    pub(super) partial: Option<PartialArgs>,
    /// Whether the beginning of the call was reported, and how much of its arguments.
    pub(super) is_reported: bool,
    pub(super) reported: usize,
    /// The arguments that were reported, by the schema of the tool if it is known.
    growth: CallGrowth<'a>,
    /// The arguments came as an object.
    is_whole_object: bool,
    /// The number of pieces of arguments that were not empty.
    pieces: usize,
}

impl<'a> CallSlot<'a> {
    pub(super) fn new(key: CallKey) -> Self {
        Self {
            key,
            ..Self::default()
        }
    }

    /// Takes a name, or a part of it.
    pub(super) fn take_name(&mut self, name: &str, is_known: impl Fn(&str) -> bool) {
        if name.is_empty() || name == self.name {
            return;
        }
        if self.name.is_empty() || (self.arguments.is_empty() && !is_known(&self.name)) {
            self.name.push_str(name);
        } else {
            self.fail("the provider sent two names for it");
        }
    }

    /// Takes arguments: a piece of text, or an object.
    pub(super) fn take_arguments(&mut self, arguments: Option<&Value>) {
        match arguments {
            None | Some(Value::Null) => {}
            Some(Value::String(piece)) => self.take_piece(piece),
            Some(object) => self.take_object(object),
        }
    }

    pub(super) fn take_piece(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let is_repeated = piece.len() == self.arguments.len()
            && piece == self.arguments
            && piece.starts_with('{')
            && is_json(piece);
        if is_repeated {
            return;
        }
        // An empty object that a server sends as a placeholder.
        if self.pieces == 1 && self.arguments == "{}" && piece.starts_with('{') {
            self.clear_arguments();
        }
        self.pieces += 1;
        self.arguments.push_str(piece);
    }

    /// Forgets the arguments, which come anew.
    pub(super) fn clear_arguments(&mut self) {
        self.arguments.clear();
        self.reported = 0;
        self.growth = match &self.growth {
            CallGrowth::Any(_) => CallGrowth::default(),
            CallGrowth::Watched { start, .. } => CallGrowth::Watched {
                watch: start.clone(),
                start: start.clone(),
            },
        };
    }

    /// Watches the arguments by the schema of the tool.
    pub(super) fn watch_by(&mut self, watch: ArgumentWatch<'a>) {
        let watch = Box::new(watch);
        self.growth = CallGrowth::Watched {
            start: watch.clone(),
            watch,
        };
    }

    /// Reads the arguments that are not reported yet: their text, and the issues that nothing can correct.
    pub(super) fn grow(&mut self) -> (String, Vec<Issue>) {
        let new = self.arguments.get(self.reported..).unwrap_or_default();
        let new = new.to_owned();
        self.reported = self.arguments.len();
        if self.origin.is_text {
            return (new, Vec::new());
        }
        let events = match &mut self.growth {
            CallGrowth::Any(document) => {
                document.push(&new);
                Vec::new()
            }
            CallGrowth::Watched { watch, .. } => watch.push(&new),
        };
        let issues = events.into_iter().filter_map(|event| match event {
            Event::Issue(issue) => Some(issue),
            _ => None,
        });
        (new, issues.collect())
    }

    /// The arguments that were reported.
    pub(super) fn document(&self) -> &GrowingDocument {
        match &self.growth {
            CallGrowth::Any(document) => document,
            CallGrowth::Watched { watch, .. } => watch.document(),
        }
    }

    fn take_object(&mut self, object: &Value) {
        let text = object.to_string();
        if self.arguments.is_empty() || (self.is_whole_object && self.arguments == "{}") {
            self.arguments = text;
        } else if serde_json::from_str(&self.arguments).ok().as_ref() != Some(object) {
            self.fail("the provider sent its arguments twice");
        }
        self.is_whole_object = true;
        self.pieces += 1;
    }

    /// Takes the whole arguments, which the provider repeats at the end.
    pub(super) fn take_whole(&mut self, whole: &str) {
        if self.arguments.is_empty() {
            whole.clone_into(&mut self.arguments);
        } else if whole != self.arguments && !whole.is_empty() {
            self.fail("its pieces differ from the whole that the provider sent at the end");
        }
    }

    /// Takes the arguments at the start of a call. An empty object there is a placeholder.
    pub(super) fn take_start(&mut self, arguments: Option<&Value>) {
        if arguments
            .and_then(Value::as_object)
            .is_none_or(|it| !it.is_empty())
        {
            self.take_arguments(arguments);
        }
    }

    pub(super) fn fail(&mut self, reason: &str) {
        self.fault.get_or_insert_with(|| reason.to_owned());
    }

    /// Whether the arguments are an object, and so need nothing more. An empty one may be a placeholder.
    pub(super) fn is_object(&self) -> bool {
        let text = self.arguments.trim();
        let may_be_placeholder = self.pieces == 1 && text == "{}" && !self.is_whole_object;
        self.origin.is_text || text.starts_with('{') && is_json(text) && !may_be_placeholder
    }

    /// The call. `may_be_cut` if nothing says that it is complete.
    pub(super) fn into_call(mut self, may_be_cut: bool) -> ToolCall {
        if let Some(partial) = self.partial.take() {
            match partial.into_text() {
                Ok(text) => self.arguments = text,
                Err(reason) => self.fail(reason),
            }
        }
        let arguments = if self.origin.is_text {
            text_arguments(&self.arguments)
        } else if matches!(self.arguments.trim(), "" | "null") {
            String::new()
        } else {
            self.arguments
        };
        let mut call = ToolCall::new(self.id, self.name, arguments);
        call.cut_off = match self.end {
            SlotEnd::Open => may_be_cut,
            SlotEnd::Whole => false,
            SlotEnd::Cut => true,
        };
        call.origin = self.origin;
        call.fault = self.fault;
        if call.name.is_empty() && !call.cut_off {
            call.fault
                .get_or_insert_with(|| "the provider sent no name for it".to_owned());
        }
        call
    }
}

/// Whether an id is none.
pub(super) fn is_no_id(id: &str) -> bool {
    matches!(id, "" | "null")
}
