use callpact::ToolInput;

use std::collections::BTreeMap;

#[derive(ToolInput)]
struct Args {
    ages: BTreeMap<bool, u8>,
}

fn main() {}
