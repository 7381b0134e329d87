use callpact::tool;

/// Logs in
#[tool(write)]
fn log_in(#[tool_param(secret)] token: String) -> usize {
    token.len()
}

/// Logs in another way
#[tool(write)]
fn enter(
    #[tool_param(secret = true)] key: String,
    #[tool_param(with = Vec<u8>, secret)] bytes: Bytes,
    #[tool_param(secret = false)] name: String,
) -> usize {
    key.len() + bytes.0 + name.len()
}

struct Bytes(usize);

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.len())
    }
}

fn main() {}
