//! A row of the table: how a family of models writes a call.

/// How a family of models writes calls into its text: a row of the table of forms, which a program can extend.
///
/// A head is a template. In it `{name}` is a name, `{quoted}` a name in quotes, `{id}` an identifier, `{type}` the type
/// of a value, and `{space}` white space that may be missing.
///
/// ```
/// use callpact::stream::{Ended, KnownTools, TextForm, TextReader};
///
/// let form = TextForm::new("acme", ["acme-1"])
///     .call("<acme:call>", "</acme:call>")
///     .json_object();
/// let mut reader = TextReader::new(&KnownTools::any()).with_form(form);
/// reader.push("Sure. <acme:call>{\"name\": \"lamp\", \"arguments\": {\"on\": true}}</acme:call>");
/// let turn = reader.finish(Ended::Stopped);
/// assert_eq!((&*turn.text, &*turn.calls[0].arguments), ("Sure. ", r#"{"on": true}"#));
/// ```
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // independent facts of a row
pub struct TextForm {
    pub(super) name: String,
    pub(super) families: Vec<String>,
    pub(super) sections: Vec<String>,
    pub(super) section_ends: Vec<String>,
    pub(super) needs_section: bool,
    pub(super) openers: Vec<String>,
    pub(super) heads: Vec<String>,
    pub(super) body: BodyForm,
    pub(super) closers: Vec<String>,
    pub(super) needs_closer: bool,
    pub(super) certainty: CallCertainty,
    pub(super) calls_in_thoughts: bool,
    pub(super) ends_turn: bool,
    /// A model may repeat the body of a call and its closing mark behind the call.
    pub(super) repeats_body: bool,
    /// Text that may follow the head.
    pub(super) filler: Vec<String>,
}

/// When a text in a form is a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallCertainty {
    /// Always: nobody writes such a text for another reason.
    Certain,
    /// If the program names the family, or if the names are those of tools.
    KnownNames,
    /// If the program names the family.
    Named,
}

/// The body of a call.
#[derive(Clone, Debug)]
pub(super) enum BodyForm {
    Json(JsonBody),
    Python,
    Parameters(ParameterForm),
    Gemma { quote: String },
    Elements { mark: String },
}

/// What the JSON of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonBody {
    /// An object with a name and arguments.
    Object,
    /// A list of such objects.
    List,
    /// Either of both.
    Either,
    /// Such objects one after the other.
    Objects,
    /// The arguments; the name is in the head.
    Arguments,
    /// The arguments in a code fence.
    Fenced,
}

/// How a parameter is written whose value is a text between marks.
#[derive(Clone, Debug)]
pub(super) struct ParameterForm {
    pub(super) heads: Vec<String>,
    pub(super) closer: String,
    pub(super) trim: Trim,
    /// Whether a body may be one JSON object with the arguments.
    pub(super) takes_json: bool,
}

/// What does not belong to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trim {
    /// Everything belongs to it.
    Nothing,
    /// One newline at each side, if the value begins with one.
    Newlines,
    /// White space at each side.
    Space,
}

