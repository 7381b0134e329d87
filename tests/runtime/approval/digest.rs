//! The digest that an answer is bound to.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{ARGUMENTS, OtherInput, Reach, digest_of, list};
use crate::kit::AddInput;
use callpact::Toolset;

#[tokio::test]
async fn digest_covers_name_schema_permission_and_input() {
    let base = digest_of(&list(Reach::<AddInput>::new(1)), "t", ARGUMENTS).await;
    assert_eq!(
        digest_of(&list(Reach::<AddInput>::new(1)), "t", ARGUMENTS).await,
        base,
        "stable"
    );
    let renamed = list(Reach::<AddInput>::new(1)).rename("t", "u").unwrap();
    for other in [
        digest_of(&renamed, "u", ARGUMENTS).await,
        digest_of(&list(Reach::<AddInput>::new(2)), "t", ARGUMENTS).await,
        digest_of(&list(Reach::<OtherInput>::new(1)), "t", ARGUMENTS).await,
        digest_of(&list(Reach::<AddInput>::new(1)), "t", r#"{"a":1,"b":3}"#).await,
        digest_of(&list(Reach::<AddInput>::new(1)), "t", r#"{"a":1,"b":2} "#).await,
    ] {
        assert_ne!(other, base);
    }
    // A tool whose reach grows after the first digest was made.
    let tool = Arc::new(Reach::<AddInput>::new(1));
    let tools = Toolset::builder()
        .shared(Arc::clone(&tool))
        .build()
        .unwrap();
    assert_eq!(digest_of(&tools, "t", ARGUMENTS).await, base);
    tool.0.store(2, Ordering::SeqCst);
    assert_ne!(digest_of(&tools, "t", ARGUMENTS).await, base);
}
