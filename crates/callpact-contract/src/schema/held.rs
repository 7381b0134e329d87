//! A handle for parts of the tree: borrowed by the derive, owned by a schema made at run time.

use std::{fmt, ops::Deref};

/// A part of a [`Schema`](super::Schema) that is borrowed for good, or owned.
///
/// The derive borrows from constants. A schema that a program makes at run time owns its parts. The
/// owner is a `Box` because a const function can look into one, so one writer serves both.
///
/// ```
/// use callpact::schema::Held;
///
/// const NAME: Held<str> = Held::Static("name");
/// assert_eq!(NAME, Held::from(String::from("name")));
/// ```
#[derive(Debug)]
pub enum Held<T: ?Sized + 'static> {
    /// A part of a constant.
    Static(&'static T),
    /// A part that was made at run time.
    Owned(Box<T>),
}

impl<T: ?Sized> Held<T> {
    /// Whether it is a part of a constant, as the schemas of types are.
    pub(crate) const fn is_static(&self) -> bool {
        matches!(self, Self::Static(_))
    }

    /// The part itself.
    #[inline]
    #[must_use]
    pub const fn part(&self) -> &T {
        match self {
            Self::Static(part) => part,
            Self::Owned(part) => part,
        }
    }

    /// A copy of a part of a constant, for the functions that apply rules to it.
    pub(crate) const fn fixed(&self) -> Self {
        match self {
            Self::Static(part) => Self::Static(part),
            Self::Owned(_) => panic!("rules are laid over constants only"),
        }
    }
}

impl<T: ?Sized> Deref for Held<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.part()
    }
}

impl<T: ?Sized> Clone for Held<T>
where
    Box<T>: Clone,
{
    fn clone(&self) -> Self {
        match self {
            Self::Static(part) => Self::Static(part),
            Self::Owned(part) => Self::Owned(part.clone()),
        }
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Held<T> {
    fn eq(&self, other: &Self) -> bool {
        self.part() == other.part()
    }
}

impl<T: ?Sized + Eq> Eq for Held<T> {}

impl PartialEq<str> for Held<str> {
    fn eq(&self, other: &str) -> bool {
        self.part() == other
    }
}

impl PartialEq<&str> for Held<str> {
    fn eq(&self, other: &&str) -> bool {
        self.part() == *other
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Held<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.part().fmt(f)
    }
}

impl<T: ?Sized> From<&'static T> for Held<T> {
    fn from(part: &'static T) -> Self {
        Self::Static(part)
    }
}

impl From<String> for Held<str> {
    fn from(text: String) -> Self {
        Self::Owned(text.into())
    }
}

impl<T> From<Vec<T>> for Held<[T]> {
    fn from(parts: Vec<T>) -> Self {
        Self::Owned(parts.into())
    }
}

impl From<super::Schema> for Held<super::Schema> {
    fn from(schema: super::Schema) -> Self {
        Self::Owned(Box::new(schema))
    }
}
