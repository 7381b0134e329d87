//! Strings, characters, text forms and enums of names.
use callpact::{ToolInput, ToolOutput};
use serde::Serialize;
use std::{
    borrow::Cow,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Strings {
    pub owned: String,
    pub boxed: Box<str>,
    pub counted: Option<Rc<str>>,
    pub shared: Option<Arc<str>>,
    pub cow: Option<Cow<'static, str>>,
    pub path: PathBuf,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Characters {
    pub one: char,
    pub maybe: Option<char>,
    pub many: Vec<char>,
    #[tool_param(pattern = "^[a-z]$")]
    pub letter: Option<char>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Lengths {
    #[tool_param(min_length = 1)]
    pub some: String,
    #[tool_param(max_length = 3)]
    pub short: String,
    #[tool_param(min_length = 2, max_length = 4)]
    pub range: Option<String>,
    #[tool_param(min_length = 0)]
    pub any: Option<String>,
    #[tool_param(max_length = 0)]
    pub empty: Option<String>,
    #[tool_param(min_length = 5, max_length = 5)]
    pub path: Option<PathBuf>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Patterns {
    #[tool_param(pattern = "^[a-z]+$")]
    pub word: String,
    #[tool_param(pattern = r"^\d{3}-\d{4}$")]
    pub phone: String,
    #[tool_param(pattern = "foo|bar")]
    pub inside: Option<String>,
    #[tool_param(pattern = r"^\S+@\S+$")]
    pub address: Option<String>,
    #[tool_param(pattern = r"^.{2}$")]
    pub two: Option<String>,
    #[tool_param(pattern = r"^\w+\s\w*$", min_length = 3, max_length = 6)]
    pub both: Option<String>,
    #[tool_param(pattern = r#"^["\\/]$"#)]
    pub quotes: Option<String>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct TextChoices {
    #[tool_param(one_of = ["a", "B", "ç", "with \"quotes\""])]
    pub one: String,
    #[tool_param(one_of = ["x", ""])]
    pub maybe_empty: Option<String>,
    #[tool_param(one_of = ["left", "right"])]
    pub shared: Option<Arc<str>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Forms {
    pub any: IpAddr,
    pub four: Option<Ipv4Addr>,
    pub six: Option<Ipv6Addr>,
    pub socket: Option<SocketAddr>,
    pub wait: Duration,
    pub waits: Vec<Duration>,
}

#[derive(
    ToolInput, ToolOutput, Serialize, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Clone, Copy,
)]
pub enum Color {
    Red,
    #[tool_param(rename = "dark-green")]
    Green,
    #[tool_param(alias = "azul", alias = "azure")]
    Blue,
}

/// How far to go
#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[tool_input(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Level {
    /// Only what is asked
    JustThis,
    /// Everything "near"
    AllAround,
    #[tool_param(description = "To the end")]
    Whole,
    #[tool_param(skip)]
    Hidden,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Enums {
    pub color: Color,
    pub level: Level,
    pub maybe: Option<Color>,
    #[tool_param(one_of = ["Red", "Blue"])]
    pub narrowed: Option<Color>,
    #[tool_param(required)]
    pub null: Option<Color>,
    pub list: Vec<Level>,
}
