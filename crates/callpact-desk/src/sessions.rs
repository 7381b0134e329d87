//! Who may enter: tokens that work once, people with their own tokens, and the sessions of both.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use callpact::{digest::hex, identity::Identity};

use crate::share::RequestShare;

/// The most unused tokens; the oldest ends first.
const TOKENS: RequestShare = RequestShare { each: 16, all: 256 };
/// The most sessions; the oldest ends first.
const SESSIONS: RequestShare = RequestShare {
    each: 64,
    all: 1_024,
};

/// The tokens and sessions of a desk.
pub(crate) struct DeskSessions {
    /// The name of the desk in the record of a decision.
    desk: Arc<str>,
    doors: Mutex<SessionDoors>,
}

#[derive(Default)]
struct SessionDoors {
    tokens: VecDeque<(String, Option<Arc<KnownPerson>>)>,
    sessions: VecDeque<(String, EnteredBrowser)>,
    count: u64,
}

/// A person whom the authenticator of the desk knows.
pub(crate) struct KnownPerson {
    pub(crate) identity: Identity,
    /// Kept, so that the session ends when the token does.
    pub(crate) token: String,
}

/// A browser that has entered.
#[derive(Clone)]
pub(crate) struct EnteredBrowser {
    number: u64,
    /// Two desks may share a store, so a name says which desk it belongs to.
    desk: Arc<str>,
    /// `None` for a browser that entered with a token of the program.
    pub(crate) person: Option<Arc<KnownPerson>>,
}

impl EnteredBrowser {
    /// The name of the browser in the record of a decision.
    pub(crate) fn name(&self) -> String {
        match &self.person {
            Some(person) => format!("desk, {}", person.identity.name),
            None => format!("desk {}, browser {}", self.desk, self.number),
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The person whose share it uses.
    pub(crate) fn owner(&self) -> Option<&str> {
        name_of(self.person.as_deref())
    }
}

fn name_of(person: Option<&KnownPerson>) -> Option<&str> {
    person.map(|person| &*person.identity.name)
}

impl DeskSessions {
    pub(crate) fn new() -> Self {
        // Another desk must not have the same name, but the name need not be secret.
        let random = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
        Self {
            desk: format!("{:04x}", random >> 48).into(),
            doors: Mutex::default(),
        }
    }

    fn doors(&self) -> MutexGuard<'_, SessionDoors> {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a token. Whoever enters with it acts as the person who invited.
    pub(crate) fn invite(&self, person: Option<Arc<KnownPerson>>) -> io::Result<String> {
        let token = random()?;
        let mut doors = self.doors();
        let who = name_of(person.as_deref());
        TOKENS.make_room(
            &mut doors.tokens,
            |(_, person)| name_of(person.as_deref()),
            who,
        );
        doors.tokens.push_back((token.clone(), person));
        Ok(token)
    }

    /// Uses up a token, and returns the secret of the new session; `None` if the token is not valid.
    pub(crate) fn enter(&self, token: &str) -> io::Result<Option<String>> {
        let invited = {
            let mut doors = self.doors();
            let mut tokens = doors.tokens.iter();
            let place = tokens.position(|(known, _)| same(known, token));
            place.and_then(|place| doors.tokens.remove(place))
        };
        invited.map(|(_, person)| self.open(person)).transpose()
    }

    /// Opens a session, and returns its secret.
    pub(crate) fn open(&self, person: Option<Arc<KnownPerson>>) -> io::Result<String> {
        let session = random()?;
        let mut doors = self.doors();
        let who = name_of(person.as_deref());
        SESSIONS.make_room(&mut doors.sessions, |(_, browser)| browser.owner(), who);
        doors.count += 1;
        let number = doors.count;
        let desk = Arc::clone(&self.desk);
        let browser = EnteredBrowser {
            number,
            desk,
            person,
        };
        doors.sessions.push_back((session.clone(), browser));
        Ok(session)
    }

    /// Ends the session of a browser. Returns whether it had one.
    pub(crate) fn end(&self, browser: &EnteredBrowser) -> bool {
        let mut doors = self.doors();
        let before = doors.sessions.len();
        doors
            .sessions
            .retain(|(_, known)| known.number != browser.number);
        doors.sessions.len() < before
    }

    /// The browser whose session has this secret.
    pub(crate) fn find(&self, given: &str) -> Option<EnteredBrowser> {
        let doors = self.doors();
        let mut sessions = doors.sessions.iter();
        let found = sessions.find(|(session, _)| same(session, given));
        found.map(|(_, browser)| browser.clone())
    }
}

/// 32 random bytes in hexadecimal digits.
fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(hex(&bytes))
}

/// Whether two texts are equal. The time does not reveal where they differ.
fn same(known: &str, given: &str) -> bool {
    let differs = known
        .bytes()
        .zip(given.bytes())
        .fold(0, |differs, (one, other)| differs | (one ^ other));
    known.len() == given.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::{DeskSessions, SESSIONS, TOKENS};

    #[test]
    fn a_token_works_once_and_becomes_a_session() {
        let sessions = DeskSessions::new();
        let token = sessions.invite(None).expect("random numbers");
        assert_eq!(sessions.enter("").ok(), Some(None));
        assert_eq!(sessions.enter(&token[1..]).ok(), Some(None));
        let secret = sessions.enter(&token).ok().flatten();
        let secret = secret.expect("the token is valid");
        assert_eq!(sessions.enter(&token).ok(), Some(None));
        assert_eq!(
            sessions
                .find(&secret)
                .map(|browser| browser.name())
                .as_deref(),
            Some(format!("desk {}, browser 1", sessions.desk).as_str())
        );
        for other in ["", "a", &secret[..20], &format!("{secret}0")] {
            assert!(sessions.find(other).is_none(), "{other}");
        }
    }

    #[test]
    fn the_oldest_tokens_and_sessions_end_first() {
        let sessions = DeskSessions::new();
        let tokens: Vec<_> = (0..=TOKENS.each)
            .filter_map(|_| sessions.invite(None).ok())
            .collect();
        assert_eq!(sessions.enter(&tokens[0]).ok(), Some(None));
        let mut secrets = Vec::new();
        for _ in 0..=SESSIONS.each {
            let token = sessions.invite(None).expect("random numbers");
            let secret = sessions.enter(&token).ok().flatten();
            secrets.push(secret.expect("the token is valid"));
        }
        assert!(sessions.find(&secrets[0]).is_none());
        assert!(sessions.find(&secrets[SESSIONS.each]).is_some());
    }
}
