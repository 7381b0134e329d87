//! Types of private fields stay private.
#![deny(
    warnings,
    unreachable_pub,
    private_bounds,
    private_interfaces,
    missing_docs
)]

use callpact::ToolInput;

#[derive(ToolInput)]
enum Mode {
    Fast,
    Slow,
}

#[derive(ToolInput)]
struct Inner<T> {
    value: T,
}

/// Its fields are nobody's business.
#[derive(ToolInput)]
#[non_exhaustive]
pub struct Args<T> {
    mode: Mode,
    inner: Inner<T>,
    #[tool_param(flatten)]
    flat: Inner<T>,
}

impl<T> Args<T> {
    /// Uses all of them.
    pub fn take(self) -> Option<(T, T)> {
        match self.mode {
            Mode::Fast => None,
            Mode::Slow => Some((self.inner.value, self.flat.value)),
        }
    }
}

fn main() {
    let _ = <Args<u8> as ToolInput>::SCHEMA;
}
