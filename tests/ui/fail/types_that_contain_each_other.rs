use callpact::ToolInput;

#[derive(ToolInput)]
struct Folder {
    owner: Option<Box<Person>>,
}

#[derive(ToolInput)]
struct Person {
    folders: Vec<Folder>,
}

fn main() {}
