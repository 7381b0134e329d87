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
    // Everything else stays, byte for byte.
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

#[test]
fn a_long_secret_fits_a_short_text() {
    let long = "x".repeat(MAX_SECRET_BYTES);
    let real = resolved(&[("n", &long)])
        .substitute(r#"{"env": "<secret_ref:n>"}"#, &paths(&["env"]))
        .expect("substituted");
    assert_eq!(real.expose(), format!(r#"{{"env": "{long}"}}"#));
}

#[test]
fn the_bound_on_what_is_added_is_exact() {
    let many = "<secret_ref:n>".repeat((8 << 20) / MAX_SECRET_BYTES);
    let text = format!(r#"{{"env": "{many}<secret_ref:m><secret_ref:gone>"}}"#);
    let n = "x".repeat(MAX_SECRET_BYTES);
    for more in [0, 1] {
        let m = "x".repeat(text.len() + more);
        let error = resolved(&[("n", &n), ("m", &m)])
            .substitute(&text, &paths(&["env"]))
            .expect_err("refused");
        // As long as everything before it fits, only the last one is missing.
        assert_eq!(matches!(error, SecretError::Missing { .. }), more == 0);
        assert_eq!(matches!(error, SecretError::TooLarge), more == 1);
    }
}

#[test]
fn rejects_expansion_of_short_text_beyond_limit() {
    let secrets = resolved(&[("n", &"x".repeat(MAX_SECRET_BYTES))]);
    for text in [
        format!(r#"{{"env": "{}"}}"#, "<secret_ref:n>".repeat(1000)),
        format!(r#"{{"env": [{}0]}}"#, r#""<secret_ref:n>","#.repeat(1000)),
    ] {
        assert!(matches!(
            secrets.substitute(&text, &paths(&["env"])),
            Err(SecretError::TooLarge)
        ));
    }
}
