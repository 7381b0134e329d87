//! The place of the reader, and its findings so far.

use std::{borrow::Cow, fmt::Display};

use super::{
    found::Found,
    here::{Here, Tagged, Way, constant_name},
    state::State,
};
use crate::{
    policy::MAX_DEPTH,
    report::{Clue, Fix, FixKind, Issue, IssueKind, Part, Path, Shown, Step, WantedKind},
    schema::{Field, Kind, Schema, Union, Variant, described, expected, is_again},
    text::NOT_SHOWN,
};

/// A place in the arguments. It has the schema for this place and collects the issues.
///
/// [`ToolInput::read`](crate::ToolInput::read) gets one. A hand-written reader passes it on to the reader of the type
/// that it builds on.
///
/// ```
/// use callpact::{At, Input, Policy, Schema, ToolInput, read_str};
///
/// struct Word(String);
///
/// impl ToolInput for Word {
///     const SCHEMA: &'static Schema = String::SCHEMA;
///
///     fn read(input: &mut Input<'_>, mut at: At<'_>) -> Option<Self> {
///         let text = String::read(input, at.reborrow())?;
///         if text.contains(' ') {
///             at.refuse("more than one word");
///             return None;
///         }
///         Some(Word(text))
///     }
/// }
///
/// let report = read_str::<Vec<Word>>(r#"["one", "two three"]"#, &Policy::exact());
/// let issues = report.map(|_| ()).unwrap_err().issues;
/// assert_eq!(issues[0].to_string(), "[1]: more than one word");
/// ```
pub struct At<'a> {
    state: &'a mut State,
    here: &'a Here<'a>,
}

impl<'a> At<'a> {
    #[inline]
    pub(crate) fn new(state: &'a mut State, here: &'a Here<'a>) -> Self {
        Self { state, here }
    }

    #[inline]
    pub(crate) fn state(&mut self) -> &mut State {
        self.state
    }

