//! The limit on the calls of a server.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// How many calls may come at once, and the rate at which more may follow.
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

    pub(super) fn burst(self) -> f64 {
        self.burst
    }

    /// The seconds between two at the steady rate, at most a year.
    pub(super) fn interval(self) -> f64 {
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

/// The state of a limit.
pub(super) struct LimitBucket {
    limit: RateLimit,
    level: Mutex<(f64, Instant)>,
}

impl LimitBucket {
    pub(super) fn new(limit: RateLimit) -> Self {
        Self {
            limit,
            level: Mutex::new((limit.burst, Instant::now())),
        }
    }

    pub(super) fn limit(&self) -> RateLimit {
        self.limit
    }

    /// Takes one call.
    ///
    /// # Errors
    /// The seconds until the next call may be made.
    pub(super) fn take(&self) -> Result<(), f64> {
        self.take_at(Instant::now())
    }

    fn take_at(&self, now: Instant) -> Result<(), f64> {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(level.1).as_secs_f64();
        let full = passed
            .mul_add(self.limit.per_second, level.0)
            .min(self.limit.burst);
        if full >= 1.0 {
            *level = (full - 1.0, now);
            return Ok(());
        }
        *level = (full, now);
        Err(if self.limit.per_second > 0.0 {
            (1.0 - full) / self.limit.per_second
        } else {
            f64::INFINITY
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{LimitBucket, RateLimit};
    use std::time::{Duration, Instant};

    #[test]
    fn a_burst_is_limited_and_recovers() {
        let bucket = LimitBucket::new(RateLimit::new(3, 10.0));
        let start = Instant::now();
        for _ in 0..3 {
            assert!(bucket.take_at(start).is_ok());
        }
        let wait = bucket.take_at(start).expect_err("empty");
        assert!(wait > 0.0 && wait <= 0.1, "{wait}");
        assert!(bucket.take_at(start + Duration::from_millis(150)).is_ok());
        assert!(bucket.take_at(start + Duration::from_millis(150)).is_err());
    }
}
