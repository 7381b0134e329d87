//! Spreads the work of a harness over all shapes and processors.

use std::thread;

/// The number of generated values: `CALLPACT_CASES`, or the harness's own number.
pub(crate) fn cases(own: usize) -> usize {
    std::env::var("CALLPACT_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(own)
}

/// The result for each shape, in no fixed order.
pub(crate) fn over<S: Sync, T: Send>(shapes: &[S], work: impl Fn(usize, &S) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(2, |n| n.get().min(4));
    let work = &work;
    thread::scope(|scope| {
        let runs: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || {
                    let own = shapes.iter().enumerate().skip(first).step_by(threads);
                    own.map(|(i, shape)| work(i, shape)).collect::<Vec<T>>()
                })
            })
            .collect();
        let results = runs.into_iter();
        results
            .flat_map(|run| run.join().expect("no panic"))
            .collect()
    })
}
