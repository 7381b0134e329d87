use callpact::{Toolset, ToolInput, tool};

#[derive(ToolInput)]
struct Weather {
    place: String,
}

/// Where it rains
#[tool(read_only)]
fn weather(likely: Option<Weather>) -> String {
    likely.map(|weather| weather.place).unwrap_or_default()
}

/// What is known
#[tool(read_only)]
fn result() -> Result<String, String> {
    Ok("all".to_owned())
}

mod other {
    #[derive(callpact::ToolInput)]
    pub struct Place {
        pub name: String,
    }
}

/// A type of that name elsewhere is another
#[tool(read_only)]
fn place(of: other::Place) -> String {
    of.name
}

/// With a name of its own
#[tool(read_only, struct = WeatherTool)]
fn find(likely: Weather) -> String {
    likely.place
}

fn main() {
    let _ = Toolset::builder().tool(Place).tool(WeatherTool);
}