    /// This place, borrowed for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> At<'_> {
        At {
            state: self.state,
            here: self.here,
        }
    }

    /// Reads one step below.
    #[inline]
    pub(crate) fn below<R>(
        &mut self,
        step: Way<'_>,
        schema: &Schema,
        read: impl FnOnce(At<'_>) -> R,
    ) -> R {
        let here = Here {
            parent: Some(self.here),
            step,
            schema,
            depth: self.here.depth + 1,
            optional: false,
            empty: false,
        };
        read(At {
            state: self.state,
            here: &here,
        })
    }

    /// Reads the value of a field.
    #[inline]
    pub(crate) fn field<R>(&mut self, field: &Field, read: impl FnOnce(At<'_>) -> R) -> R {
        let mut here = self.place_of(field.schema.part());
        here.move_to(field);
        read(At {
            state: self.state,
            here: &here,
        })
    }

    /// A place below this one, which is moved from value to value. The schema is for items, since a field brings its
    /// own.
    #[inline]
    pub(crate) fn place_of(&self, schema: &'a Schema) -> Here<'a> {
        Here {
            parent: Some(self.here),
            step: Way::Same,
            schema,
            depth: self.here.depth + 1,
            optional: false,
            empty: false,
        }
    }

    /// Reads at that place.
    #[inline]
    pub(crate) fn at<'b>(&'b mut self, here: &'b Here<'b>) -> At<'b> {
        At {
            state: self.state,
            here,
        }
    }

    /// Reads at this place with another state, to see whether a form fits.
    pub(crate) fn aside<R>(
        &mut self,
        state: &mut State,
        schema: &Schema,
        read: impl FnOnce(At<'_>) -> R,
    ) -> R {
        state.tried = self.state.tried.take();
        let here = self.here;
        let out = At { state, here }.in_form(schema, read);
        self.state.tried = state.tried.take();
        out
    }

    /// Reads one of several forms at this place. An absent value is not one of them.
    pub(crate) fn in_form<R>(self, schema: &Schema, read: impl FnOnce(At<'_>) -> R) -> R {
        let here = Here {
            schema,
            optional: false,
            empty: false,
            ..self.here.again()
        };
        read(At {
            state: self.state,
            here: &here,
        })
    }

    /// Reads at this place, where a value must now be present.
    pub(crate) fn required<R>(self, read: impl FnOnce(At<'_>) -> R) -> R {
        let here = Here {
            optional: false,
            empty: false,
            ..self.here.again()
        };
        read(At {
            state: self.state,
            here: &here,
        })
    }

    /// Reads at this place, where null is now a value. `""` still means an absent value.
    pub(crate) fn nullable<R>(self, read: impl FnOnce(At<'_>) -> R) -> R {
        let here = Here {
            optional: false,
            empty: true,
            ..self.here.again()
        };
        read(At {
            state: self.state,
            here: &here,
        })
    }

    /// Reads the content of a variant whose tag is among its keys.
    pub(crate) fn content<R>(
        self,
        schema: &Schema,
        tagged: &Tagged<'_>,
        read: impl FnOnce(At<'_>) -> R,
    ) -> R {
        let here = Here {
            schema,
            step: Way::Content(tagged),
            ..self.here.again()
        };
        read(At {
            state: self.state,
            here: &here,
        })
    }

    /// Reads a variant without a tag. Null at a key of another variant has no meaning.
    pub(crate) fn variant<R>(
        self,
        others: &(&Union, &Variant),
        read: impl FnOnce(At<'_>) -> R,
    ) -> R {
        let here = Here {
            step: Way::Variant(others),
            ..self.here.again()
        };
        read(At {
            state: self.state,
            here: &here,
        })
    }

    /// The schema of the value here.
    #[inline]
    pub fn schema(&self) -> &'a Schema {
        self.here.schema()
    }

    /// Reads at this place with another schema.
    pub(crate) fn under<R>(self, schema: &Schema, read: impl FnOnce(At<'_>) -> R) -> R {
        let here = Here {
            schema,
            ..self.here.again()
        };
        read(At {
            state: self.state,
            here: &here,
        })
    }

    /// The definition with this number, among the schemas around this place.
    pub(crate) fn definition(&self, number: u32) -> Option<&'a Schema> {
        let mut around = self.here.ancestors().map(Here::schema);
        around.find(|schema| schema.number() == number && !is_again(schema))
    }

    /// The number of issues so far.
    pub(crate) fn issues(&self) -> usize {
        self.state.count()
    }

    /// The tag among the keys of the object here, if the object is the content of a variant.
    #[inline]
    pub(crate) fn tagged(&self) -> Option<&'a Tagged<'a>> {
        let mut here = self.here;
        loop {
            here = match here.step {
                Way::Content(tagged) => return Some(tagged),
                Way::Same | Way::Variant(_) => here.parent?,
                Way::Root | Way::Field(_) | Way::Key(_) | Way::Index(_) => return None,
            };
        }
    }

    /// Whether this place itself is the content of a variant whose tag is among its keys.
    #[inline]
    pub(super) fn is_content(&self) -> bool {
        matches!(self.here.step, Way::Content(_))
    }

    /// The union and its variant that is read here, if null at a key of another variant has no meaning.
    pub(crate) fn others(&self) -> Option<(&'a Union, &'a Variant)> {
        for here in self.here.ancestors() {
            match here.step {
                Way::Content(tagged) => return tagged.others,
                Way::Variant(others) => return Some(*others),
                Way::Same => {}
                Way::Root | Way::Field(_) | Way::Key(_) | Way::Index(_) => break,
            }
        }
        None
    }

    /// Whether a key is the tag of the variant whose content the object here is.
    #[inline]
    pub(crate) fn is_tag(&self, key: &str) -> bool {
        self.tagged().is_some_and(|tagged| tagged.tag == key)
    }

    /// Whether values are converted towards the declared type.
    #[inline]
    pub fn converts(&self) -> bool {
        self.state.policy.converts()
    }

    /// Whether the reader takes the forms that a strict dialect makes a model send.
    pub(crate) fn takes_lowered(&self) -> bool {
        self.state.policy.takes_lowered()
    }

    /// Whether the reader also repairs the form of values where the repair is certain.
    pub(crate) fn repairs(&self) -> bool {
        self.state.policy.repairs()
    }

    /// Whether this is the place of the arguments as a whole.
    pub(crate) fn is_root(&self) -> bool {
        self.here.depth == 0
    }

    #[inline]
    pub(crate) fn optional(&self) -> bool {
        self.here.optional()
    }

    /// Whether `null` found here stands for an absent value.
    #[inline]
    pub(crate) fn takes_null_as_absent(&self) -> bool {
        self.here.optional() && self.state.policy.takes_lowered()
    }

    /// Whether a null that was found here stands for an absent value. If so, notes it.
    pub(crate) fn take_null_as_absent(&mut self) -> bool {
        let absent = self.takes_null_as_absent();
        if absent {
            self.absent(FixKind::NullAsAbsent, &Found::Null);
        }
        absent
    }

    /// Notes that null was given instead of leaving the value out.
    #[inline]
    pub(crate) fn note_null(&mut self) {
        match self.here.open_parameter() {
            Some(name) if self.state.notes_nulls() => self.state.note_null(name),
            _ => self.note_rare_null(),
        }
    }

    #[cold]
    #[inline(never)]
    fn note_rare_null(&mut self) {
        if !self.state.wants(FixKind::NullAsAbsent) {
            return;
        }
        let fix = Fix {
            path: self.path(),
            kind: FixKind::NullAsAbsent,
            from: "null".into(),
            to: if self.secret() { NOT_SHOWN } else { "absent" }.into(),
        };
        self.state.put_fix(fix);
    }

    /// Whether `""` found here stands for an absent value.
    pub(crate) fn takes_empty(&self) -> bool {
        (self.here.optional() || self.here.empty)
            && self.state.policy.converts()
            && !self.keeps_empty()
    }

    pub(crate) fn keeps_empty(&self) -> bool {
        let schema = self.schema();
        if schema.lists_empty_text() || self.state.policy.keeps_empty() && schema.takes_empty_text()
        {
            return true;
        }
        self.here
            .ancestors()
            .find(|here| !matches!(here.step, Way::Same | Way::Content(_) | Way::Variant(_)))
            .is_some_and(|here| matches!(here.step, Way::Field(field) if field.keep_empty))
    }

    #[inline]
    pub(crate) fn too_deep(&self) -> bool {
        self.here.depth as usize >= MAX_DEPTH
    }

    /// The path from the arguments to here.
    #[cold]
    #[inline(never)]
    pub fn path(&self) -> Path {
        if let Some(name) = self.here.parameter() {
            return Path::field(name);
        }
        let upwards = self.here.ancestors().filter_map(|here| match here.step {
            Way::Root | Way::Same | Way::Content(_) | Way::Variant(_) => None,
            Way::Index(index) => Some(Some(Part::Index(index))),
            Way::Field(field) => Some(constant_name(field).map(Part::Key)),
            Way::Key(_) => Some(None),
        });
        // Otherwise the path is deep, or has a key that is not a constant.
        Path::short(upwards, || self.steps(0))
    }

    /// The path of a key here that the schema does not declare.
    pub(crate) fn path_of(&self, key: String) -> Path {
        if self.is_root() {
            return Path::one(key);
        }
        let mut steps = self.steps(1);
        steps.push(Step::Key(key));
        Path::of(steps)
    }

    /// The steps from the arguments to here, with room for `more` steps.
    fn steps(&self, more: usize) -> Vec<Step> {
        let mut steps = Vec::with_capacity(self.here.depth as usize + more);
        steps.extend(self.here.ancestors().filter_map(|here| here.step.step()));
        steps.reverse();
        steps
    }

    /// Reports an issue here.
    #[cold]
    pub fn issue(
        &mut self,
        kind: IssueKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) {
        if self.state.quiet {
            self.state.omit(kind);
            return;
        }
        let issue = Issue::new(self.path(), kind, expected, found);
        self.state.push(issue);
    }

    /// Reports in the author's words that a value breaks a rule of its type.
    #[cold]
    pub fn refuse(&mut self, why: impl Display) {
        if self.state.quiet {
            self.state.omitted += 1;
            return;
        }
        let issue = Issue::new(self.path(), IssueKind::Invalid, why.to_string(), "");
        self.state.push(issue);
    }

    /// Reports a missing required value.
    #[cold]
    pub(crate) fn missing(&mut self) {
        let kind = IssueKind::Missing;
        if !self.state.takes_issues() {
            self.state.omit(kind);
        } else if let Some(fault) = self.here.fault(kind)
            && let Some(faults) = self.state.faults()
        {
            faults.push(fault);
        } else {
            let words = if self.state.wordless {
                String::new()
            } else {
                described(self.schema())
            };
            self.issue(kind, words, "");
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fault(&mut self, kind: IssueKind, found: &Found<'_>) {
        self.fault_with(kind, found, None);
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fault_with(
        &mut self,
        kind: IssueKind,
        found: &Found<'_>,
        hint: Option<Cow<'static, str>>,
    ) {
        if !self.state.takes_issues() {
            self.state.omit(kind);
            return;
        }
        let is_wordless = self.state.wordless;
        if let Some(mut fault) = self.here.fault(kind)
            && let Some(faults) = self.state.faults()
        {
            fault.form = found.form();
            if !is_wordless {
                let may_hold_secret =
                    || matches!(found, Found::Text(_)) && fault.schema.may_hold_secret();
                fault.given = found.given(fault.is_secret || may_hold_secret());
                fault.hint = hint;
            }
            return faults.push(fault);
        }
        let (expected, shown) = if self.state.wordless {
            (Cow::Borrowed(""), Cow::Borrowed(""))
        } else {
            (expected(self.schema()), found.words(self.hides(found)))
        };
        let issue = Issue {
            path: self.path(),
            kind,
            expected,
            found: shown,
            hint,
            shown: Shown::Open,
            clue: Clue {
                found: found.form(),
                wanted: WantedKind::of(self.schema()),
            },
        };
        self.state.push(issue);
    }

    /// Reports a value of another type.
    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch(&mut self, found: &Found<'_>) {
        if self.is_root() && self.wants_object() {
            self.fault(IssueKind::NotAnObject, found);
        } else {
            self.fault(IssueKind::WrongType, found);
        }
    }

    fn wants_object(&self) -> bool {
        matches!(
            self.schema().kind,
            Kind::Object(_) | Kind::Map(_) | Kind::Union(_)
        )
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fixed(
        &mut self,
        kind: FixKind,
        from: &Found<'_>,
        to: impl Into<Cow<'static, str>>,
    ) {
        if !self.state.wants(kind) {
            return;
        }
        let secret = self.secret();
        let hides = secret || self.may_hold_secret(from);
        let fix = Fix {
            path: self.path(),
            kind,
            from: from.words(hides),
            to: if secret { NOT_SHOWN.into() } else { to.into() },
        };
        self.state.put_fix(fix);
    }

    pub(crate) fn push_fix(&mut self, fix: Fix) {
        self.state.fix(fix);
    }

    /// Notes that the value here stands for an absent one.
    #[cold]
    #[inline(never)]
    pub(crate) fn absent(&mut self, kind: FixKind, found: &Found<'_>) {
        self.fixed(kind, found, "absent");
        self.state.absent = true;
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn note_broken(&mut self) {
        // The places around this one are noted too, and writing a path takes one step for each of them.
        let is_noted = |state: &State| state.notes().is_some_and(|notes| notes.broken.is_some());
        if !self.state.quiet && !is_noted(self.state) {
            let path = self.path();
            self.state.notes_mut().broken = Some(path);
        }
    }

    /// Whether the value here must not be shown.
    pub(crate) fn hides(&self, found: &Found<'_>) -> bool {
        self.secret() || self.may_hold_secret(found)
    }

    /// Whether a string that stands for an object or a list may contain a secret.
    fn may_hold_secret(&self, found: &Found<'_>) -> bool {
        matches!(found, Found::Text(_)) && self.schema().may_hold_secret()
    }

    /// Whether the value here, or one around it, must not be shown.
    pub(crate) fn secret(&self) -> bool {
        // Without `ancestors`, since the iterator takes 14 more instructions.
        let mut here = self.here;
        loop {
            if here.schema().secret {
                return true;
            }
            match here.parent {
                Some(parent) => here = parent,
                None => return false,
            }
        }
    }
}
