//! The page in a headless Chromium. Without one these tests say that they were skipped.

mod access;
mod chromium;
mod context;
mod deciding;
mod driver;
mod flows;
mod hostile;
mod keeping;
mod many;
mod newcomer;
mod person;
mod ports;
mod servers;
mod shapes;
mod size;
mod states;
mod tabs;
mod trying;
