//! The least level of the messages that a client wants.
#![allow(deprecated)] // the protocol gives up its messages, and clients of today show them

use std::sync::{Mutex, PoisonError};

use callpact::tool::LogLevel;
use rmcp::model::LoggingLevel;

/// The level of one session. A clone belongs to another session.
#[derive(Debug)]
pub(super) struct SessionLevel(Mutex<LogLevel>);

impl Default for SessionLevel {
    fn default() -> Self {
        Self(Mutex::new(LogLevel::Info))
    }
}

impl Clone for SessionLevel {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl SessionLevel {
    pub(super) fn set(&self, level: LogLevel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    pub(super) fn get(&self) -> LogLevel {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A level of the protocol, which has more of them.
pub(super) fn from_protocol(level: LoggingLevel) -> LogLevel {
    match level {
        LoggingLevel::Debug => LogLevel::Debug,
        LoggingLevel::Info => LogLevel::Info,
        LoggingLevel::Notice | LoggingLevel::Warning => LogLevel::Warning,
        LoggingLevel::Error
        | LoggingLevel::Critical
        | LoggingLevel::Alert
        | LoggingLevel::Emergency => LogLevel::Error,
    }
}

pub(super) fn to_protocol(level: LogLevel) -> LoggingLevel {
    match level {
        LogLevel::Debug => LoggingLevel::Debug,
        LogLevel::Warning => LoggingLevel::Warning,
        LogLevel::Error => LoggingLevel::Error,
        _ => LoggingLevel::Info,
    }
}
