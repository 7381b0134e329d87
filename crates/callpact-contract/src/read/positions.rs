//! Arrays with a schema for each position.

use std::borrow::Cow;

use super::{
    at::At,
    here::Way,
    input::Input,
    list::wrong_count,
    meant::take_out,
    take::{Take, take},
};
use crate::{
    json::Source,
    schema::{Held, Schema},
};

/// Reads and keeps the item of a position, and returns whether there is one.
type ReadItem<'a> = &'a mut dyn FnMut(usize, &mut Input<'_>, At<'_>) -> bool;

/// Reads one item for each of these schemas, and returns whether all are there.
pub(crate) fn read_positions(
    input: &mut Input<'_>,
    schemas: &[Held<Schema>],
    read: ReadItem<'_>,
    at: At<'_>,
) -> bool {
    take(input, Positions { schemas, read }, at).is_some()
}

struct Positions<'a> {
    schemas: &'a [Held<Schema>],
    read: ReadItem<'a>,
}

impl Take for Positions<'_> {
    type Out = ();

    fn text(self, value: Cow<'_, str>, at: At<'_>) -> Option<()> {
        let Self { schemas, read } = self;
        let mut whole = false;
        take_out(&value, at, &mut |input, at| {
            whole = read_positions(input, schemas, read, at);
        });
        whole.then_some(())
    }

    fn list(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<()> {
        let mut items = input.open_list();
        let mut count = 0;
        let mut whole = true;
        while input.next_item(&mut items) {
            match self.schemas.get(count) {
                Some(schema) => at.below(Way::Index(count), schema, |mut at| {
                    whole &= (self.read)(count, input, at.reborrow());
                    if input.is_broken() {
                        at.note_broken();
                    }
                }),
                None => input.skip(),
            }
            count += 1;
        }
        if input.is_broken() {
            return None;
        }
        if count != self.schemas.len() {
            wrong_count(count, &mut at);
            return None;
        }
        whole.then_some(())
    }
}
