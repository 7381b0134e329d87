//! The libraries that are compared.

/// A library, on the path that its users' calls take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `callpact::read_str`, or a `Toolset`.
    Callpact,
    /// `serde_json::from_str` with serde's derive; the schema by schemars.
    Serde,
    /// `sonic_rs::from_str` with serde's derive.
    Sonic,
    /// rig's `ErasedTool::execute`, or its `ToolSet`: a text to a typed tool.
    Rig,
    /// Like `Rig`, after the first step of rig's agent: the provider's text to a map, the map to
    /// text.
    RigAgent,
    /// rmcp's `Parameters`: the arguments of a request as an object, the object to the type.
    Rmcp,
    /// AutoAgents' `ToolT::execute`, after text to `Value`: `Value` to the type.
    AutoAgents,
    /// Like `AutoAgents`, with its agent's work: a copy of the text and a second `Value` for the
    /// record of the call.
    AutoAgentsAgent,
    /// A compiled `jsonschema` validator on a `Value`, then `from_value`.
    JsonSchema,
}

impl Way {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 9] = [
        Self::Callpact,
        Self::Serde,
        Self::Sonic,
        Self::Rig,
        Self::RigAgent,
        Self::Rmcp,
        Self::AutoAgents,
        Self::AutoAgentsAgent,
        Self::JsonSchema,
    ];

    /// The name on the command line and in the results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Callpact => "callpact",
            Self::Serde => "serde",
            Self::Sonic => "sonic-rs",
            Self::Rig => "rig-tool",
            Self::RigAgent => "rig-agent",
            Self::Rmcp => "rmcp",
            Self::AutoAgents => "autoagents",
            Self::AutoAgentsAgent => "autoagents-agent",
            Self::JsonSchema => "jsonschema",
        }
    }

    /// The way with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name() == name)
    }
}
