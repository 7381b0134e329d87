//! Names of tools that every provider takes.

/// The longest name of a tool.
pub const MAX_NAME: usize = 64;

/// Whether a name is one that every provider takes: `^[a-zA-Z0-9_-]{1,64}$`.
///
/// ```
/// use toolwright::names::is_provider_name;
///
/// assert!(is_provider_name("file_write"));
/// assert!(!is_provider_name("admin.tools.list"));
/// ```
pub fn is_provider_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_NAME
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// The nearest name that every provider takes: other characters become `_`, and a name that is too
/// long is cut and ends in a mark of what was cut.
///
/// ```
/// use toolwright::names::provider_name;
///
/// assert_eq!(provider_name("admin.tools.list"), "admin_tools_list");
/// assert_eq!(provider_name(&"a".repeat(100)).len(), 64);
/// ```
pub fn provider_name(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if out.is_empty() {
        out.push('_');
    }
    if out.len() > MAX_NAME {
        // Two long names that differ behind the cut stay apart.
        let mark = format!("_{:08x}", mark(name));
        out.truncate(MAX_NAME - mark.len());
        out.push_str(&mark);
    }
    out
}

fn mark(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
