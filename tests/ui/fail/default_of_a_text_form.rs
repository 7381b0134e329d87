use std::{net::IpAddr, time::Duration};

use callpact::ToolInput;

const WAIT: Duration = Duration::from_secs(30);

#[derive(ToolInput)]
struct Args {
    #[tool_param(default = "30s")]
    wait: Duration,
    #[tool_param(default = "127.0.0.1")]
    host: IpAddr,
    #[tool_param(default = WAIT)]
    right: Duration,
}

fn main() {}
