use super::*;

const SECRET: &str = "p@ss w/rd+\"q\"\\ é~🙂\nZ?=";

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |out, byte| out + &format!("{byte:02x}"))
}

fn base64(bytes: &[u8], url_safe: bool, pad: bool) -> String {
    let mut alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').collect();
    alphabet.extend(if url_safe { ['-', '_'] } else { ['+', '/'] });
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | u32::from(group.get(at).copied().unwrap_or(0))
        });
        for digit in 0..=group.len() {
            out.push(alphabet[(bits >> (18 - 6 * digit)) as usize & 63]);
        }
        if pad {
            out.push_str(&"=".repeat(3 - group.len()));
        }
    }
    out
}

fn percent(text: &str, keep: &str, upper: bool) -> String {
    text.bytes().fold(String::new(), |out, byte| {
        if byte.is_ascii_alphanumeric() || keep.as_bytes().contains(&byte) {
            out + char::from(byte).encode_utf8(&mut [0; 4])
        } else if upper {
            out + &format!("%{byte:02X}")
        } else {
            out + &format!("%{byte:02x}")
        }
    })
}

fn json_text(text: &str) -> String {
    let quoted = json!(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// JSON with every character as an escape, as some encoders do outside of ASCII.
fn json_escaped(text: &str, upper: bool) -> String {
    text.encode_utf16().fold(String::new(), |out, unit| {
        out + &if upper {
            format!("\\u{unit:04X}")
        } else {
            format!("\\u{unit:04x}")
        }
    })
}

fn base32(bytes: &[u8]) -> String {
    let alphabet: Vec<char> = ('A'..='Z').chain('2'..='7').collect();
    bytes
        .chunks(5)
        .flat_map(|group| {
            let bits = (0..5).fold(0_u64, |bits, at| {
                bits << 8 | u64::from(group.get(at).copied().unwrap_or(0))
            });
            let digits = (group.len() * 8).div_ceil(5);
            (0..digits).map(move |digit| {
                usize::try_from(bits >> (35 - 5 * digit) & 31).expect("five bits")
            })
        })
        .map(|digit| alphabet[digit])
        .collect()
}

/// Bytes in a notation, with a separator.
fn listed(bytes: &[u8], between: &str, write: impl Fn(u8) -> String) -> String {
    let all: Vec<String> = bytes.iter().map(|&byte| write(byte)).collect();
    all.join(between)
}

fn listed_chars(text: &str) -> String {
    text.chars().fold(String::new(), |out, c| {
        out + &format!("\\u{{{:x}}}", u32::from(c))
    })
}

/// Lines of five characters, with blanks before each.
fn indented(text: &str) -> String {
    text.as_bytes().chunks(5).fold(String::new(), |out, line| {
        out + &format!("    {}\n", std::str::from_utf8(line).expect("text"))
    })
}

/// A redactor with values that are shorter than secrets may be.
fn short(secrets: &[(&str, &str)]) -> Redactor {
    let values: Vec<_> = secrets
        .iter()
        .map(|&(secret, value)| (name(secret), SecretValue::new(value)))
        .collect();
    Redactor::of(values.iter().map(|(name, value)| (name, value)))
}

#[test]
fn the_notations_of_programs_and_mail_are_read() {
    let secret = "p@ss=w/rd+é~🙂Zz";
    let bytes = secret.as_bytes();
    let redactor = resolved(&[("key", secret)]).redactor();
    let twice = base64(base64(bytes, false, true).as_bytes(), false, true);
    for form in [
        listed(bytes, ", ", |byte| byte.to_string()),
        listed(bytes, ",\n", |byte| byte.to_string()),
        listed(bytes, " ", |byte| byte.to_string()),
        listed(bytes, ", ", |byte| format!("0x{byte:02x}")),
        listed(bytes, ",", |byte| format!("0X{byte:02X}")),
        listed(bytes, ", ", |byte| format!("{byte:02x}")),
        listed_chars(secret),
        listed(bytes, "", |byte| format!("={byte:02X}")),
        secret.replace('=', "=3D").replace("rd", "r=\r\nd"),
        base32(bytes),
        base32(bytes).to_lowercase(),
        base32(format!("abc{secret}de").as_bytes()),
        percent(&percent(secret, "", true), "", true),
        twice.clone(),
        base64(
            format!(
                "x{}",
                base64(format!("user:{secret}").as_bytes(), false, true)
            )
            .as_bytes(),
            false,
            true,
        ),
        indented(&base64(bytes, false, true)),
    ] {
        let shown = redactor.redact(&format!("a: {form} (end)")).into_owned();
        assert_eq!(
            shown.matches("<secret_ref:key>").count(),
            1,
            "{form}: {shown}"
        );
        let mut stream = redactor.stream();
        let mut pieces: String = format!("a: {form} (end)")
            .chars()
            .map(|c| stream.push(c.encode_utf8(&mut [0; 4])))
            .collect();
        pieces += &stream.finish();
        assert_eq!(pieces, shown, "{form}");
    }
}

#[test]
fn finds_encoded_digits_after_apparent_escape() {
    let secret = "p@ss=w/rd+é~🙂Zz";
    let redactor = resolved(&[("key", secret)]).redactor();
    for skip in 0..6 {
        let longer = format!("{}{secret}", &"abcdef"[..skip]);
        let once = base64(longer.as_bytes(), false, true);
        for form in [
            base64(once.as_bytes(), true, false),
            base32(longer.as_bytes()),
            base32(longer.as_bytes()).to_lowercase(),
            once,
        ] {
            for before in ["%", "100%", "\\", "C:\\", "\\\\", "%\\", "\"%"] {
                let shown = redactor.redact(&format!("{before}{form}")).into_owned();
                assert!(shown.starts_with(before), "{before}{form}: {shown}");
                assert!(
                    shown.contains("<secret_ref:key>"),
                    "{before}{form}: {shown}"
                );
            }
        }
    }
}

#[test]
fn reads_soft_mail_line_breaks_within_json() {
    let secret = "p@ss=w/rd+é~🙂Zz";
    let redactor = resolved(&[("key", secret)]).redactor();
    for end in ["\r\n", "\n"] {
        for at in 1..secret.replace('=', "=3D").chars().count() {
            let plain: Vec<char> = secret.replace('=', "=3D").chars().collect();
            // `=3D` is never broken.
            if (5..=6).contains(&at) {
                continue;
            }
            let (start, rest) = plain.split_at(at);
            let mail: String = start
                .iter()
                .chain(&format!("={end}").chars().collect::<Vec<_>>())
                .chain(rest)
                .collect();
            let json = serde_json::json!({ "mail": format!("a: {mail} (end)") }).to_string();
            assert_eq!(
                redactor.redact(&json),
                r#"{"mail":"a: <secret_ref:key> (end)"}"#,
                "{json}"
            );
        }
    }
}

#[test]
fn a_secret_in_another_case_is_found() {
    let secret = "9f8E-aBcD/é+zZ";
    let redactor = resolved(&[("key", secret)]).redactor();
    for case in [secret.to_ascii_uppercase(), secret.to_ascii_lowercase()] {
        for form in forms(&case) {
            let shown = redactor.redact(&form).into_owned();
            assert!(shown.contains("<secret_ref:key>"), "{form}: {shown}");
            assert!(
                !shown.to_ascii_lowercase().contains("abcd"),
                "{form}: {shown}"
            );
        }
    }
    // Only ASCII letters ignore case: `É` is another character.
    let other = secret.replace('é', "É");
    assert_eq!(redactor.redact(&other), other);
}

#[test]
fn finds_multiline_key_line_by_line() {
    let body: Vec<String> = (0..4)
        .map(|n| format!("MIIEpAIBAAKCAQEA{n}{}", "x7Zq".repeat(8)))
        .collect();
    let pem = format!(
        "-----BEGIN KEY-----\n{}\n-----END KEY-----\n",
        body.join("\n")
    );
    let redactor = resolved(&[("key", &pem)]).redactor();
    for form in [
        pem.clone(),
        pem.replace('\n', "\r\n"),
        pem.replace('\n', "\n    "),
        pem.replace('\n', ""),
        pem.replace('\n', " "),
        format!("{body:?}"),
        body[2].clone(),
    ] {
        let shown = redactor.redact(&form).into_owned();
        for line in &body {
            assert!(!shown.contains(&line[..20]), "{form}: {shown}");
        }
        assert!(shown.contains("<secret_ref:key>"), "{form}");
    }
}

/// Every form in which a secret must be found.
fn forms(secret: &str) -> Vec<String> {
    let mut forms = vec![
        secret.to_owned(),
        json_text(secret),
        json_text(&json_text(secret)),
        json_text(&json_text(&json_text(secret))),
        json_text(secret).replace('/', "\\/"),
        json_escaped(secret, true),
        json_escaped(secret, false),
        json_text(secret).replace('+', "\\u002B"),
        hex(secret.as_bytes()),
        hex(secret.as_bytes()).to_uppercase(),
        secret
            .bytes()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .join(":"),
        secret
            .bytes()
            .fold(String::new(), |out, byte| out + &format!("\\x{byte:02x}")),
        percent(&json_text(secret), "", true),
        json_text(&percent(secret, "-_.!~*'()", true)),
    ];
    for upper in [true, false] {
        for keep in ["", "-_.~", "-_.!~*'()", "-_.!~*'();/?:@&=+$,#"] {
            forms.push(percent(secret, keep, upper));
            // A form writes a space as a plus, so it always encodes a real plus.
            let form = format!("{} ", keep.replace('+', ""));
            forms.push(percent(secret, &form, upper).replace(' ', "+"));
        }
    }
    for url_safe in [true, false] {
        for pad in [true, false] {
            let plain = base64(secret.as_bytes(), url_safe, pad);
            forms.push(plain.replace('+', "\\u002b").replace('/', "\\/"));
            forms.push(percent(&plain, "", true));
            forms.push(plain);
        }
    }
    forms
}

#[test]
fn every_form_is_replaced_by_the_placeholder() {
    let redactor = resolved(&[("key", SECRET)]).redactor();
    for form in forms(SECRET) {
        for (before, after) in [("", ""), ("x=\"", "\" y"), ("é (", ")")] {
            let shown = redactor
                .redact(&format!("{before}{form}{after}"))
                .into_owned();
            let shown = shown
                .strip_prefix(before)
                .and_then(|shown| shown.strip_suffix(after));
            let rest = shown
                .expect("the text around it")
                .replacen("<secret_ref:key>", "", 1);
            // The frame of an encoding may stay: it says nothing about the secret.
            let frames = ["", "\\x", "=", "==", "%3D", "%3D%3D"];
            assert!(frames.contains(&rest.as_str()), "{form}: {rest}");
        }
    }
}

#[test]
fn reads_nested_json_to_fourth_level() {
    let redactor = resolved(&[("key", SECRET)]).redactor();
    let mut form = SECRET.to_owned();
    for level in 1..=4 {
        form = json_text(&form);
        let shown = redactor.redact(&format!("x {form} y")).into_owned();
        assert_eq!(shown, "x <secret_ref:key> y", "level {level}");
    }
    // This is the documented limit.
    form = json_text(&form);
    assert_eq!(redactor.redact(&form), form);
}

#[test]
fn finds_base64_at_every_alignment_and_across_lines() {
    let redactor = resolved(&[("key", "s3cr3t-Value!")]).redactor();
    for before in 0..7 {
        for after in 0..5 {
            let text = format!("{}s3cr3t-Value!{}", "u".repeat(before), "w".repeat(after));
            for url_safe in [true, false] {
                let encoded = base64(text.as_bytes(), url_safe, true);
                for lead in ["", "Bearer ", "a/", "ab/", "abc/", "x"] {
                    let shown = redactor.redact(&format!("{lead}{encoded}.")).into_owned();
                    assert_eq!(
                        shown.matches("<secret_ref:key>").count(),
                        1,
                        "{lead}{encoded}: {shown}"
                    );
                }
                let wrapped: String = encoded
                    .chars()
                    .flat_map(|c| [c, '\r', '\n'].into_iter())
                    .collect();
                assert!(redactor.redact(&wrapped).contains("<secret_ref:key>"));
                let shown = redactor
                    .redact_value(&json!({ "body": wrapped.clone() }))
                    .to_string();
                assert!(shown.contains("<secret_ref:key>"));
                let shown = redactor.redact(&json!(wrapped).to_string()).into_owned();
                assert!(shown.contains("<secret_ref:key>"), "{shown}");
            }
        }
    }
}

#[test]
fn redacts_every_base64_digit_of_secret() {
    let secret = "s3cr3t-Value!";
    let redactor = resolved(&[("key", secret)]).redactor();
    for before in 0..7 {
        for after in 0..5 {
            let text = format!("{}{secret}{}", "u".repeat(before), "w".repeat(after));
            let encoded = base64(text.as_bytes(), false, false);
            let start = before * 8 / 6;
            let end = ((before + secret.len()) * 8).div_ceil(6);
            let expected = format!("{}<secret_ref:key>{}", &encoded[..start], &encoded[end..]);
            assert_eq!(redactor.redact(&encoded), expected);
        }
    }
}

#[test]
fn other_text_is_left_alone() {
    let redactor = short(&[("key", "hunter2!"), ("pin", "1234")]);
    for text in [
        "",
        "hunter",
        "hunter3! %68 \\u0068 aHVudGVy hunt\ner2!",
        "1.2.3.4 %",
        "\\",
        "日本語 🙂 é",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==",
        // Two runs of digits, neither of which is a secret alone.
        "68756e74.65723221",
        "aHVudGVy.MiE=",
    ] {
        assert!(
            matches!(redactor.redact(text), std::borrow::Cow::Borrowed(same) if same == text),
            "{text}"
        );
    }
    assert_eq!(Redactor::none().redact("anything"), "anything");
    // Without secrets, nothing is held back.
    assert_eq!(Redactor::none().stream().push("100%"), "100%");
}

#[test]
fn overlapping_secrets_leave_no_part() {
    let redactor = short(&[
        ("a", "abcdef"),
        ("b", "defghi"),
        ("c", "abcd"),
        ("d", "abcdefgh"),
    ]);
    assert_eq!(redactor.redact("-abcdefghi-"), "-<secret_ref:d>-");
    assert_eq!(
        redactor.redact("-abcdef-defghi-abcd"),
        "-<secret_ref:a>-<secret_ref:b>-<secret_ref:c>"
    );
    // A short secret inside the long one must not end it early.
    let redactor = short(&[("a", "abcdefgh"), ("b", "abcd"), ("c", "ghij")]);
    assert_eq!(redactor.redact("-abcdefghij-"), "-<secret_ref:a>-");
    // Nor may a stream give it out before the long one is complete.
    let redactor = short(&[("a", "abcdefgh"), ("b", "abcd")]);
    let mut stream = redactor.stream();
    assert_eq!(stream.push("-abcd"), "-");
    assert_eq!(stream.push("efgh."), "<secret_ref:a>.");
    let redactor = short(&[("a", "aaaa")]);
    assert_eq!(redactor.redact(&"a".repeat(1001)), "<secret_ref:a>");
    assert_eq!(
        redactor.redact("aaaabaaaa"),
        "<secret_ref:a>b<secret_ref:a>"
    );
    let redactor = resolved(&[("a", "same-value"), ("b", "same-value")]).redactor();
    assert_eq!(redactor.redact("same-value"), "<secret_ref:a>");
}

#[test]
fn finds_secret_without_surrounding_whitespace() {
    let redactor = resolved(&[("a", "hunter2!\n")]).redactor();
    assert_eq!(
        redactor.redact("it is hunter2!, yes"),
        "it is <secret_ref:a>, yes"
    );
    assert_eq!(redactor.redact("hunter2!\nx"), "<secret_ref:a>x");
}

#[test]
fn values_are_redacted_in_strings_keys_and_numbers() {
    let redactor = resolved(&[("a", "hunter2!"), ("n", "987654")]).redactor();
    let value = json!({
        "68756e7465723221": null,
        "hunter2!": [1, "x hunter2! y", {"k": "aHVudGVyMiE="}],
        "number": [19_876_540, 98.7654, 12],
        "inner": "{\"p\":\"hunter2\\u0021\"}",
    });
    assert_eq!(
        redactor.redact_value(&value),
        json!({
            "<secret_ref:a>": null,
            "<secret_ref:a> (2)": [1, "x <secret_ref:a> y", {"k": "<secret_ref:a>="}],
            "number": ["1<secret_ref:n>0", 98.7654, 12],
            "inner": "{\"p\":\"<secret_ref:a>\"}",
        })
    );
    for (depth, last) in [
        (256, "<secret_ref:a>"),
        (257, "<not shown: nested too deeply>"),
    ] {
        let lists = |last: &str| (0..depth).fold(json!(last), |inner, _| json!([inner]));
        let objects = |last: &str| (0..depth).fold(json!(last), |inner, _| json!({"k": inner}));
        for nested in [&lists as &dyn Fn(&str) -> Value, &objects] {
            assert!(
                redactor.redact_value(&nested("hunter2!")) == nested(last),
                "{depth}"
            );
        }
    }
    let deep = (0..1000).fold(json!("hunter2!"), |inner, _| json!([inner]));
    let shown = redactor.redact_value(&deep).to_string();
    assert!(shown.contains("nested too deeply") && !shown.contains("hunter2!"));
}

#[test]
fn stream_split_anywhere_matches_whole_text() {
    let redactor = short(&[
        ("key", SECRET),
        ("t", "tok_123456"),
        ("u", "456789"),
        ("a", "aaaa"),
    ]);
    let text = forms(SECRET).join(" | ") + " tok_123456789 aaaaaaaa dG9rXzEyMzQ1Ng== é🙂 tok_12345";
    let whole = redactor.redact(&text).into_owned();
    assert!(!whole.contains("tok_123456") && whole.ends_with("é🙂 tok_12345"));
    let mut state = 7_u64;
    for round in 0..60 {
        let mut stream = redactor.stream();
        let mut out = Vec::new();
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let length = if round == 0 {
                1
            } else {
                usize::try_from(state >> 40).expect("small") % 40
            };
            let (piece, next) = rest.split_at(length.min(rest.len()));
            out.extend(stream.push_bytes(piece));
            rest = next;
        }
        out.extend(stream.finish_bytes());
        assert_eq!(String::from_utf8(out).expect("text"), whole);
    }
}

#[test]
fn stream_delays_only_possible_secret_prefix() {
    let redactor = resolved(&[("a", "hunter2!")]).redactor();
    let mut stream = redactor.stream();
    assert_eq!(stream.push("all clear?\n"), "all clear?\n");
    assert_eq!(stream.push("hunter2"), "");
    assert_eq!(stream.push("?"), "hunter2?");
    assert_eq!(stream.push("%68%75nt"), "");
    assert_eq!(stream.push("er2%2"), "");
    assert_eq!(stream.push("1."), "<secret_ref:a>.");
    assert_eq!(stream.push("hunter"), "");
    assert_eq!(stream.finish(), "hunter");
    assert_eq!(stream.push("2!"), "2!");
}

#[test]
fn random_secrets_in_random_text_never_come_through() {
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut next = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below).expect("small")
    };
    for _ in 0..40 {
        let secret: String = (0..32)
            .map(|_| char::from(u8::try_from(33 + next(94)).expect("ASCII")))
            .collect();
        let redactor = resolved(&[("k", &secret)]).redactor();
        for form in forms(&secret) {
            let noise: String = (0..next(20))
                .map(|_| char::from(u8::try_from(32 + next(95)).expect("ASCII")))
                .collect();
            let shown = redactor
                .redact(&format!("{noise} {form}{noise}"))
                .into_owned();
            assert!(!shown.contains(&form), "{secret} as {form} in {shown}");
            assert!(
                shown.contains("<secret_ref:k>"),
                "{secret} as {form} in {shown}"
            );
        }
    }
}

