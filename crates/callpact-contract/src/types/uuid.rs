//! `uuid::Uuid`, behind the feature `uuid`.

use uuid::Uuid;

use super::text::{of_format, read_from_text};
use crate::{output::types::written_as_read, schema::Format};

read_from_text! {
    feature "uuid";
    Uuid: of_format(Format::Uuid), parse;
}

written_as_read!(keys Uuid);

fn parse(text: &str) -> Option<Uuid> {
    // The crate also takes braces, a `urn:` prefix and no hyphens, which the schema does not mention.
    let plain = Format::Uuid.is_match(text);
    Uuid::try_parse(text).ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refuses, round_trips};
    use uuid::Uuid;

    #[test]
    fn forms() {
        for value in [0, 1, u128::MAX, 0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8] {
            round_trips(&Uuid::from_u128(value), Uuid::to_string);
        }
        refuses::<Uuid>(&[
            "",
            "67e55044",
            "67e5504410b1426f9247bb680e5fe0c8",
            "{67e55044-10b1-426f-9247-bb680e5fe0c8}",
            "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8",
            "67e55044-10b1-426f-9247-bb680e5fe0cg",
        ]);
    }
}
