use callpact::ToolInput;

struct Mine;

#[derive(ToolInput)]
enum Form {
    Point(Mine, u8),
}

fn main() {}
