//! The reply to a call of a tool that the list does not have.

use std::fmt::Write;

use super::Toolset;
use crate::{
    input::{nearest, nearest_of},
    schema::cut,
};

/// The longest list whose names are all shown.
const ALL: usize = 20;
/// How many names of a longer list are shown.
const NEAREST: usize = 5;
/// The longest name that is compared: a model may send a megabyte.
const LONGEST: usize = 256;

impl Toolset {
    /// The reply to a model that called an unknown tool: the name that it means, if that is certain,
    /// and the known names. For a long list, the nearest five.
    ///
    /// ```
    /// # use callpact::{AgentTool, ToolContext, ToolResult, Toolset};
    /// # struct Shout;
    /// # impl AgentTool for Shout {
    /// #     fn name(&self) -> &str { "shout" }
    /// #     fn description(&self) -> &str { "Says it louder." }
    /// #     async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult { ToolResult::success("") }
    /// # }
    /// let tools = Toolset::builder().tool(Shout).build()?;
    /// assert_eq!(
    ///     tools.describe_unknown("functions.shout"),
    ///     "Unknown tool 'functions.shout'. Did you mean 'shout'? Available tools: shout"
    /// );
    /// # Ok::<(), callpact::ToolsetError>(())
    /// ```
    #[cold]
    pub fn describe_unknown(&self, name: &str) -> String {
        let mut text = format!("Unknown tool '{}'.", cut(name, 64));
        if name.len() <= LONGEST
            && let Some(meant) = self.meant_by(name)
        {
            // Writing to a String does not fail.
            let _ = write!(text, " Did you mean '{meant}'?");
        }
        if self.is_empty() {
            text.push_str(" There are no tools.");
        } else if self.len() <= ALL {
            let names: Vec<&str> = self.names().collect();
            let _ = write!(text, " Available tools: {}", names.join(", "));
        } else {
            let names = nearest_of(name, self.names(), NEAREST).join(", ");
            let _ = write!(text, " The nearest of {} tools: {names}", self.len());
        }
        text
    }

    /// The tool that an unknown name means: it has an extra or missing prefix, or a typing error.
    fn meant_by(&self, name: &str) -> Option<&str> {
        let own = ends(name).find_map(|end| self.entry(end));
        own.map(|entry| &*entry.name)
            .or_else(|| {
                let mut with_prefix = self
                    .names()
                    .filter(|declared| ends(declared).any(|end| end == name));
                // With two such tools, choosing one would be a guess.
                with_prefix.next().filter(|_| with_prefix.next().is_none())
            })
            .or_else(|| nearest(name, self.names()))
            .or_else(|| ends(name).find_map(|end| nearest(end, self.names())))
    }
}

/// The rest of a name after each prefix, the longest first: `a__b` and `b` of `mcp__a__b`.
fn ends(name: &str) -> impl Iterator<Item = &str> {
    name.char_indices().filter_map(|(at, _)| {
        let end = name.get(at..)?;
        let before = name.get(..at)?;
        let parts = before.ends_with("__") || before.ends_with(['.', ':', '/']);
        (parts && !end.is_empty() && !end.starts_with('_')).then_some(end)
    })
}

#[cfg(test)]
mod tests {
    use super::ends;

    #[test]
    fn what_stands_behind_prefixes() {
        let of = |name| ends(name).collect::<Vec<_>>();
        assert_eq!(of("functions.add"), ["add"]);
        assert_eq!(of("mcp__git_hub__add_one"), ["git_hub__add_one", "add_one"]);
        assert_eq!(of("a:b/c"), ["b/c", "c"]);
        for none in ["add", "_add", "add.", "add__", "", "a_b"] {
            assert!(of(none).is_empty(), "{none}");
        }
        assert_eq!(of("a___b"), ["b"]);
    }
}
