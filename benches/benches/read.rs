//! From text to a typed value: callpact, serde's derive, and ways through `Value`.

#![allow(missing_docs)] // criterion's macros

use std::time::Instant;

use callpact_bench::{INPUTS, Way};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn read(c: &mut Criterion) {
    for (name, make) in INPUTS {
        let input = make();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(input.text.len() as u64));
        for way in Way::ALL {
            group.bench_function(BenchmarkId::from_parameter(way.name()), |b| {
                // The validator is made once for many reads, as a program would.
                b.iter_custom(|times| {
                    let start = Instant::now();
                    input.read(way, usize::try_from(times).unwrap_or(usize::MAX));
                    start.elapsed()
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, read);
criterion_main!(benches);
