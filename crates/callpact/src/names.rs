//! Names of tools and ids of calls that providers take.

use callpact_contract::dialect::profile::NameRule;

/// The longest name of a tool.
pub const MAX_NAME: usize = 64;

/// Whether a tool may have a name: `^[a-zA-Z0-9_-]{1,64}$`. Every provider takes such a name except Gemini,
/// which wants a letter or `_` first; [lint](crate::ToolSpec::lint) says so.
///
/// ```
/// use callpact::names::is_provider_name;
///
/// assert!(is_provider_name("file_write"));
/// assert!(!is_provider_name("admin.tools.list"));
/// ```
pub fn is_provider_name(name: &str) -> bool {
    NameRule::TOOL.takes(name)
}

/// The nearest name that every provider takes. Other characters become `_`, a name that begins with neither a
/// letter nor `_` gets a `_` in front, and a name that is too long is cut and ends in a hash of the whole
/// name.
///
/// ```
/// use callpact::names::provider_name;
///
/// assert_eq!(provider_name("admin.tools.list"), "admin_tools_list");
/// assert_eq!(provider_name("3d.view"), "_3d_view");
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
    if !out.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        out.insert(0, '_');
    }
    if out.len() > MAX_NAME {
        // Two long names that differ only after the cut stay apart.
        let mark = format!("_{:08x}", mark(name));
        out.truncate(MAX_NAME - mark.len());
        out.push_str(&mark);
    }
    out
}

/// The id of a call, for a history that goes to another provider than the one that wrote it. An id of nine
/// letters and digits stays; any other becomes one. Every provider takes such an id: Anthropic and Bedrock take
/// only letters, digits, `_` and `-`, OpenAI takes 40 characters, Mistral nine letters and digits. Equal ids
/// stay equal, so a reply still refers to its call: change [`ToolReply::call_id`](crate::ToolReply::call_id)
/// too.
///
/// ```
/// use callpact::names::provider_id;
///
/// assert_eq!(provider_id("D681PevKs"), "D681PevKs");
/// let id = provider_id("functions.search:0");
/// assert!(id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric()));
/// assert_eq!(provider_id("functions.search:0"), id);
/// ```
pub fn provider_id(id: &str) -> String {
    if id.len() == ID && id.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return id.to_owned();
    }
    let mut hash = id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let digit = |_| {
        let digit = char::from_digit((hash % 36) as u32, 36);
        hash /= 36;
        digit.unwrap_or('0')
    };
    (0..ID).map(digit).collect()
}

/// The length of an id that every provider takes.
const ID: usize = 9;

fn mark(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
