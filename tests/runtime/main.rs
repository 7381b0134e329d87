//! The runtime against issue 3.
