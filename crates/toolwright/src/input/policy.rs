//! How far the reader goes to meet the model.

/// How strictly arguments are read.
///
/// ```
/// use toolwright::{Policy, read_str};
///
/// assert!(read_str::<u8>("\"5\"", &Policy::exact()).is_err());
/// assert_eq!(read_str::<u8>("\"5\"", &Policy::lax())?.value, 5);
/// # Ok::<(), toolwright::Report>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    level: Level,
    max_bytes: usize,
    max_issues: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Exact,
    Lax,
}

/// The deepest nesting of arrays and objects that is read.
pub const MAX_DEPTH: usize = 127;

impl Policy {
    const EXACT: Self = Self {
        level: Level::Exact,
        max_bytes: 16 << 20,
        max_issues: 32,
    };

    /// Accepts what the schema accepts, and nothing else.
    pub const fn exact() -> Self {
        Self::EXACT
    }

    /// Converts towards the declared type where nothing is lost, and records each conversion.
    pub const fn lax() -> Self {
        Self {
            level: Level::Lax,
            ..Self::EXACT
        }
    }

    /// The same with another limit on the length of the text, 16 MiB by default.
    #[must_use]
    pub const fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// The same with another limit on the number of issues that are kept, 32 by default.
    #[must_use]
    pub const fn with_max_issues(mut self, max_issues: usize) -> Self {
        self.max_issues = max_issues;
        self
    }

    /// The limit on the length of the text.
    pub const fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// The limit on the number of issues that are kept.
    pub const fn max_issues(&self) -> usize {
        self.max_issues
    }

    /// Whether values are converted at all.
    #[inline]
    pub const fn converts(&self) -> bool {
        !matches!(self.level, Level::Exact)
    }
}

impl Default for Policy {
    /// [`Policy::lax`].
    fn default() -> Self {
        Self::lax()
    }
}
