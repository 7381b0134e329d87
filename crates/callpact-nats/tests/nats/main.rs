//! Workers, hosts and the store at a real server.

mod access;
mod calls;
#[cfg(unix)]
mod chaos;
mod discovery;
mod ends;
#[cfg(unix)]
mod frozen;
mod hostile;
mod kit;
mod limits;
mod outsider;
#[cfg(unix)]
mod process;
mod scene;
mod spoiled;
mod store;
