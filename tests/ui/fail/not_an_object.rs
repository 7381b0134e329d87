use toolwright::ToolInput;

#[derive(ToolInput)]
struct Port(u16);

const _: () = toolwright::__private::object_only(<Port as ToolInput>::SCHEMA);

fn main() {}
