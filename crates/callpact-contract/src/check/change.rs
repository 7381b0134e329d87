//! A change of one node of a document: what a fix, a repair and a hint have in common.

use crate::json::NodeId;

/// A change of a node.
#[derive(Clone, Debug)]
pub(super) struct NodeChange {
    pub(super) node: NodeId,
    pub(super) kind: ChangeKind,
}

#[derive(Clone, Debug)]
pub(super) enum ChangeKind {
    /// This JSON replaces the value.
    Replace(String),
    /// A list of the value replaces it.
    Wrap,
    /// The item of a list of one replaces the list.
    Unwrap,
    /// An object of these keys and values replaces a list of pairs.
    Entries(Vec<(String, NodeId)>),
    /// The key has this name.
    Rename(String),
    /// The key and its value are left out.
    Drop,
    /// The object has one more key, with this JSON as its value.
    Add(String, String),
}
