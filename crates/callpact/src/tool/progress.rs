//! The arguments of [`ToolContext::progress`](super::ToolContext::progress), as one would write them.

/// An amount of work: a number, or `None` if it is not known.
pub trait Amount {
    /// The number.
    fn into_amount(self) -> Option<f64>;
}

impl Amount for Option<f64> {
    fn into_amount(self) -> Option<f64> {
        self
    }
}

macro_rules! amounts {
    ($($type:ty),*) => {$(
        impl Amount for $type {
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless)] // only shown
            fn into_amount(self) -> Option<f64> {
                Some(self as f64)
            }
        }
    )*};
}

amounts!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);

/// A message beside the progress, or `None`.
pub trait Message {
    /// The text.
    fn as_message(&self) -> Option<&str>;
}

impl Message for Option<&str> {
    fn as_message(&self) -> Option<&str> {
        *self
    }
}

impl Message for &str {
    fn as_message(&self) -> Option<&str> {
        Some(self)
    }
}

impl Message for String {
    fn as_message(&self) -> Option<&str> {
        Some(self)
    }
}

impl Message for &String {
    fn as_message(&self) -> Option<&str> {
        Some(self)
    }
}
