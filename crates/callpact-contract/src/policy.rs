//! How far the reader goes to meet the model.

use crate::report::FixKind;

/// How strictly arguments are read.
///
/// ```
/// use callpact::{Policy, read_str};
///
/// assert!(read_str::<u8>("\"5\"", &Policy::exact()).is_err());
/// assert_eq!(read_str::<u8>("\"5\"", &Policy::lax())?.value, 5);
/// # Ok::<(), callpact::Report>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // settings that have nothing to do with each other
pub struct Policy {
    level: LeniencyLevel,
    max_bytes: usize,
    max_issues: usize,
    /// A bit for each class of fix that the host does not want.
    refused: u64,
    forms: NullForms,
    /// A key that resembles the name of a parameter that was not given is a fault.
    guards_names: bool,
    /// `""` is a value of an optional parameter wherever the schema takes it.
    keeps_empty: bool,
    /// Null may stand for what is absent in one of several forms.
    minds_nulls: bool,
    /// The checked text has the defaults of absent parameters.
    fills_defaults: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LeniencyLevel {
    Exact,
    Lax,
    Repair,
}

/// What becomes of null and pairs, the forms of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NullForms {
    /// The model may have been shown any schema.
    Unknown,
    /// The model was shown the schema in the form of a dialect.
    Taken,
    /// They are taken and noted as fixes, for whoever writes out what will run.
    Noted,
}

/// The deepest nesting of arrays and objects that is read.
pub const MAX_DEPTH: usize = 127;

impl Policy {
    const EXACT: Self = Self {
        level: LeniencyLevel::Exact,
        max_bytes: 16 << 20,
        max_issues: 32,
        refused: 0,
        forms: NullForms::Unknown,
        guards_names: false,
        keeps_empty: false,
        minds_nulls: false,
        fills_defaults: false,
    };

    /// Accepts what the schema accepts, and nothing else.
    pub const fn exact() -> Self {
        Self::EXACT
    }

    /// Converts towards the declared type where nothing is lost, and records each conversion.
    pub const fn lax() -> Self {
        Self {
            level: LeniencyLevel::Lax,
            guards_names: true,
            ..Self::EXACT
        }
    }

    /// Where [`lax`](Self::lax) finds fault, also mends what is certain in a broken text and in its
    /// form, and records each change. What is cut off, ambiguous or lossy stays an error.
    ///
    /// ```
    /// use callpact::{FixKind, Policy, ToolInput, read_str};
    ///
    /// #[derive(ToolInput)]
    /// struct Search {
    ///     query: String,
    ///     tags: Vec<String>,
    /// }
    ///
    /// let read = read_str::<Search>("{'query': 'rust', 'tags': 'new',}", &Policy::repair())?;
    /// assert_eq!((&*read.value.query, &*read.value.tags), ("rust", &["new".to_owned()][..]));
    /// let kinds: Vec<FixKind> = read.fixes.iter().map(|fix| fix.kind).collect();
    /// assert!(kinds.contains(&FixKind::ExtraComma) && kinds.contains(&FixKind::ListFromSingle));
    ///
    /// let report = read_str::<Search>("{'query': 'ru", &Policy::repair()).map(|_| ()).unwrap_err();
    /// assert_eq!(report.issues[0].kind, callpact::IssueKind::CutOff);
    /// # Ok::<(), callpact::Report>(())
    /// ```
    pub const fn repair() -> Self {
        Self {
            level: LeniencyLevel::Repair,
            guards_names: true,
            ..Self::EXACT
        }
    }

    /// Leaves out one class of fix: a value that the schema takes stays as it is, and where the fix would be needed,
    /// the arguments are refused.
    ///
    /// ```
    /// use callpact::{FixKind, Policy, ToolInput, read_str};
    ///
    /// let policy = Policy::repair().refusing(FixKind::NumberFromText);
    /// let report = read_str::<u8>("\"5\"", &policy).unwrap_err();
    /// assert_eq!(report.issues[0].to_string(), "arguments: expected 5, found \"5\"");
    ///
    /// #[derive(ToolInput)]
    /// struct Edit {
    ///     #[tool_param(default = "TODO")]
    ///     new: String,
    /// }
    /// let edit = |policy| read_str::<Edit>(r#"{"new": ""}"#, &policy).map(|read| read.value.new);
    /// assert_eq!(edit(Policy::lax())?, "TODO");
    /// assert_eq!(edit(Policy::lax().refusing(FixKind::EmptyAsAbsent))?, "");
    /// # Ok::<(), callpact::Report>(())
    /// ```
    #[must_use]
    pub const fn refusing(mut self, kind: FixKind) -> Self {
        self.refused |= kind.bit();
        self
    }

    /// Allows these classes of fix and no other.
    #[must_use]
    pub const fn only(mut self, kinds: &[FixKind]) -> Self {
        self.refused = u64::MAX;
        let mut rest = kinds;
        while let [kind, more @ ..] = rest {
            self.refused &= !kind.bit();
            rest = more;
        }
        self
    }

