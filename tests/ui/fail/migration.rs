use callpact::ToolInput;

#[derive(ToolInput)]
struct TaskNode {
    title: String,
    #[serde(default)]
    children: Vec<TaskNode>,
}

#[derive(ToolInput)]
#[serde(rename_all = "snake_case")]
enum Condition {
    Equals { field: String, value: String },
    All(Vec<Condition>),
}

#[derive(ToolInput)]
struct SetVolume {
    #[serde(deserialize_with = "number_or_text")]
    level: u8,
}

#[derive(ToolInput)]
struct Sleep {
    #[serde(with = "humantime_serde")]
    time: std::time::Duration,
}

#[derive(ToolInput)]
#[serde(try_from = "String")]
struct Isbn(String);

#[derive(ToolInput)]
#[serde(rename_all = "snake_case")]
enum Priority {
    High,
    Low,
    #[serde(other)]
    Unknown,
}

#[derive(ToolInput)]
struct Invite {
    #[schemars(email)]
    mail: String,
    #[schemars(inner(length(min = 1)))]
    groups: Vec<String>,
}

#[derive(ToolInput)]
struct Grep {
    pattern: String,
    #[serde(rename = "-i", default)]
    ignore_case: bool,
}

fn main() {}
