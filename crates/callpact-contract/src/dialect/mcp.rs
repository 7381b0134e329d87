//! Model Context Protocol, which takes all of JSON Schema.

use super::{
    keyword::ALL,
    profile::{CallForm, NameRule, Profile, ReplyForm, SpecForm, WrittenFormats},
};

pub(super) const MCP_2025_11_25: Profile = Profile {
    name: "mcp-2025-11-25",
    keywords: ALL,
    references: true,
    written_formats: WrittenFormats::All,
    root_union: true,
    bare_arrays: true,
    spec: SpecForm::Mcp,
    call: CallForm::Mcp,
    reply: ReplyForm::Mcp {
        any_structured: false,
    },
    parameter_name: NameRule::ANY,
    ..Profile::PLAIN
};

pub(super) const MCP_2026_07_28: Profile = Profile {
    name: "mcp-2026-07-28",
    reply: ReplyForm::Mcp {
        any_structured: true,
    },
    ..MCP_2025_11_25
};
