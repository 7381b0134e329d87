//! The IP addresses that a tool may connect to.
//!
//! Every address that is not plainly public is refused: private networks, the machine itself, cloud
//! metadata services, and every IPv6 form with an embedded IPv4 address (a gateway would unwrap it
//! after the check). [`AddressPolicy`] adds the exceptions of an operator.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Why an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// `0.0.0.0/8` and `::`: on most systems these reach the machine itself.
    Unspecified,
    /// `127.0.0.0/8` and `::1`.
    Loopback,
    /// The private networks, `fc00::/7` and `fec0::/10`.
    Private,
    /// `169.254.0.0/16` and `fe80::/10`, where most clouds keep their metadata service.
    LinkLocal,
    /// A metadata or platform service outside the link-local range.
    Metadata,
    /// Carrier-grade NAT, `100.64.0.0/10`.
    Shared,
    /// Protocol assignments and reserved space, which no public host has.
    Reserved,
    /// Addresses kept for documentation.
    Documentation,
    /// Addresses kept for benchmarks.
    Benchmarking,
    /// Multicast groups.
    Multicast,
    /// `255.255.255.255`.
    Broadcast,
    /// An IPv6 form that carries an IPv4 address: mapped, compatible, NAT64, 6to4, Teredo.
    Embedded,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unspecified => "unspecified address",
            Self::Loopback => "loopback address",
            Self::Private => "private network",
            Self::LinkLocal => "link-local address",
            Self::Metadata => "cloud metadata address",
            Self::Shared => "carrier-grade NAT address",
            Self::Reserved => "reserved address",
            Self::Documentation => "documentation address",
            Self::Benchmarking => "benchmarking address",
            Self::Multicast => "multicast address",
            Self::Broadcast => "broadcast address",
            Self::Embedded => "IPv6 form of an IPv4 address",
        })
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8, class: Class) -> (u32, u8, Class) {
    (u32::from_be_bytes([a, b, c, d]), prefix, class)
}

const fn v6(head: [u16; 4], prefix: u8, class: Class) -> (u128, u8, Class) {
    let [a, b, c, d] = head;
    let ip = Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0);
    (u128::from_be_bytes(ip.octets()), prefix, class)
}

/// The first row that contains the address gives its class.
const V4: &[(u32, u8, Class)] = &[
    v4(0, 0, 0, 0, 8, Class::Unspecified),
    v4(10, 0, 0, 0, 8, Class::Private),
    v4(100, 64, 0, 0, 10, Class::Shared),
    v4(127, 0, 0, 0, 8, Class::Loopback),
    // A cloud's platform service on a nominally public address.
    v4(168, 63, 129, 16, 32, Class::Metadata),
    v4(169, 254, 0, 0, 16, Class::LinkLocal),
    v4(172, 16, 0, 0, 12, Class::Private),
    v4(192, 0, 0, 0, 24, Class::Reserved),
    v4(192, 0, 2, 0, 24, Class::Documentation),
    // The retired 6to4 relays.
    v4(192, 88, 99, 0, 24, Class::Reserved),
    v4(192, 168, 0, 0, 16, Class::Private),
    v4(198, 18, 0, 0, 15, Class::Benchmarking),
    v4(198, 51, 100, 0, 24, Class::Documentation),
    v4(203, 0, 113, 0, 24, Class::Documentation),
    v4(224, 0, 0, 0, 4, Class::Multicast),
    v4(255, 255, 255, 255, 32, Class::Broadcast),
    v4(240, 0, 0, 0, 4, Class::Reserved),
];

const V6: &[(u128, u8, Class)] = &[
    (0, 128, Class::Unspecified),
    (1, 128, Class::Loopback),
    // ::ffff:0:0/96 mapped, ::ffff:0:0:0/96 translated, ::/96 compatible.
    (0xffff << 32, 96, Class::Embedded),
    (0xffff << 48, 96, Class::Embedded),
    (0, 96, Class::Embedded),
    v6([0x0064, 0xff9b, 0, 0], 96, Class::Embedded),
    v6([0x0064, 0xff9b, 1, 0], 48, Class::Embedded),
    v6([0x2001, 0, 0, 0], 32, Class::Embedded),
    v6([0x2001, 2, 0, 0], 48, Class::Benchmarking),
    v6([0x2001, 0, 0, 0], 23, Class::Reserved),
    v6([0x2001, 0x0db8, 0, 0], 32, Class::Documentation),
    v6([0x2002, 0, 0, 0], 16, Class::Embedded),
    v6([0x3fff, 0, 0, 0], 20, Class::Documentation),
    v6([0xfc00, 0, 0, 0], 7, Class::Private),
    v6([0xfe80, 0, 0, 0], 10, Class::LinkLocal),
    v6([0xfec0, 0, 0, 0], 10, Class::Private),
    v6([0xff00, 0, 0, 0], 8, Class::Multicast),
];

/// The space of public IPv6 addresses; everything outside is refused.
const GLOBAL_V6: (u128, u8) = (0x2000 << 112, 3);

