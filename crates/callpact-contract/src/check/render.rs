//! Writes a document with its changes as JSON.

use super::change::{ChangeKind, NodeChange};
use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    text::put_json_text,
};

/// The text of a node with all changes made. The changes are in the order of their nodes.
pub(super) fn render(document: &JsonDocument<'_>, changes: &[NodeChange], node: NodeId) -> String {
    let mut out = String::with_capacity(document.written(node).len() + 32);
    ChangeWriter { document, changes }.write(node, &mut out);
    out
}

struct ChangeWriter<'c, 't> {
    document: &'c JsonDocument<'t>,
    changes: &'c [NodeChange],
}

impl ChangeWriter<'_, '_> {
    /// The changes of the nodes from this one on.
    fn from(&self, node: NodeId) -> &[NodeChange] {
        let start = self.changes.partition_point(|change| change.node < node);
        self.changes.get(start..).unwrap_or_default()
    }

    /// The changes of one node, in the order in which they were made.
    fn of(&self, node: NodeId) -> impl DoubleEndedIterator<Item = &ChangeKind> {
        let changes = self.from(node);
        let end = changes.partition_point(|change| change.node == node);
        changes[..end].iter().map(|change| &change.kind)
    }

    fn write(&self, node: NodeId, out: &mut String) {
        let document = self.document;
        let next = document.node(node).next;
        if self
            .from(node)
            .first()
            .is_none_or(|change| change.node >= next)
        {
            return out.push_str(document.written(node));
        }
        let mut wraps = 0;
        for kind in self.of(node).rev() {
            match kind {
                ChangeKind::Replace(json) => {
                    out.extend(std::iter::repeat_n('[', wraps));
                    out.push_str(json);
                    return out.extend(std::iter::repeat_n(']', wraps));
                }
                ChangeKind::Entries(entries) => {
                    out.extend(std::iter::repeat_n('[', wraps));
                    self.write_entries(entries, out);
                    return out.extend(std::iter::repeat_n(']', wraps));
                }
                ChangeKind::Unwrap => return self.write(node + 1, out),
                ChangeKind::Wrap => wraps += 1,
                ChangeKind::Rename(_) | ChangeKind::Drop | ChangeKind::Add(..) => {}
            }
        }
        out.extend(std::iter::repeat_n('[', wraps));
        self.write_parts(node, out);
        out.extend(std::iter::repeat_n(']', wraps));
    }

    fn write_entries(&self, entries: &[(String, NodeId)], out: &mut String) {
        out.push('{');
        for (number, (key, value)) in entries.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            put_json_text(key, out);
            out.push(':');
            self.write(*value, out);
        }
        out.push('}');
    }

    fn write_parts(&self, node: NodeId, out: &mut String) {
        match self.document.form(node) {
            NodeForm::List => {
                out.push('[');
                for (number, item) in self.document.items(node).enumerate() {
                    if number > 0 {
                        out.push(',');
                    }
                    self.write(item, out);
                }
                out.push(']');
            }
            NodeForm::Object => self.write_object(node, out),
            _ => out.push_str(self.document.written(node)),
        }
    }

    fn write_object(&self, object: NodeId, out: &mut String) {
        out.push('{');
        let mut is_first = true;
        for key in self.document.keys(object) {
            let mut name = None;
            let mut is_dropped = false;
            for kind in self.of(key) {
                match kind {
                    ChangeKind::Drop => is_dropped = true,
                    ChangeKind::Rename(to) => name = Some(to),
                    _ => {}
                }
            }
            if is_dropped {
                continue;
            }
            if !is_first {
                out.push(',');
            }
            is_first = false;
            match name {
                Some(name) => put_json_text(name, out),
                None => out.push_str(self.document.written(key)),
            }
            out.push(':');
            self.write(key + 1, out);
        }
        for kind in self.of(object) {
            if let ChangeKind::Add(name, json) = kind {
                if !std::mem::take(&mut is_first) {
                    out.push(',');
                }
                put_json_text(name, out);
                out.push(':');
                out.push_str(json);
            }
        }
        out.push('}');
    }
}
