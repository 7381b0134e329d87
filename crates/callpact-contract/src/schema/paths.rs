//! Paths to the parameters that may hold secrets: each leads somewhere, or the program does not
//! compile.

use super::{Field, Kind, Object, Schema, Tagging};

/// Checks the paths of `SECRET_PARAMS`: `env`, `env.TOKEN`, `headers[].value`.
#[track_caller]
pub const fn secret_paths_exist(paths: &[&str], schema: &Schema) {
    let mut i = 0;
    while i < paths.len() {
        check_path("`SECRET_PARAMS`: the input", paths[i], schema);
        i += 1;
    }
}

/// Checks one path from a macro.
#[track_caller]
pub const fn secret_path_exists(path: &str, schema: &Schema) {
    check_path("the input", path, schema);
}

/// Panics with the path, unless it leads to a place for a text.
#[track_caller]
const fn check_path(input: &str, path: &str, schema: &Schema) {
    if leads(path.as_bytes(), 0, schema) {
        return;
    }
    let parts = [input, " has no text at `", path, "`"];
    let mut message = [0; 512];
    let (mut len, mut part) = (0, 0);
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut i = 0;
        while i < bytes.len() && len < message.len() {
            message[len] = bytes[i];
            len += 1;
            i += 1;
        }
        part += 1;
    }
    match std::str::from_utf8(message.split_at(len).0) {
        Ok(message) => panic!("{}", message),
        Err(_) => panic!("a path of a secret leads to no text of the input"),
    }
}

/// Whether the rest of a path, from `at`, leads somewhere in the schema.
const fn leads(path: &[u8], at: usize, schema: &Schema) -> bool {
    if at == path.len() {
        // A reference to a secret is a text, so it cannot replace a number or a boolean.
        let other = matches!(
            schema.kind,
            Kind::Boolean | Kind::Integer(_) | Kind::Number(_)
        );
        return at > 0 && !other;
    }
    if path[at] == b'[' {
        return at + 1 < path.len()
            && path[at + 1] == b']'
            && match &schema.kind {
                Kind::List(list) => leads(path, at + 2, list.items.part()),
                kind => matches!(kind, Kind::Any),
            };
    }
    let start = if path[at] == b'.' { at + 1 } else { at };
    let mut end = start;
    while end < path.len() && path[end] != b'.' && path[end] != b'[' {
        end += 1;
    }
    if start == end {
        return false;
    }
    match &schema.kind {
        Kind::Any => true,
        Kind::Map(map) => leads(path, end, map.values.part()),
        Kind::Object(object) => match named(object, path, start, end) {
            Some(field) => leads(path, end, field.schema.part()),
            None => match &object.extra {
                Some(values) => leads(path, end, values.part()),
                None => false,
            },
        },
        Kind::Union(union) => {
            let mut i = 0;
            while i < union.variants.part().len() {
                if let Some(content) = &union.variants.part()[i].content {
                    let name = union.variants.part()[i].name.part().as_bytes();
                    let found = match &union.tagging {
                        Tagging::External => {
                            equal(name, path, start, end) && leads(path, end, content.part())
                        }
                        Tagging::Adjacent { content: key, .. } => {
                            equal(key.part().as_bytes(), path, start, end)
                                && leads(path, end, content.part())
                        }
                        Tagging::Internal { .. } | Tagging::None => leads(path, at, content.part()),
                    };
                    if found {
                        return true;
                    }
                }
                i += 1;
            }
            false
        }
        _ => false,
    }
}

const fn named<'a>(object: &'a Object, path: &[u8], start: usize, end: usize) -> Option<&'a Field> {
    let mut walk = object.walk();
    while let Some(field) = walk.step() {
        if equal(field.name.part().as_bytes(), path, start, end) {
            return Some(field);
        }
    }
    None
}

/// Whether a name is equal to a part of a path.
const fn equal(name: &[u8], path: &[u8], start: usize, end: usize) -> bool {
    if name.len() != end - start {
        return false;
    }
    let mut i = 0;
    while i < name.len() {
        if name[i] != path[start + i] {
            return false;
        }
        i += 1;
    }
    true
}
