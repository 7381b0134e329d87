//! The runtime against issue 3, the source documents and the behaviour of the reference systems.

mod approval;
mod compile;
mod execution;
mod kit;
mod metrics;
mod pipeline;
mod resolution;
mod rows_1_1_to_1_4;
mod rows_1_5;
mod rows_1_6;
mod rows_1_7;
mod rows_2;
mod rows_seed_004;
mod secrets;
mod shared;
