//! References of one document to another, after RFC 3986.

/// The parts of a URI before its fragment.
struct UriParts<'a> {
    /// With the colon; empty in a relative reference.
    scheme: &'a str,
    /// With the two slashes; empty if there is none.
    authority: &'a str,
    path: &'a str,
    /// With the question mark; empty if there is none.
    query: &'a str,
}

impl<'a> UriParts<'a> {
    fn of(uri: &'a str) -> Self {
        let end = uri.find([':', '/', '?']);
        let is_scheme = |end: &usize| uri.get(*end..).is_some_and(|rest| rest.starts_with(':'));
        let end = end.filter(is_scheme).map_or(0, |colon| colon + 1);
        let (scheme, rest) = uri.split_at(end);
        let (rest, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let end = match rest.strip_prefix("//") {
            Some(host) => host.find('/').map_or(rest.len(), |slash| slash + 2),
            None => 0,
        };
        let (authority, path) = rest.split_at(end);
        Self {
            scheme,
            authority,
            path,
            query,
        }
    }
}

/// The address and the fragment of a reference.
pub(super) fn split_fragment(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// The address that a reference without a fragment means in a document at `base`.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let (base, own) = (UriParts::of(base), UriParts::of(reference));
    if !own.scheme.is_empty() {
        return reference.to_owned();
    }
    let UriParts {
        scheme,
        mut authority,
        ..
    } = base;
    let (path, query) = if !own.authority.is_empty() {
        authority = own.authority;
        (without_dots(own.path), own.query)
    } else if own.path.is_empty() {
        (base.path.to_owned(), own.query)
    } else if own.path.starts_with('/') {
        (without_dots(own.path), own.query)
    } else {
        let folder = base.path.rfind('/').map_or(0, |slash| slash + 1);
        let folder = base.path.split_at(folder).0;
        let folder = match folder {
            "" if !authority.is_empty() => "/",
            folder => folder,
        };
        (without_dots(&format!("{folder}{}", own.path)), own.query)
    };
    format!("{scheme}{authority}{path}{query}")
}

/// A path without `.` and `..`.
fn without_dots(path: &str) -> String {
    let mut steps: Vec<&str> = Vec::new();
    let count = path.split('/').count();
    for (index, step) in path.split('/').enumerate() {
        let is_last = index + 1 == count;
        match step {
            "." | ".." => {
                if step == ".." && steps.len() > 1 {
                    steps.pop();
                }
                if is_last {
                    steps.push("");
                }
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn resolves_references_as_the_standard() {
        let base = "http://a/b/c/d;p?q";
        // Of RFC 3986, section 5.4.
        for (reference, target) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ] {
            assert_eq!(resolve(base, reference), target, "{reference}");
        }
        assert_eq!(resolve("", "node.json"), "node.json");
        assert_eq!(resolve("http://host", "node"), "http://host/node");
        assert_eq!(resolve("urn:uuid:1", "urn:uuid:2"), "urn:uuid:2");
    }
}