/// Why `ip` is refused, or `None` if it is public.
///
/// ```
/// use callpact_tools::engine::address::{Class, classify};
///
/// assert_eq!(classify("169.254.169.254".parse()?), Some(Class::LinkLocal));
/// assert_eq!(classify("::ffff:8.8.8.8".parse()?), Some(Class::Embedded));
/// assert_eq!(classify("8.8.8.8".parse()?), None);
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn classify(ip: IpAddr) -> Option<Class> {
    match ip {
        IpAddr::V4(ip) => classify_v4(ip),
        IpAddr::V6(ip) => classify_v6(ip),
    }
}

fn classify_v4(ip: Ipv4Addr) -> Option<Class> {
    let bits = u128::from(u32::from(ip));
    let row = V4
        .iter()
        .find(|row| same_prefix(bits, u128::from(row.0), row.1, 32));
    row.map(|row| row.2)
}

fn classify_v6(ip: Ipv6Addr) -> Option<Class> {
    let bits = u128::from(ip);
    if let Some(row) = V6.iter().find(|row| same_prefix(bits, row.0, row.1, 128)) {
        return Some(row.2);
    }
    let (base, prefix) = GLOBAL_V6;
    (!same_prefix(bits, base, prefix, 128)).then_some(Class::Reserved)
}

/// Whether the first `prefix` of `width` bits agree.
fn same_prefix(left: u128, right: u128, prefix: u8, width: u8) -> bool {
    let drop = u32::from(width.saturating_sub(prefix));
    // A shift by the whole width of the type gives `None`: no bit is left to differ.
    (left ^ right).checked_shr(drop).unwrap_or(0) == 0
}

/// A range of addresses, written `10.0.0.0/8`, `fd00::/8` or as one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network {
    base: IpAddr,
    prefix: u8,
}

impl Network {
    /// The addresses that share their first `prefix` bits with `base`, or `None` when `prefix` is
    /// longer than an address.
    pub fn new(base: IpAddr, prefix: u8) -> Option<Self> {
        (prefix <= width(base)).then_some(Self { base, prefix })
    }

    /// Whether `ip` is in the range. An IPv4 range never contains an IPv6 form of its addresses.
    pub fn contains(&self, ip: IpAddr) -> bool {
        let (left, right) = match (self.base, ip) {
            (IpAddr::V4(left), IpAddr::V4(right)) => {
                (u128::from(u32::from(left)), u128::from(u32::from(right)))
            }
            (IpAddr::V6(left), IpAddr::V6(right)) => (u128::from(left), u128::from(right)),
            _ => return false,
        };
        same_prefix(left, right, self.prefix, width(ip))
    }
}

impl From<IpAddr> for Network {
    fn from(ip: IpAddr) -> Self {
        Self {
            base: ip,
            prefix: width(ip),
        }
    }
}

const fn width(ip: IpAddr) -> u8 {
    match ip {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

/// The text is not a valid [`Network`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadNetwork;

impl fmt::Display for BadNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a network such as `10.0.0.0/8` or `fd00::/8`")
    }
}

impl std::error::Error for BadNetwork {}

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let Some((base, prefix)) = text.split_once('/') else {
            return text
                .parse::<IpAddr>()
                .map(Self::from)
                .map_err(|_| BadNetwork);
        };
        if prefix.is_empty() || !prefix.bytes().all(|b| b.is_ascii_digit()) {
            return Err(BadNetwork);
        }
        let base = base.parse().map_err(|_| BadNetwork)?;
        Self::new(base, prefix.parse().map_err(|_| BadNetwork)?).ok_or(BadNetwork)
    }
}

/// Public addresses, and the exceptions of an operator.
#[derive(Debug, Clone, Default)]
pub struct AddressPolicy {
    networks: Vec<Network>,
    hosts: Vec<String>,
}

impl AddressPolicy {
    /// Public addresses only.
    pub fn public() -> Self {
        Self::default()
    }

    /// Also allows the addresses of `network`.
    #[must_use]
    pub fn allow_network(mut self, network: impl Into<Network>) -> Self {
        self.networks.push(network.into());
        self
    }

    /// Also allows `host`, at any address: a name, or an address as in URLs.
    ///
    /// The owner of the name then chooses the address, so name only hosts that you run.
    #[must_use]
    pub fn allow_host(mut self, host: &str) -> Self {
        self.hosts.push(plain_host(host));
        self
    }

    /// Whether `host` is allowed by name.
    pub fn allows_host(&self, host: &str) -> bool {
        !self.hosts.is_empty() && self.hosts.contains(&plain_host(host))
    }

    /// Why a connection to `ip` on behalf of `host` is refused, or `Ok`.
    pub fn check(&self, host: &str, ip: IpAddr) -> Result<(), Class> {
        match classify(ip) {
            Some(class) if !self.excepts(host, ip) => Err(class),
            _ => Ok(()),
        }
    }

    fn excepts(&self, host: &str, ip: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(ip)) || self.allows_host(host)
    }
}

/// `host` in lower case, without the brackets of an IPv6 literal or the final dot of a full name.
pub(crate) fn plain_host(host: &str) -> String {
    let host = host
        .strip_prefix('[')
        .and_then(|h| h.strip_suffix(']'))
        .unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