    /// Sets the limit on the length of the text, 16 MiB by default.
    #[must_use]
    pub const fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Sets the limit on the number of issues that are kept, 32 by default.
    #[must_use]
    pub const fn with_max_issues(mut self, max_issues: usize) -> Self {
        self.max_issues = max_issues;
        self
    }

    /// Reads the calls of a model that was shown the schema in the form of a dialect. Strict dialects require
    /// every parameter and have no maps, so null is read as an absent optional parameter and a list of
    /// key/value pairs as a map, also where nothing is converted and whatever is
    /// [refused](Self::refusing). Neither is a fix then.
    ///
    /// ```
    /// use callpact::{Policy, ToolInput, read_str};
    ///
    /// #[derive(ToolInput)]
    /// struct Search { limit: Option<u32> }
    ///
    /// let sent = r#"{"limit": null}"#;
    /// assert!(read_str::<Search>(sent, &Policy::exact()).is_err());
    /// let read = read_str::<Search>(sent, &Policy::exact().lowered())?;
    /// assert!(read.value.limit.is_none() && read.fixes.is_empty());
    /// # Ok::<(), callpact::Report>(())
    /// ```
    #[must_use]
    pub const fn lowered(mut self) -> Self {
        self.forms = NullForms::Taken;
        self
    }

    /// [`lowered`](Self::lowered) for a call, whose arguments are written out before they run: the forms of
    /// the dialect are noted as fixes.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_call(mut self) -> Self {
        self.forms = NullForms::Noted;
        self
    }

    /// Reads for a server that may give `""` a meaning: it is read as absent only where the schema does
    /// not take it.
    #[doc(hidden)]
    #[must_use]
    pub const fn keeping_empty(mut self) -> Self {
        self.keeps_empty = true;
        self
    }

    /// Writes the defaults of absent parameters into the checked text.
    #[doc(hidden)]
    #[must_use]
    pub const fn filling_defaults(mut self) -> Self {
        self.fills_defaults = true;
        self
    }

    pub(crate) const fn fills_defaults(&self) -> bool {
        self.fills_defaults
    }

    pub(crate) const fn keeps_empty(&self) -> bool {
        self.keeps_empty || self.refuses(FixKind::EmptyAsAbsent)
    }

    /// Whether the forms that a strict dialect makes a model send are read.
    #[inline]
    pub(crate) const fn takes_lowered(&self) -> bool {
        !matches!(self.forms, NullForms::Unknown) || self.converts()
    }

    /// The limit on the length of the text.
    pub const fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// The limit on the number of issues that are kept.
    pub const fn max_issues(&self) -> usize {
        self.max_issues
    }

    /// Whether every conversion is allowed, and `""` means an absent value.
    #[inline]
    pub(crate) const fn converts_all(&self) -> bool {
        self.converts() && self.refused == 0 && !self.keeps_empty
    }

    /// Whether values are converted at all.
    #[inline]
    pub const fn converts(&self) -> bool {
        !matches!(self.level, LeniencyLevel::Exact)
    }

    /// Whether broken arguments are mended where that is certain.
    pub const fn repairs(&self) -> bool {
        matches!(self.level, LeniencyLevel::Repair)
    }

    /// Whether the host does not want fixes of this class.
    pub const fn refuses(&self, kind: FixKind) -> bool {
        let asked_for = !matches!(self.forms, NullForms::Unknown) && kind.is_form_of_dialect();
        self.refused & kind.bit() != 0 && !asked_for
    }

    /// Whether a fix of this class is kept.
    pub(crate) const fn notes(&self, kind: FixKind) -> bool {
        !(matches!(self.forms, NullForms::Taken) && kind.is_form_of_dialect())
    }

    /// Whether a key that resembles the name of a parameter that was not given is a fault.
    pub(crate) const fn guards_names(&self) -> bool {
        self.guards_names
    }

    /// The exact policy for one of several forms, which must not drop what this one would report.
    pub(crate) const fn for_form(&self) -> Self {
        Self {
            guards_names: self.guards_names,
            minds_nulls: self.minds_nulls(),
            fills_defaults: self.fills_defaults,
            ..Self::EXACT
        }
    }

    /// The policy for rules on a value whose conversions are made.
    pub(crate) const fn for_rules(&self) -> Self {
        Self {
            max_issues: self.max_issues,
            ..Self::EXACT
        }
    }

    /// Whether null at a key says which of several forms is meant: each form of a strict dialect has all of its keys
    /// and no other.
    pub(crate) const fn minds_nulls(&self) -> bool {
        self.minds_nulls || self.takes_lowered()
    }

    /// The level below repair, with the same limits.
    pub(crate) const fn without_repair(mut self) -> Self {
        if self.repairs() {
            self.level = LeniencyLevel::Lax;
        }
        self
    }
}

impl Default for Policy {
    /// [`Policy::lax`].
    fn default() -> Self {
        Self::lax()
    }
}
