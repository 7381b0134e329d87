//! Typed values that grow.

use std::{borrow::Cow, fmt};

use super::read::read_str;
use crate::{
    json::{GrowingDocument, PartialNode},
    policy::Policy,
    read::ToolInput,
};

/// A type whose value can be shown while it arrives.
///
/// `#[tool_input(partial)]` implements it: beside `Mail`, it makes `MailPartial`, in which every field is optional. A
/// string and a list grow, and any other value is there once it is complete. An enum is there once its tag is known.
///
/// ```
/// use callpact::{Policy, ToolInput, input::stream::StreamReader};
///
/// #[derive(ToolInput)]
/// #[tool_input(partial)]
/// struct Mail { to: Vec<String>, text: String, #[tool_param(secret)] key: String }
///
/// let mut reader = StreamReader::<Mail>::new(&Policy::lax());
/// reader.push(r#"{"to": ["ada"], "text": "Dear A"#);
/// let mail = reader.partial().unwrap();
/// assert_eq!(mail.to, Some(vec!["ada".to_owned()]));
/// assert_eq!(mail.text.as_deref(), Some("Dear A"));
/// reader.push(r#"da", "key": "12"#);
/// let shown = format!("{:?}", reader.partial());
/// assert_eq!(shown, r#"Some(MailPartial { to: Some(["ada"]), text: Some("Dear Ada"), key: Some(***) })"#);
/// ```
///
/// A partial value is for showing. No rule is checked, nothing is filled in, and no tool takes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown while it arrives",
    note = "add `#[tool_input(partial)]` to its declaration, or implement `PartialInput`"
)]
pub trait PartialInput: ToolInput {
    /// The part of a value that has arrived.
    type Partial: Clone + fmt::Debug + PartialEq;

    /// The part of a value that is there. `None` as long as nothing can be shown.
    fn read_partial(node: PartialNode<'_>) -> Option<Self::Partial>;
}

impl GrowingDocument {
    /// What has arrived of a value of a type, see [`PartialInput`].
    pub fn partial<T: PartialInput>(&self) -> Option<T::Partial> {
        T::read_partial(self.root()?)
    }
}

impl PartialNode<'_> {
    /// The value if it is complete and fits the type.
    pub fn whole<T: ToolInput>(self) -> Option<T> {
        let text = self.is_whole().then(|| self.written())?;
        read_str(text, &Policy::lax()).ok().map(|read| read.value)
    }
}

/// The part of a value whose node may not be there yet.
pub fn partial_value<T: PartialInput>(node: Option<PartialNode<'_>>) -> Option<T::Partial> {
    T::read_partial(node?)
}

/// The part of a field of an object.
pub fn partial_member<T: PartialInput>(
    object: Option<PartialNode<'_>>,
    names: &[&str],
) -> Option<T::Partial> {
    T::read_partial(object?.member(names)?)
}

/// The part of an item of a list.
pub fn partial_item<T: PartialInput>(
    list: Option<PartialNode<'_>>,
    index: usize,
) -> Option<T::Partial> {
    T::read_partial(list?.items().nth(index)?)
}

/// The name of an externally tagged variant, and the node of its content.
#[must_use]
pub fn partial_variant(node: PartialNode<'_>) -> Option<(Cow<'_, str>, Option<PartialNode<'_>>)> {
    if node.is_object() {
        let (name, content) = node.members().next()?;
        Some((name, Some(content)))
    } else {
        let node = node.is_whole().then_some(node)?;
        Some((node.text()?, None))
    }
}

/// The name of a variant under the key of a tag.
#[must_use]
pub fn partial_tag<'d>(object: PartialNode<'d>, tag: &str) -> Option<Cow<'d, str>> {
    let tag = object.member(&[tag])?;
    tag.is_whole().then(|| tag.text())?
}

/// Shows that a secret has arrived.
pub struct HiddenValue;

impl fmt::Debug for HiddenValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
