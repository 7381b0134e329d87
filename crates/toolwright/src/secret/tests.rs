use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};

use super::*;

/// All resolvers here answer at once.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a resolver in memory waits for nothing"),
    }
}

fn name(name: &str) -> SecretRef {
    SecretRef::new(name).expect("a name")
}

fn resolved(secrets: &[(&str, &str)]) -> ResolvedSecrets {
    try_resolved(secrets).expect("fit secrets")
}

fn try_resolved(secrets: &[(&str, &str)]) -> Result<ResolvedSecrets, SecretError> {
    ResolvedSecrets::new(
        secrets
            .iter()
            .map(|&(secret, value)| (name(secret), SecretValue::new(value))),
    )
}

fn paths(paths: &[&str]) -> SecretPaths {
    SecretPaths::new(paths).expect("paths")
}

mod check {
    use super::*;

    #[test]
    fn a_declared_path_covers_what_lies_below_and_nothing_else() {
        let declared = paths(&["env", "headers[].value", "auth.token", "grid[][]"]);
        let secret = "<secret_ref:a>";
        for allowed in [
            json!({"env": secret}),
            json!({"env": {"TOKEN": secret, "deep": [[{"x": secret}]]}}),
            json!({"headers": [{"value": "x"}, {"value": format!("Bearer {secret}!")}]}),
            json!({"auth": {"token": secret}}),
            json!({"grid": [["x", secret]]}),
        ] {
            assert_eq!(
                declared.check(&allowed).expect("allowed"),
                [name("a")],
                "{allowed}"
            );
            assert_eq!(
                declared.check_text(&allowed.to_string()).expect("allowed"),
                [name("a")]
            );
        }
        for (refused, path) in [
            (json!({"other": {"env": secret}}), "other.env"),
            (json!({"environment": secret}), "environment"),
            (json!({"headers": [{"name": secret}]}), "headers[0].name"),
            (json!({"headers": {"value": secret}}), "headers.value"),
            (
                json!({"headers": {"0": {"value": secret}}}),
                "headers.0.value",
            ),
            (json!({"headers": secret}), "headers"),
            (json!({"auth": [{"token": secret}]}), "auth[0].token"),
            (json!({"auth.token": secret}), "[\"auth.token\"]"),
            (json!({"grid": [secret]}), "grid[0]"),
            (json!([{"env": secret}]), "[0].env"),
            (json!({"a b\u{202e}": [secret]}), "[\"a b\\u{202e}\"][0]"),
        ] {
            let expected =
                format!("secret placeholder appears in `{path}`, which does not take secrets\n");
            for error in [
                declared.check(&refused),
                declared.check_text(&refused.to_string()),
            ] {
                let error = error.expect_err("refused").to_string();
                assert!(error.starts_with(&expected), "{error}");
            }
        }
        let error = declared
            .check(&json!(secret))
            .expect_err("refused")
            .to_string();
        assert!(
            error.starts_with("secret placeholder appears in the input, which"),
            "{error}"
        );
    }

