//! From text to a typed value: toolwright, serde's derive, and ways through `Value`.

#![allow(missing_docs)] // criterion's macros

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use toolwright_bench::{Input, Way};

fn read(c: &mut Criterion) {
    for input in Input::all() {
        let mut group = c.benchmark_group(input.name);
        group.throughput(Throughput::Bytes(input.text.len() as u64));
        for way in Way::ALL {
            group.bench_function(BenchmarkId::from_parameter(way.name()), |b| {
                b.iter(|| input.read(way));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, read);
criterion_main!(benches);
