//! The example runs, and says what it says.
