use super::*;

#[test]
fn declared_path_covers_only_descendants() {
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
fn rejects_malformed_placeholder_on_declared_path() {
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
fn reports_all_faults_in_bounded_list() {
    let error = SecretPaths::none()
        .check(&json!({"a": "<secret_ref:x>", "b": ["<secret_ref:"]}))
        .expect_err("refused");
    assert_eq!(
        error.to_string(),
        "secret placeholder appears in `a`, which does not take secrets\n\
         malformed secret placeholder in `b[0]`, expected `<secret_ref:NAME>` with a NAME of letters, \
         digits and `_`\n\
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
        "<secret_ref:k>": {"": "<secret_ref:d>"},
        "a": ["<secret_ref:a>", {"b": "<secret_ref:b>", "c": [[], {}, ["<secret_ref:c>"]]}],
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
    assert!(!text[1].is_key() && text[1].secret() == Some(&name("d")));
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
fn finds_placeholder_at_deepest_level() {
    for (depth, found) in [(256, true), (257, false)] {
        let value = (0..depth).fold(json!("<secret_ref:a>"), |inner, _| json!([inner]));
        for scanned in [scan_value(&value), scan_text(&value.to_string())] {
            match scanned {
                Ok(scanned) => assert!(found && scanned.len() == 1, "{depth}"),
                Err(error) => assert!(!found && matches!(error, SecretError::TooDeep), "{depth}"),
            }
        }
    }
}

#[test]
fn truncates_keys_as_reports_do() {
    for (key, shown) in [
        ("k".repeat(64), "k".repeat(64)),
        ("k".repeat(65), format!("[\"{}…\"]", "k".repeat(64))),
        ("é".repeat(64), format!("[\"{}\"]", "é".repeat(64))),
        ("é".repeat(65), format!("[\"{}…\"]", "é".repeat(64))),
    ] {
        let found = scan_value(&json!({key: "<secret_ref:a>"})).expect("not too deep");
        assert_eq!(found[0].path(), shown);
    }
}

#[test]
fn declared_paths_are_shown_as_they_were_written() {
    assert!(SecretPaths::none().is_empty());
    let declared = paths(&["env", "headers[].value"]);
    assert!(!declared.is_empty());
    assert_eq!(declared.to_string(), "env, headers[].value");
}

#[test]
fn twenty_faults_are_all_written_out() {
    for (count, rest) in [(20, ""), (21, "and 1 more\n")] {
        let error = SecretPaths::none()
            .check(&json!(vec!["<secret_ref:x>"; count]))
            .expect_err("refused")
            .to_string();
        let (faults, last) = error.rsplit_once("takes secrets").expect("the last line");
        assert_eq!(last, "");
        assert_eq!(faults.matches("placeholder appears").count(), 20);
        assert!(
            faults.ends_with(&format!("take secrets\n{rest}no parameter of this tool ")),
            "{error}"
        );
    }
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
