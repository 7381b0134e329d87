//! Every host with its own client, at a scripted provider.

mod chat;
mod example;
mod genai;
mod responses;
mod rig;
mod server;
mod streams;
mod tools;