    #[test]
    fn keys_are_scanned_and_never_allowed() {
        for refused in [
            json!({"env": {"<secret_ref:a>": 1}}),
            json!({"env": {"<secret_ref:A": 1}}),
        ] {
            for error in [
                paths(&["env"]).check(&refused),
                paths(&["env"]).check_text(&refused.to_string()),
            ] {
                let error = error.expect_err("refused").to_string();
                assert!(
                    error.starts_with("secret placeholder appears in a key of `env`"),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn malformed_ones_are_refused_even_where_secrets_are_taken() {
        let error = paths(&["env"])
            .check(&json!({"env": "<secret_ref:API-KEY>"}))
            .expect_err("refused");
        assert!(
            error
                .to_string()
                .starts_with("malformed secret placeholder in `env`, expected"),
            "{error}"
        );
    }

    #[test]
    fn all_faults_come_at_once_and_the_list_is_bounded() {
        let error = SecretPaths::none()
            .check(&json!({"a": "<secret_ref:x>", "b": ["<secret_ref:"]}))
            .expect_err("refused");
        assert_eq!(
            error.to_string(),
            "secret placeholder appears in `a`, which does not take secrets\n\
             malformed secret placeholder in `b[0]`, expected `<secret_ref:NAME>` with a NAME of lowercase \
             letters, digits and `_`\n\
             no parameter of this tool takes secrets"
        );
        let many: Vec<_> = (0..5000).map(|_| "<secret_ref:x>").collect();
        let error = SecretPaths::none()
            .check(&json!(many))
            .expect_err("refused")
            .to_string();
        assert!(error.contains("and 4980 more") && error.len() < 3000);
        let long = json!({"k".repeat(100_000): "<secret_ref:x>"});
        assert!(
            SecretPaths::none()
                .check(&long)
                .expect_err("refused")
                .to_string()
                .len()
                < 300
        );
    }

    #[test]
    fn every_secret_is_named_once_in_order() {
        let arguments = json!({"env": ["<secret_ref:b><secret_ref:a>", "<secret_ref:b>"]});
        let names = paths(&["env"]).check(&arguments).expect("allowed");
        assert_eq!(names, [name("b"), name("a")]);
    }

    #[test]
    fn the_text_is_checked_as_it_is_written() {
        let declared = paths(&["env"]);
        // Repeated keys and escapes must not hide a placeholder.
        for hidden in [
            r#"{"url": "<secret_ref:a>", "url": "x"}"#,
            r#"{"url": "\u003csecret_ref:a\u003e"}"#,
            r#"{"url": "<secret\u005fref:a>"}"#,
            r#"{"\u0065nv2": "<secret_ref:a>"}"#,
            r#"{"x": {}, "url": [[], {}, "<secret_ref:a>"]}"#,
        ] {
            assert!(declared.check_text(hidden).is_err(), "{hidden}");
        }
        assert_eq!(
            declared
                .check_text(r#"{"\u0065nv": "<secret_ref:a>"}"#)
                .expect("allowed")
                .len(),
            1
        );
        for bad in [
            "",
            "{",
            "{\"env\"",
            "[1,]",
            "\"<secret_ref:a>",
            "<secret_ref:a>",
            "{} x",
        ] {
            assert!(
                matches!(declared.check_text(bad), Err(SecretError::NotJson)),
                "{bad}"
            );
        }
    }

    #[test]
    fn paths_of_text_and_value_are_the_same() {
        let value = json!({
            "a": ["<secret_ref:a>", {"b": "<secret_ref:b>", "c": [[], {}, ["<secret_ref:c>"]]}],
            "<secret_ref:k>": {"": "<secret_ref:d>"},
            "z": [{"y": 1, "x": "<secret_ref:e>"}, "<secret_ref:f>"],
        });
        let text = scan_text(&value.to_string()).expect("JSON");
        assert_eq!(text, scan_value(&value).expect("not too deep"));
        let shown: Vec<_> = text.iter().map(Found::path).collect();
        assert_eq!(
            shown,
            [
                "",
                "[\"<secret_ref:k>\"][\"\"]",
                "a[0]",
                "a[1].b",
                "a[1].c[2][0]",
                "z[0].x",
                "z[1]"
            ]
        );
        assert!(text[0].is_key() && text[0].secret() == Some(&name("k")));
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(matches!(scan_text(&deep), Err(SecretError::TooDeep)));
        let deep = (0..1000).fold(json!("<secret_ref:a>"), |inner, _| json!([inner]));
        assert!(matches!(scan_value(&deep), Err(SecretError::TooDeep)));
    }

    #[test]
    fn what_is_no_path_is_an_error() {
        for bad in [
            "", ".", "a.", ".a", "a..b", "[]", "a[0]", "a[", "a]", "a[]b", "a.[]", "a\n",
        ] {
            assert!(SecretPaths::new([bad]).is_err(), "{bad:?}");
        }
        let error = SecretPaths::new(["a[0]"]).expect_err("no path").to_string();
        assert_eq!(
            error,
            "`a[0]` is not a parameter path: expected names and `[]`, as in `headers[].value`"
        );
    }
}

mod resolve {
    use super::*;

    #[test]
    fn a_missing_secret_is_an_error_that_names_it() {
        let store = MemorySecrets::new().with("here", "hunter2-hunter2");
        let error = now(ResolvedSecrets::resolve(
            &store,
            [name("here"), name("gone")],
        ))
        .expect_err("missing");
        assert_eq!(error.to_string(), "secret `gone` does not exist");
    }

    #[test]
    fn what_a_resolver_says_stays_in_the_program() {
        struct Broken;
        impl SecretResolver for Broken {
            fn resolve<'a>(
                &'a self,
                _: &'a SecretRef,
            ) -> BoxFuture<'a, Result<SecretValue, ResolveError>> {
                Box::pin(async {
                    Err(ResolveError::Failed(
                        "vault at 10.0.0.1 refused hunter2".into(),
                    ))
                })
            }
        }
        let store: Box<dyn SecretResolver> = Box::new(Broken);
        let error = now(ResolvedSecrets::resolve(&store, [name("a")])).expect_err("failed");
        assert_eq!(error.to_string(), "secret `a` is not available");
        let source = std::error::Error::source(&error).expect("a source");
        assert!(source.to_string().contains("vault"));
    }

    #[test]
    fn the_environment_gives_only_what_is_listed() {
        // Cargo sets this one for tests, and a test cannot set one without unsafe code.
        let variable = "CARGO_PKG_NAME";
        let store = EnvSecrets::new([
            ("package", variable),
            ("unset", "TOOLWRIGHT_NO_SUCH"),
            ("odd", "a=b"),
        ]);
        let get = |secret: &str| now(store.resolve(&name(secret)));
        assert_eq!(get("package").expect("listed").expose(), "toolwright");
        for missing in ["path", "cargo_pkg_name", "unset", "odd"] {
            assert!(
                matches!(get(missing), Err(ResolveError::NotFound)),
                "{missing}"
            );
        }
    }

    #[test]
    fn bounds_are_kept_and_fail_closed() {
        for short in ["", "abc", "   ", " abc\n", "äöü"] {
            assert!(
                matches!(
                    try_resolved(&[("a", short)]),
                    Err(SecretError::TooShort { .. })
                ),
                "{short:?}"
            );
        }
        assert!(try_resolved(&[("a", "abcd"), ("b", "äöüß")]).is_ok());
        let longest = "x".repeat(MAX_SECRET_BYTES);
        assert!(try_resolved(&[("a", &longest)]).is_ok());
        let longer = longest.clone() + "x";
        let error = try_resolved(&[("a", &longer)])
            .expect_err("too long")
            .to_string();
        assert_eq!(error, "secret `a` is refused: it has more than 65536 bytes");

        let many = |count: usize, value: &str| {
            ResolvedSecrets::new(
                (0..count).map(|n| (name(&format!("n{n}")), SecretValue::new(value))),
            )
        };
        assert!(many(MAX_SECRETS, "abcd").is_ok());
        assert!(matches!(
            many(MAX_SECRETS + 1, "abcd"),
            Err(SecretError::TooMany)
        ));
        assert!(many(MAX_TOTAL_BYTES / MAX_SECRET_BYTES, &longest).is_ok());
        assert!(matches!(
            many(MAX_TOTAL_BYTES / MAX_SECRET_BYTES + 1, &longest),
            Err(SecretError::TooMany)
        ));
        let store = (0..=MAX_SECRETS).fold(MemorySecrets::new(), |store, n| {
            store.with(format!("n{n}"), "hunter2")
        });
        let names = (0..=MAX_SECRETS).map(|n| name(&format!("n{n}")));
        assert!(matches!(
            now(ResolvedSecrets::resolve(&store, names)),
            Err(SecretError::TooMany)
        ));
    }

    #[test]
    fn no_debug_shows_a_value() {
        let store = MemorySecrets::new().with("a", "hunter2-hunter2");
        let secrets = resolved(&[("a", "hunter2-hunter2")]);
        let mut stream = secrets.redactor().stream();
        let held = stream.push("hunter2-hunt");
        let value = secrets
            .substitute(r#"{"a": "<secret_ref:a>"}"#, &paths(&["a"]))
            .expect("substituted");
        let shown = format!(
            "{store:?} {secrets:?} {:?} {stream:?} {value:?} {held}",
            secrets.redactor()
        );
        assert!(!shown.contains("hunter2"), "{shown}");
        assert!(
            shown.contains(r#"ResolvedSecrets({SecretRef("a"): SecretValue(..)})"#),
            "{shown}"
        );
    }
}

mod substitute {
    use super::*;

    #[test]
    fn the_text_stays_json_whatever_the_value_holds() {
        let nasty = "a\"b\\c\nd\te\0f/</script>\u{7f}\u{2028}é🙂<secret_ref:other>${x}";
        let secrets = resolved(&[("n", nasty)]);
        let text = r#" {"env" : {"K":"pre <secret_ref:n> mid \"\u003csecret_ref:n\u003e\" post"}, "n":[1.0e400,12345678901234567890123, true] , "s":"\u00e9"}"#;
        let real = secrets
            .substitute(&text.replace("1.0e400", "1.00"), &paths(&["env"]))
            .expect("substituted");
        let value: Value = serde_json::from_str(real.expose()).expect("JSON");
        assert_eq!(
            value["env"]["K"],
            json!(format!("pre {nasty} mid \"{nasty}\" post"))
        );
        // Everything else, byte for byte.
        assert!(real.expose().starts_with(r#" {"env" : {"K":"pre a\"b"#));
        assert!(
            real.expose()
                .ends_with(r#""}, "n":[1.00,12345678901234567890123, true] , "s":"\u00e9"}"#)
        );
    }

    #[test]
    fn text_without_placeholders_is_copied_as_it_is() {
        let text = "{ \"a\\/b\" : [ \"\\ud83d\\ude42\" , 1e1 ] }\n";
        let real = resolved(&[("n", "hunter2")])
            .substitute(text, &paths(&["env"]))
            .expect("copied");
        assert_eq!(real.expose(), text);
    }

    #[test]
    fn it_checks_again_and_names_what_is_missing() {
        let secrets = resolved(&[("n", "hunter2")]);
        let substitute = |text: &str| secrets.substitute(text, &paths(&["env"]));
        let error = substitute(r#"{"env": "<secret_ref:gone>"}"#).expect_err("missing");
        assert_eq!(error.to_string(), "secret `gone` does not exist");
        for refused in [
            r#"{"url": "<secret_ref:n>"}"#,
            r#"{"url": "<secret_ref:n>", "url": ""}"#,
            r#"{"env": {"<secret_ref:n>": 1}}"#,
            r#"{"env": "<secret_ref:N>"}"#,
            r#"{"env": "<secret_ref:n>""#,
        ] {
            let error = substitute(refused).expect_err("refused").to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_long_string_of_placeholders_is_linear() {
        let secrets = resolved(&[("n", "hunter2")]);
        let text = format!(r#"{{"env": "{}"}}"#, "<secret_ref:n>".repeat(20_000));
        let real = secrets
            .substitute(&text, &paths(&["env"]))
            .expect("substituted");
        assert_eq!(real.expose().len(), r#"{"env": ""}"#.len() + 20_000 * 7);
    }
}

mod redact {
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

    /// Every form in which a secret must be found.
    fn forms(secret: &str) -> Vec<String> {
        let mut forms = vec![
            secret.to_owned(),
            json_text(secret),
            json_text(&json_text(secret)),
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
                // Where a plus is a space, a plus of its own is always encoded.
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
                // What frames an encoding may stay: it says nothing about the secret.
                let frames = ["", "\\x", "=", "==", "%3D", "%3D%3D"];
                assert!(frames.contains(&rest.as_str()), "{form}: {rest}");
            }
        }
    }

    #[test]
    fn base64_is_caught_at_every_alignment_in_longer_text_and_across_lines() {
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
    fn other_text_is_left_alone() {
        let redactor = resolved(&[("key", "hunter2!"), ("pin", "1234")]).redactor();
        for text in [
            "",
            "hunter",
            "hunter3! %68 \\u0068 aHVudGVy hunt\ner2!",
            "1.2.3.4 %",
            "\\",
            "日本語 🙂 é",
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==",
        ] {
            assert!(
                matches!(redactor.redact(text), std::borrow::Cow::Borrowed(same) if same == text),
                "{text}"
            );
        }
        assert_eq!(Redactor::none().redact("anything"), "anything");
    }

    #[test]
    fn overlapping_secrets_leave_no_part() {
        let redactor = resolved(&[
            ("a", "abcdef"),
            ("b", "defghi"),
            ("c", "abcd"),
            ("d", "abcdefgh"),
        ])
        .redactor();
        assert_eq!(redactor.redact("-abcdefghi-"), "-<secret_ref:d>-");
        assert_eq!(
            redactor.redact("-abcdef-defghi-abcd"),
            "-<secret_ref:a>-<secret_ref:b>-<secret_ref:c>"
        );
        let redactor = resolved(&[("a", "aaaa")]).redactor();
        assert_eq!(redactor.redact(&"a".repeat(1001)), "<secret_ref:a>");
        assert_eq!(
            redactor.redact("aaaabaaaa"),
            "<secret_ref:a>b<secret_ref:a>"
        );
        let redactor = resolved(&[("a", "same-value"), ("b", "same-value")]).redactor();
        assert_eq!(redactor.redact("same-value"), "<secret_ref:a>");
    }

    #[test]
    fn a_secret_without_the_blanks_around_it_is_found() {
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
            "hunter2!": [1, "x hunter2! y", {"k": "aHVudGVyMiE="}],
            "68756e7465723221": null,
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
        let deep = (0..1000).fold(json!("hunter2!"), |inner, _| json!([inner]));
        let shown = redactor.redact_value(&deep).to_string();
        assert!(shown.contains("nested too deeply") && !shown.contains("hunter2!"));
    }

    #[test]
    fn a_stream_cut_anywhere_gives_what_the_whole_gives() {
        let secrets = resolved(&[
            ("key", SECRET),
            ("t", "tok_123456"),
            ("u", "456789"),
            ("a", "aaaa"),
        ]);
        let redactor = secrets.redactor();
        let text =
            forms(SECRET).join(" | ") + " tok_123456789 aaaaaaaa dG9rXzEyMzQ1Ng== é🙂 tok_12345";
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
    fn a_stream_holds_back_only_what_may_be_a_secret() {
        let redactor = resolved(&[("a", "hunter2!")]).redactor();
        let mut stream = redactor.stream();
        assert_eq!(stream.push("all clear?\n"), "all clear?\n");
        assert_eq!(stream.push("hunter2"), "");
        assert_eq!(stream.push("3"), "hunter23");
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
}
