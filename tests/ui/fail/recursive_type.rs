use callpact::ToolInput;

#[derive(ToolInput)]
struct Tree {
    children: Vec<Tree>,
}

fn main() {}
