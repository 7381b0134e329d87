//! Every host, driven end to end with its own client against a scripted provider.

mod chat;
mod example;
mod genai;
mod responses;
mod rig;
mod server;
mod tools;
