use callpact::ToolInput;

#[derive(ToolInput)]
struct Port(u16);

const _: () = callpact::__private::object_only(<Port as ToolInput>::SCHEMA);

fn main() {}
