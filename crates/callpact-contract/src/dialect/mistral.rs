//! Mistral.

use super::{
    keyword::{DEFAULT, VALIDATION},
    profile::{Profile, ReplyForm},
};

pub(super) const MISTRAL: Profile = Profile {
    name: "mistral",
    keywords: VALIDATION | DEFAULT,
    reply: ReplyForm::Chat { named: true },
    ..Profile::PLAIN
};
