use callpact::tool;

use std::rc::Rc;

/// Waits
#[tool(read_only)]
async fn wait() -> u8 {
    let value = Rc::new(1);
    std::future::ready(()).await;
    *value
}

fn main() {}
