//! Who may come in: tokens that work once, and the sessions that they become.

use std::{
    collections::VecDeque,
    fmt::Write,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The most tokens that nobody has used.
const TOKENS: usize = 16;
/// The most sessions; the oldest ends first.
const SESSIONS: usize = 64;

/// The tokens and sessions of a desk.
pub(crate) struct Sessions {
    /// The name of the cookie. Cookies know no ports, so every desk has a name of its own.
    cookie: String,
    doors: Mutex<Doors>,
}

#[derive(Default)]
struct Doors {
    tokens: VecDeque<String>,
    sessions: VecDeque<(String, u64)>,
    count: u64,
}

/// A browser that came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Browser(u64);

impl Browser {
    /// The name of the browser where a decision says who made it.
    pub(crate) fn name(self) -> String {
        format!("desk, browser {}", self.0)
    }
}

impl Sessions {
    pub(crate) fn new() -> Self {
        // Another desk must not have the same name; nothing depends on its being secret.
        let random = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
        Self {
            cookie: format!("toolwright-desk-{random:016x}"),
            doors: Mutex::default(),
        }
    }

    fn doors(&self) -> MutexGuard<'_, Doors> {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a token.
    pub(crate) fn invite(&self) -> io::Result<String> {
        let token = random()?;
        let mut doors = self.doors();
        if doors.tokens.len() == TOKENS {
            doors.tokens.pop_front();
        }
        doors.tokens.push_back(token.clone());
        Ok(token)
    }

    /// Uses a token up, and returns the cookie of the new session; `None` if the token is not valid.
    pub(crate) fn enter(&self, token: &str, secure: bool) -> io::Result<Option<String>> {
        let session = random()?;
        let mut doors = self.doors();
        let Some(place) = doors.tokens.iter().position(|known| same(known, token)) else {
            return Ok(None);
        };
        doors.tokens.remove(place);
        if doors.sessions.len() == SESSIONS {
            doors.sessions.pop_front();
        }
        doors.count += 1;
        let number = doors.count;
        doors.sessions.push_back((session.clone(), number));
        let secure = if secure { "; Secure" } else { "" };
        let name = &self.cookie;
        Ok(Some(format!(
            "{name}={session}; Path=/; HttpOnly; SameSite=Strict{secure}"
        )))
    }

    /// The browser whose cookie is among these.
    pub(crate) fn find(&self, cookies: &str) -> Option<Browser> {
        let given = cookies.split(';').find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == self.cookie).then_some(value)
        })?;
        let doors = self.doors();
        let mut sessions = doors.sessions.iter();
        let found = sessions.find(|(session, _)| same(session, given));
        found.map(|(_, number)| Browser(*number))
    }
}

/// 32 random bytes in hexadecimal digits.
fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    let mut text = String::with_capacity(64);
    for byte in bytes {
        // Writing to a String does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Whether two texts are the same. The time does not say where they differ.
fn same(known: &str, given: &str) -> bool {
    let differs = known
        .bytes()
        .zip(given.bytes())
        .fold(0, |differs, (one, other)| differs | (one ^ other));
    known.len() == given.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::{SESSIONS, Sessions, TOKENS};

    fn cookie(set: &str) -> &str {
        set.split(';').next().unwrap_or_default()
    }

    #[test]
    fn a_token_works_once_and_becomes_a_session() {
        let sessions = Sessions::new();
        let token = sessions.invite().expect("random numbers");
        assert_eq!(sessions.enter("", false).ok(), Some(None));
        assert_eq!(sessions.enter(&token[1..], false).ok(), Some(None));
        let set = sessions.enter(&token, false).ok().flatten();
        let set = set.expect("the token is valid");
        assert!(
            set.ends_with("; Path=/; HttpOnly; SameSite=Strict"),
            "{set}"
        );
        assert_eq!(sessions.enter(&token, false).ok(), Some(None));
        let found = sessions.find(&format!("a=b; {}; c=d", cookie(&set)));
        assert_eq!(
            found.map(super::Browser::name).as_deref(),
            Some("desk, browser 1")
        );
        for other in [
            "",
            "a=b",
            &cookie(&set)[..20],
            &format!("{}0", cookie(&set)),
        ] {
            assert_eq!(sessions.find(other), None, "{other}");
        }
    }

    #[test]
    fn the_oldest_tokens_and_sessions_end_first() {
        let sessions = Sessions::new();
        let tokens: Vec<_> = (0..=TOKENS)
            .filter_map(|_| sessions.invite().ok())
            .collect();
        assert_eq!(sessions.enter(&tokens[0], false).ok(), Some(None));
        let mut cookies = Vec::new();
        for _ in 0..=SESSIONS {
            let token = sessions.invite().expect("random numbers");
            let set = sessions.enter(&token, true).ok().flatten();
            cookies.push(set.expect("the token is valid"));
        }
        assert!(cookies[0].ends_with("; Secure"));
        assert_eq!(sessions.find(cookie(&cookies[0])), None);
        assert!(sessions.find(cookie(&cookies[SESSIONS])).is_some());
    }
}
