use super::*;

fn class(ip: &str) -> Option<Class> {
    classify(
        ip.parse()
            .unwrap_or_else(|_| panic!("{ip} is not an address")),
    )
}

/// First and last address of each range, then the neighbours just outside with their own class.
#[test]
fn v4_range_boundaries() {
    use Class::*;
    let rows: &[(&str, Option<Class>)] = &[
        ("0.0.0.0", Some(Unspecified)),
        ("0.255.255.255", Some(Unspecified)),
        ("1.0.0.0", None),
        ("9.255.255.255", None),
        ("10.0.0.0", Some(Private)),
        ("10.255.255.255", Some(Private)),
        ("11.0.0.0", None),
        ("100.63.255.255", None),
        ("100.64.0.0", Some(Shared)),
        ("100.100.100.200", Some(Shared)),
        ("100.127.255.255", Some(Shared)),
        ("100.128.0.0", None),
        ("126.255.255.255", None),
        ("127.0.0.0", Some(Loopback)),
        ("127.0.0.1", Some(Loopback)),
        ("127.255.255.255", Some(Loopback)),
        ("128.0.0.0", None),
        ("168.63.129.15", None),
        ("168.63.129.16", Some(Metadata)),
        ("168.63.129.17", None),
        ("169.253.255.255", None),
        ("169.254.0.0", Some(LinkLocal)),
        ("169.254.169.254", Some(LinkLocal)),
        ("169.254.170.2", Some(LinkLocal)),
        ("169.254.255.255", Some(LinkLocal)),
        ("169.255.0.0", None),
        ("172.15.255.255", None),
        ("172.16.0.0", Some(Private)),
        ("172.31.255.255", Some(Private)),
        ("172.32.0.0", None),
        ("191.255.255.255", None),
        ("192.0.0.0", Some(Reserved)),
        ("192.0.0.192", Some(Reserved)),
        ("192.0.0.255", Some(Reserved)),
        ("192.0.1.0", None),
        ("192.0.1.255", None),
        ("192.0.2.0", Some(Documentation)),
        ("192.0.2.255", Some(Documentation)),
        ("192.0.3.0", None),
        ("192.88.98.255", None),
        ("192.88.99.0", Some(Reserved)),
        ("192.88.99.255", Some(Reserved)),
        ("192.88.100.0", None),
        ("192.167.255.255", None),
        ("192.168.0.0", Some(Private)),
        ("192.168.255.255", Some(Private)),
        ("192.169.0.0", None),
        ("198.17.255.255", None),
        ("198.18.0.0", Some(Benchmarking)),
        ("198.19.255.255", Some(Benchmarking)),
        ("198.20.0.0", None),
        ("198.51.99.255", None),
        ("198.51.100.0", Some(Documentation)),
        ("198.51.100.255", Some(Documentation)),
        ("198.51.101.0", None),
        ("203.0.112.255", None),
        ("203.0.113.0", Some(Documentation)),
        ("203.0.113.255", Some(Documentation)),
        ("203.0.114.0", None),
        ("223.255.255.255", None),
        ("224.0.0.0", Some(Multicast)),
        ("239.255.255.255", Some(Multicast)),
        ("240.0.0.0", Some(Reserved)),
        ("255.255.255.254", Some(Reserved)),
        ("255.255.255.255", Some(Broadcast)),
        ("8.8.8.8", None),
        ("1.1.1.1", None),
    ];
    for (ip, expected) in rows {
        assert_eq!(class(ip), *expected, "{ip}");
    }
}

