//! Tools as users of callpact write them.

use std::{hint::black_box, marker::PhantomData};

use callpact::{Permission, ToolContext, ToolInput, Toolset, TypedAgentTool};

/// A tool of any name that takes its input and ignores it.
struct Takes<T> {
    name: String,
    input: PhantomData<fn() -> T>,
}

impl<T: ToolInput + Send + 'static> TypedAgentTool for Takes<T> {
    type Input = T;
    type Output = &'static str;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &str {
        &self.name
    }
    fn description(&self) -> &'static str {
        "Takes its input."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: T, _: &ToolContext) -> &'static str {
        black_box(input);
        "ok"
    }
}

/// A list of tools with these names.
pub fn toolset<T: ToolInput + Send + 'static>(names: &[String]) -> Toolset {
    let tools = names.iter().fold(Toolset::builder(), |tools, name| {
        tools.tool(Takes::<T> {
            name: name.clone(),
            input: PhantomData,
        })
    });
    tools.build().expect("the names differ")
}
