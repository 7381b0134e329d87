use callpact::ToolInput;

#[derive(ToolInput)]
union Bits {
    int: u32,
    float: f32,
}

fn main() {}
