//! stub
use crate::{Policy, Read, Report, schema::ForeignSchema};
pub fn read_foreign(
    t: &str,
    _: &ForeignSchema,
    p: &Policy,
) -> Result<Read<serde_json::Value>, Report> {
    super::read_str(t, p)
}
