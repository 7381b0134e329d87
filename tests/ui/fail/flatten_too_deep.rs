use callpact::ToolInput;

#[derive(ToolInput)]
struct A {
    a: u8,
}

#[derive(ToolInput)]
struct B {
    #[tool_param(flatten)]
    a: A,
    b: u8,
}

#[derive(ToolInput)]
struct C {
    #[tool_param(flatten)]
    b: B,
    c: u8,
}

#[derive(ToolInput)]
struct D {
    #[tool_param(flatten)]
    c: C,
    d: u8,
}

#[derive(ToolInput)]
struct E {
    #[tool_param(flatten)]
    d: D,
    e: u8,
}

#[derive(ToolInput)]
struct F {
    #[tool_param(flatten)]
    e: E,
    f: u8,
}

#[derive(ToolInput)]
struct G {
    #[tool_param(flatten)]
    f: F,
    g: u8,
}

#[derive(ToolInput)]
struct H {
    #[tool_param(flatten)]
    g: G,
    h: u8,
}

#[derive(ToolInput)]
struct I {
    #[tool_param(flatten)]
    h: H,
    i: u8,
}

fn main() {}
