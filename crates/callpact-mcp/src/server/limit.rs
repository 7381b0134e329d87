//! The rates of callers: their calls, and the sessions that they open.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The number of callers from which on those without a recent turn are forgotten.
const CALLERS: usize = 1_024;

/// How much a caller may do at once, and the rate at which more may follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLimit {
    burst: f64,
    per_second: f64,
}

impl RateLimit {
    /// Allows `burst` calls at once, and `per_second` calls a second after that.
    pub fn new(burst: u32, per_second: f64) -> Self {
        Self {
            burst: f64::from(burst.max(1)),
            per_second: per_second.max(0.0),
        }
    }

    /// The seconds between two at the steady rate, at most a year.
    fn interval(self) -> f64 {
        const YEAR: f64 = 365.0 * 86_400.0;
        self.per_second.recip().min(YEAR)
    }
}

impl Default for RateLimit {
    /// 1,000 calls at once and 200 a second.
    fn default() -> Self {
        Self::new(1_000, 200.0)
    }
}

/// Who calls: an identity, or the network that a request comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CallerKey {
    Identity(String),
    Network(Option<IpAddr>),
}

impl CallerKey {
    /// The caller at an address. One machine can have every IPv6 address of a network of 64 bits.
    pub(super) fn at(address: Option<IpAddr>) -> Self {
        Self::Network(address.map(|address| match address.to_canonical() {
            IpAddr::V6(ip) => IpAddr::V6((ip.to_bits() >> 64 << 64).into()),
            ip @ IpAddr::V4(_) => ip,
        }))
    }
}

/// The turns that callers take, each at the same rate.
pub(super) struct CallerTurns {
    limit: RateLimit,
    started: Instant,
    /// When the next turn of a caller is due at the steady rate, in seconds since the start.
    due: Mutex<HashMap<CallerKey, f64>>,
}

impl CallerTurns {
    pub(super) fn new(limit: RateLimit) -> Self {
        Self {
            limit,
            started: Instant::now(),
            due: Mutex::default(),
        }
    }

    pub(super) fn limit(&self) -> RateLimit {
        self.limit
    }

    /// Takes the caller's next turn, and returns how long the caller has to wait for it.
    ///
    /// # Errors
    /// How long it would be, if that is more than `patience`. Then the turn is not taken.
    pub(super) fn take(
        &self,
        caller: &CallerKey,
        patience: Duration,
    ) -> Result<Duration, Duration> {
        self.take_at(caller, patience, Instant::now())
    }

    fn take_at(
        &self,
        caller: &CallerKey,
        patience: Duration,
        now: Instant,
    ) -> Result<Duration, Duration> {
        let now = now.saturating_duration_since(self.started).as_secs_f64();
        let mut turns = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        // A map that would grow is swept, so that a call among many callers does not look at all of them.
        if turns.len() >= CALLERS && turns.len() == turns.capacity() {
            turns.retain(|_, due| *due > now);
        }
        let interval = self.limit.interval();
        let due = turns.get(caller).map_or(now, |due| due.max(now));
        // The turns of a burst may come before they are due.
        let wait = due - (self.limit.burst - 1.0) * interval - now;
        let wait = Duration::try_from_secs_f64(wait.max(0.0)).unwrap_or(Duration::MAX);
        if wait > patience {
            return Err(wait);
        }
        turns.insert(caller.clone(), due + interval);
        Ok(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(name: &str) -> CallerKey {
        CallerKey::Identity(name.to_owned())
    }

    #[test]
    fn a_burst_is_limited_and_recovers() {
        let turns = CallerTurns::new(RateLimit::new(3, 10.0));
        let start = turns.started;
        let ask = |who, now| turns.take_at(&caller(who), Duration::ZERO, now);
        for _ in 0..3 {
            assert_eq!(ask("ada", start), Ok(Duration::ZERO));
        }
        let wait = ask("ada", start).expect_err("empty");
        assert!(wait.abs_diff(Duration::from_millis(100)) < Duration::from_micros(1));
        assert_eq!(ask("grace", start), Ok(Duration::ZERO));
        assert!(ask("ada", start + Duration::from_millis(150)).is_ok());
        assert!(ask("ada", start + Duration::from_millis(150)).is_err());
    }

    #[test]
    fn patient_callers_wait_for_their_turns() {
        let turns = CallerTurns::new(RateLimit::new(3, 10.0));
        let start = turns.started;
        let ask = |who, now| turns.take_at(&caller(who), Duration::from_secs(2), now);
        for _ in 0..3 {
            assert_eq!(ask("ada", start), Ok(Duration::ZERO));
        }
        let waits: Vec<_> = std::iter::from_fn(|| ask("ada", start).ok()).collect();
        // The last of twenty waits two seconds, but for the rounding of a float.
        assert!((19..=20).contains(&waits.len()), "{}", waits.len());
        assert!(waits[0].abs_diff(Duration::from_millis(100)) < Duration::from_micros(1));
        assert_eq!(ask("grace", start), Ok(Duration::ZERO));
        assert!(ask("ada", start + Duration::from_secs(1)).is_ok());
    }

    #[test]
    fn a_rate_of_nothing_ends_after_its_burst() {
        let turns = CallerTurns::new(RateLimit::new(1, 0.0));
        let ask = || turns.take_at(&caller("ada"), Duration::from_secs(3_600), turns.started);
        assert_eq!(ask(), Ok(Duration::ZERO));
        assert!(ask().is_err());
    }

    #[test]
    fn a_network_of_ipv6_is_one_caller() {
        let at = |text: &str| CallerKey::at(text.parse().ok());
        assert_eq!(at("2001:db8::1"), at("2001:db8::2:3"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
        assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
    }
}
