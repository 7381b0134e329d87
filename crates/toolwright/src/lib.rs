//! Typed tools for LLM agents.