impl TextForm {
    /// A form with its name, and the names of the families of models that write it.
    pub fn new<'a>(name: &str, families: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            name: name.to_owned(),
            families: families.into_iter().map(str::to_owned).collect(),
            sections: Vec::new(),
            section_ends: Vec::new(),
            needs_section: false,
            openers: Vec::new(),
            heads: Vec::new(),
            body: BodyForm::Json(JsonBody::Object),
            closers: Vec::new(),
            needs_closer: false,
            certainty: CallCertainty::Certain,
            calls_in_thoughts: false,
            ends_turn: false,
            repeats_body: false,
            filler: Vec::new(),
        }
    }

    /// The marks around all calls. Another pair is an alternative.
    #[must_use]
    pub fn section(mut self, open: &str, close: &str) -> Self {
        self.sections.push(open.to_owned());
        self.section_ends.push(close.to_owned());
        self.needs_section = true;
        self
    }

    /// The marks around all calls may be missing.
    #[must_use]
    pub fn section_may_be_missing(mut self) -> Self {
        self.needs_section = false;
        self
    }

    /// The marks around one call. Another pair is an alternative.
    #[must_use]
    pub fn call(mut self, open: &str, close: &str) -> Self {
        self.needs_closer = true;
        self.closers.push(close.to_owned());
        self.call_open(open)
    }

    /// The mark before one call, which ends with its body.
    #[must_use]
    pub fn call_open(mut self, open: &str) -> Self {
        self.openers.push(open.to_owned());
        self
    }

    /// A mark after a call that may be missing.
    #[must_use]
    pub fn may_close(mut self, close: &str) -> Self {
        self.closers.push(close.to_owned());
        self
    }

    /// The text between the mark and the body, with the name. Another head is an alternative.
    #[must_use]
    pub fn head(mut self, template: &str) -> Self {
        self.heads.push(template.to_owned());
        self
    }

    /// The body is a JSON object with `name` and `arguments`.
    #[must_use]
    pub fn json_object(mut self) -> Self {
        self.body = BodyForm::Json(JsonBody::Object);
        self
    }

    /// The body is a JSON list of such objects.
    #[must_use]
    pub fn json_list(mut self) -> Self {
        self.body = BodyForm::Json(JsonBody::List);
        self
    }

    /// The body is the JSON object of the arguments; the name is in the head.
    #[must_use]
    pub fn json_arguments(mut self) -> Self {
        self.body = BodyForm::Json(JsonBody::Arguments);
        self
    }

    pub(super) fn json(mut self, body: JsonBody) -> Self {
        self.body = BodyForm::Json(body);
        self
    }

    /// The body is calls in the syntax of Python.
    #[must_use]
    pub fn python(mut self) -> Self {
        self.body = BodyForm::Python;
        self
    }

    /// The body is a text for each parameter. `head` is a template, such as `<parameter={name}>`.
    #[must_use]
    pub fn parameters(mut self, head: &str, close: &str, trim: Trim) -> Self {
        match &mut self.body {
            BodyForm::Parameters(form) => form.heads.push(head.to_owned()),
            _ => {
                self.body = BodyForm::Parameters(ParameterForm {
                    heads: vec![head.to_owned()],
                    closer: close.to_owned(),
                    trim,
                    takes_json: false,
                });
            }
        }
        self
    }

    /// The body may also be one JSON object with the arguments.
    #[must_use]
    pub fn or_json(mut self) -> Self {
        if let BodyForm::Parameters(form) = &mut self.body {
            form.takes_json = true;
        }
        self
    }

    /// The body has the notation of Gemma, with strings between two of these marks.
    #[must_use]
    pub fn gemma(mut self, quote: &str) -> Self {
        self.body = BodyForm::Gemma {
            quote: quote.to_owned(),
        };
        self
    }

    /// The body is nested elements, each tag behind this mark.
    #[must_use]
    pub fn elements(mut self, mark: &str) -> Self {
        self.body = BodyForm::Elements {
            mark: mark.to_owned(),
        };
        self
    }

    /// A call counts only if its name is that of a tool, or if the program names the family.
    #[must_use]
    pub fn known_names(mut self) -> Self {
        self.certainty = CallCertainty::KnownNames;
        self
    }

    /// A call counts only if the program names the family.
    #[must_use]
    pub fn named(mut self) -> Self {
        self.certainty = CallCertainty::Named;
        self
    }

    /// The family makes calls inside of thoughts that it has not closed.
    #[must_use]
    pub fn in_thoughts(mut self) -> Self {
        self.calls_in_thoughts = true;
        self
    }

    /// Text behind the calls is rubbish.
    #[must_use]
    pub fn ends_turn(mut self) -> Self {
        self.ends_turn = true;
        self
    }

    pub(super) fn repeats_body(mut self) -> Self {
        self.repeats_body = true;
        self
    }

    pub(super) fn filler(mut self, text: &str) -> Self {
        self.filler.push(text.to_owned());
        self
    }

    /// Whether a program means this form by the name of a family.
    pub(super) fn is_of(&self, family: &str) -> bool {
        self.name == family || self.families.iter().any(|name| name == family)
    }
}

/// Whether a mark is a tag, whose name people write too.
pub(super) fn is_tag(mark: &str) -> bool {
    let is_word = |it: char| it.is_ascii_lowercase() || it == '_';
    let inside = mark.trim_start_matches('<').trim_end_matches(['>', '=']);
    inside.chars().all(is_word)
}
