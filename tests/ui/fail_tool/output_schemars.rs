use callpact::ToolOutput;

#[derive(serde::Serialize, ToolOutput)]
#[schemars(rename_all = "camelCase")]
struct Found {
    #[schemars(rename = "path")]
    file_path: String,
    #[schemars(skip_serializing)]
    size: u64,
    #[schemars(email)]
    owner: String,
}

fn main() {}
