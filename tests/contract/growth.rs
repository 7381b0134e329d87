//! Recursive declarations of every kind are read to their end, even by a schema made at run time. `scripts/growth`
//! counts the cost.

use callpact::Policy;
use callpact_tests::recursive::recursive;

#[test]
fn thirty_recursive_declarations_end() {
    let all = recursive();
    assert_eq!(all.len(), 30);
    for one in all {
        for faulty in [false, true] {
            // Deep alone, and deep and wide.
            for bytes in [1 << 10, 1 << 14] {
                let text = one.text(bytes, faulty);
                assert!(text.len() > bytes / 2);
                for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
                    assert_eq!(one.read(&text, &policy), !faulty, "{}", one.name);
                    assert_eq!(
                        one.read_at_run_time(&text, &policy),
                        !faulty,
                        "{} at run time",
                        one.name
                    );
                }
            }
        }
    }
}