#[test]
fn long_secrets_and_long_texts_are_linear() {
    let long = "ab".repeat(MAX_SECRET_BYTES / 2);
    let redactor = resolved(&[("k", &long)]).redactor();
    let text = format!("{}b{long}c", "ab".repeat(30_000));
    let shown = redactor.redact(&text).into_owned();
    assert!(shown.ends_with("<secret_ref:k>c") && shown.len() == 60_000 + 1 + 14 + 1);
}

#[test]
fn finds_digit_lines_with_escaped_line_ends() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let redactor = resolved(&[("key", secret)]).redactor();
    let lines = |text: &str, width: usize| {
        let chars: Vec<char> = text.chars().collect();
        let lines: Vec<String> = chars
            .chunks(width)
            .map(|line| line.iter().collect())
            .collect();
        lines.join("\n")
    };
    let bytes = secret.as_bytes();
    for form in [
        lines(&hex(bytes), 60),
        listed(bytes, "\t", |byte| format!("{byte:02x}")),
        listed(bytes, ",\n  ", |byte| format!("0x{byte:02x}")),
        listed(bytes, ",\n  ", |byte| byte.to_string()),
        lines(&base64(bytes, false, false), 20),
        lines(&base32(bytes), 16),
    ] {
        let mut text = form.clone();
        for level in 0..=4 {
            let shown = redactor.redact(&text);
            assert!(shown.contains("<secret_ref:key>"), "{level}: {text}");
            let mut stream = redactor.stream();
            let cut: String = text.chars().map(|c| stream.push(&c.to_string())).collect();
            assert_eq!(cut + &stream.finish(), shown, "{level}: {text}");
            text = json_text(&text);
        }
    }
}

#[test]
fn bytes_as_numbers_are_found_in_values() {
    let redactor = resolved(&[("key", "hunter2-hunter2")]).redactor();
    let bytes = json!({"type": "Buffer", "data": b"hunter2-hunter2".to_vec(), "n": [1, 2]});
    assert_eq!(
        redactor.redact_value(&bytes),
        json!({"type": "Buffer", "data": "[<secret_ref:key>]", "n": [1, 2]}),
    );
}