#[test]
fn v6_range_boundaries() {
    use Class::*;
    let rows: &[(&str, Option<Class>)] = &[
        ("::", Some(Unspecified)),
        ("::1", Some(Loopback)),
        ("::2", Some(Embedded)),
        ("::127.0.0.1", Some(Embedded)),
        ("::ffff:ffff", Some(Embedded)),
        ("::1:0:0", Some(Reserved)),
        ("::ffff:0.0.0.0", Some(Embedded)),
        ("::ffff:127.0.0.1", Some(Embedded)),
        ("::ffff:8.8.8.8", Some(Embedded)),
        ("::ffff:255.255.255.255", Some(Embedded)),
        ("::ffff:0:127.0.0.1", Some(Embedded)),
        ("64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", Some(Reserved)),
        ("64:ff9b::", Some(Embedded)),
        ("64:ff9b::7f00:1", Some(Embedded)),
        ("64:ff9b::ffff:ffff", Some(Embedded)),
        ("64:ff9b:0:0:0:1::", Some(Reserved)),
        ("64:ff9b:1::", Some(Embedded)),
        ("64:ff9b:1:ffff:ffff:ffff:ffff:ffff", Some(Embedded)),
        ("64:ff9b:2::", Some(Reserved)),
        ("100::", Some(Reserved)),
        ("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Reserved)),
        ("2000::", None),
        ("2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", None),
        ("2001::", Some(Embedded)),
        ("2001:0:7f00:1::", Some(Embedded)),
        ("2001:0:ffff:ffff:ffff:ffff:ffff:ffff", Some(Embedded)),
        ("2001:1::", Some(Reserved)),
        ("2001:2::", Some(Benchmarking)),
        ("2001:2:0:ffff:ffff:ffff:ffff:ffff", Some(Benchmarking)),
        ("2001:2:1::", Some(Reserved)),
        ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Reserved)),
        ("2001:200::", None),
        ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", None),
        ("2001:db8::", Some(Documentation)),
        (
            "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            Some(Documentation),
        ),
        ("2001:db9::", None),
        ("2001:4860:4860::8888", None),
        ("2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", None),
        ("2002::", Some(Embedded)),
        ("2002:7f00:1::", Some(Embedded)),
        ("2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Embedded)),
        ("2003::", None),
        ("2606:4700:4700::1111", None),
        ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", None),
        ("3fff::", Some(Documentation)),
        (
            "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
            Some(Documentation),
        ),
        ("3fff:1000::", None),
        ("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", None),
        ("4000::", Some(Reserved)),
        ("5f00::", Some(Reserved)),
        ("fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Reserved)),
        ("fc00::", Some(Private)),
        ("fd00:ec2::254", Some(Private)),
        ("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Private)),
        ("fe00::", Some(Reserved)),
        ("fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Reserved)),
        ("fe80::", Some(LinkLocal)),
        ("fe80::a9fe:a9fe", Some(LinkLocal)),
        ("febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(LinkLocal)),
        ("fec0::", Some(Private)),
        ("feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Private)),
        ("ff00::", Some(Multicast)),
        ("ff02::1", Some(Multicast)),
        ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Multicast)),
    ];
    for (ip, expected) in rows {
        assert_eq!(class(ip), *expected, "{ip}");
    }
}

/// Compares the table with the standard library's classes, over every /16 of IPv4.
#[test]
fn v4_classes_cover_std_classes() {
    for high in 0..=u16::MAX {
        let [a, b] = high.to_be_bytes();
        for tail in [[0, 0], [0, 1], [2, 1], [113, 7], [255, 255]] {
            let ip = Ipv4Addr::new(a, b, tail[0], tail[1]);
            let std = ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_unspecified()
                || ip.is_broadcast()
                || ip.is_documentation()
                || ip.is_multicast();
            assert!(!std || classify(ip.into()).is_some(), "{ip}");
        }
    }
}

#[test]
fn networks() {
    let net = |text: &str| text.parse::<Network>();
    let ten = net("10.1.0.0/16").unwrap();
    assert!(ten.contains("10.1.255.255".parse().unwrap()));
    assert!(!ten.contains("10.2.0.0".parse().unwrap()));
    assert!(!ten.contains("::ffff:10.1.0.1".parse().unwrap()));
    assert!(
        net("0.0.0.0/0")
            .unwrap()
            .contains("8.8.8.8".parse().unwrap())
    );
    assert!(net("::/0").unwrap().contains("2001::1".parse().unwrap()));
    assert!(
        net("127.0.0.1")
            .unwrap()
            .contains("127.0.0.1".parse().unwrap())
    );
    assert!(
        !net("127.0.0.1")
            .unwrap()
            .contains("127.0.0.2".parse().unwrap())
    );
    for bad in [
        "",
        "/",
        "10.0.0.0/",
        "10.0.0.0/33",
        "::/129",
        "10.0.0/8",
        "10.0.0.0/+8",
        "a/8",
    ] {
        assert_eq!(net(bad), Err(BadNetwork), "{bad}");
    }
}

#[test]
fn policy_exceptions() {
    let policy = AddressPolicy::public()
        .allow_network("127.0.0.0/8".parse::<Network>().unwrap())
        .allow_host("Intranet.Example.");
    let ip = |text: &str| text.parse::<IpAddr>().unwrap();
    assert_eq!(policy.check("x", ip("127.0.0.1")), Ok(()));
    assert_eq!(policy.check("x", ip("8.8.8.8")), Ok(()));
    assert_eq!(policy.check("x", ip("10.0.0.1")), Err(Class::Private));
    assert_eq!(policy.check("intranet.example", ip("10.0.0.1")), Ok(()));
    assert_eq!(
        policy.check("x", ip("::ffff:127.0.0.1")),
        Err(Class::Embedded)
    );
    assert_eq!(
        policy.check("intranet.example.evil", ip("10.0.0.1")),
        Err(Class::Private)
    );
    assert!(
        AddressPolicy::public()
            .allow_host("[::1]")
            .allows_host("::1")
    );
}

#[test]
fn a_refusal_is_in_words() {
    assert_eq!(class("10.0.0.1").unwrap().to_string(), "private network");
    assert_eq!(class("::1").unwrap().to_string(), "loopback address");
    assert_eq!(
        BadNetwork.to_string(),
        "expected a network such as `10.0.0.0/8` or `fd00::/8`"
    );
}
