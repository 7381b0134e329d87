use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(rename_all = "camelCase")]
struct Args {
    file_path: String,
    #[allow(non_snake_case)]
    filePath: String,
}

fn main() {}
