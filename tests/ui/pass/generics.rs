//! Generated impls have only the bounds that the fields need.
use std::marker::PhantomData;

use callpact::{Policy, ToolInput, read_str};

/// Neither has a schema nor a default.
#[derive(Debug, PartialEq)]
struct Opaque;

#[derive(Debug, PartialEq, ToolInput)]
struct Skips<T, U> {
    #[tool_param(skip)]
    marker: PhantomData<T>,
    #[tool_param(skip)]
    many: Vec<T>,
    #[tool_param(skip, default = none)]
    maybe: Option<U>,
    limit: u8,
}

fn none<U>() -> Option<U> {
    None
}

trait Source {
    type Item;
}

#[derive(Debug, PartialEq)]
struct Numbers;

impl Source for Numbers {
    type Item = u8;
}

#[derive(Debug, PartialEq, ToolInput)]
struct Items<S: Source>
where
    S::Item: std::fmt::Debug,
{
    items: Vec<S::Item>,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Qualified<S: Source>
where
    <S as Source>::Item: std::fmt::Debug + PartialEq,
{
    first: <S as Source>::Item,
    rest: Vec<Option<<S as Source>::Item>>,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Page<T, const N: usize = 2> {
    #[tool_param(flatten)]
    inner: T,
    pair: [u8; N],
    #[tool_param(default)]
    rest: Vec<T>,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Inner {
    limit: u8,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Nested<T> {
    #[tool_param(flatten)]
    page: Page<T>,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Wrapper<T>(Vec<T>);

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(tag = "type")]
enum Either<L, R> {
    Left { left: L },
    Right(R),
}

fn read<T: ToolInput + std::fmt::Debug>(text: &str) -> T {
    match read_str(text, &Policy::exact()) {
        Ok(read) => read.value,
        Err(report) => panic!("{report}"),
    }
}

fn main() {
    let skips: Skips<Opaque, Opaque> = read(r#"{"limit":1}"#);
    assert_eq!((skips.limit, skips.many.len(), skips.maybe), (1, 0, None));
    let items: Items<Numbers> = read(r#"{"items":[1]}"#);
    assert_eq!(items.items, [1]);
    let qualified: Qualified<Numbers> = read(r#"{"first":1,"rest":[2,null]}"#);
    assert_eq!((qualified.first, qualified.rest), (1, vec![Some(2), None]));
    let nested: Nested<Inner> = read(r#"{"limit":1,"pair":[1,2]}"#);
    assert_eq!(
        (nested.page.inner, nested.page.pair),
        (Inner { limit: 1 }, [1, 2])
    );
    assert_eq!(read::<Wrapper<u8>>("[1]"), Wrapper(vec![1]));
    let either: Either<u8, Inner> = read(r#"{"type":"Left","left":1}"#);
    assert_eq!(either, Either::Left { left: 1 });
    let either: Either<u8, Inner> = read(r#"{"type":"Right","limit":1}"#);
    assert_eq!(either, Either::Right(Inner { limit: 1 }));
}
