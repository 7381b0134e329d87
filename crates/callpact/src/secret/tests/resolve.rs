use super::*;

#[test]
fn missing_secret_error_names_secret() {
    let store = MemorySecrets::new().with("here", "hunter2-hunter2");
    let error = now(ResolvedSecrets::resolve(
        &store,
        [name("here"), name("gone")],
    ))
    .expect_err("missing");
    assert_eq!(error.to_string(), "secret `gone` does not exist");
}

#[test]
fn what_was_resolved_can_be_named() {
    let store = std::sync::Arc::new(
        MemorySecrets::new()
            .with("b", "hunter2")
            .with("a", "hunter3"),
    );
    let secrets = now(ResolvedSecrets::resolve(
        &store,
        [name("b"), name("a"), name("b")],
    ))
    .expect("both are there");
    assert!(secrets.names().eq(&[name("a"), name("b")]));
    assert!(!secrets.is_empty() && resolved(&[]).is_empty());
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
    // Cargo sets this variable for tests; a test cannot set one without unsafe code.
    let variable = "CARGO_PKG_NAME";
    let store = EnvSecrets::new([
        ("package", variable),
        ("unset", "CALLPACT_NO_SUCH"),
        ("odd", "a=b"),
    ]);
    let get = |secret: &str| now(store.resolve(&name(secret)));
    assert_eq!(get("package").expect("listed").expose(), "callpact");
    for missing in ["path", "cargo_pkg_name", "unset", "odd"] {
        assert!(
            matches!(get(missing), Err(ResolveError::NotFound)),
            "{missing}"
        );
    }
}

#[test]
fn bounds_are_kept_and_fail_closed() {
    for short in ["", "abc", "   ", " abcde\n", "äöüäö"] {
        assert!(
            matches!(
                try_resolved(&[("a", short)]),
                Err(SecretError::TooShort { .. })
            ),
            "{short:?}"
        );
    }
    assert!(try_resolved(&[("a", "abcdef"), ("b", "äöüßäö")]).is_ok());
    let longest = "x".repeat(MAX_SECRET_BYTES);
    assert!(try_resolved(&[("a", &longest)]).is_ok());
    let longer = longest.clone() + "x";
    let error = try_resolved(&[("a", &longer)])
        .expect_err("too long")
        .to_string();
    assert_eq!(error, "secret `a` is refused: it has more than 65536 bytes");

    let many = |count: usize, value: &str| {
        ResolvedSecrets::new((0..count).map(|n| (name(&format!("n{n}")), SecretValue::new(value))))
    };
    assert!(many(MAX_SECRETS, "abcdef").is_ok());
    assert!(matches!(
        many(MAX_SECRETS + 1, "abcdef"),
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
        shown.ends_with("Redactor(..) RedactStream(..) SecretValue(..) "),
        "{shown}"
    );
    assert!(
        shown.contains(r#"ResolvedSecrets({SecretRef("a"): SecretValue(..)})"#),
        "{shown}"
    );
}

#[test]
fn accepts_uppercase_name_and_rejects_invalid_name() {
    let store = MemorySecrets::new().with("GITHUB_TOKEN", "hunter2-hunter2");
    let found = now(store.resolve(&name("GITHUB_TOKEN"))).expect("it is there");
    assert_eq!(found.expose(), "hunter2-hunter2");
    let mut store = MemorySecrets::new();
    assert!(store.insert("GITHUB_TOKEN", "hunter2-hunter2").is_ok());
    assert!(matches!(
        store.insert("github-token", "hunter2-hunter2"),
        Err(SecretError::InvalidName)
    ));
    let failed = |error: ResolveError| match error {
        ResolveError::Failed(error) => error.to_string(),
        ResolveError::NotFound => panic!("it says nothing"),
    };
    let store = MemorySecrets::new().with("github-token", "hunter2-hunter2");
    let said = failed(now(store.resolve(&name("other"))).expect_err("a bad name"));
    assert!(
        said.starts_with("`github-token` is not the name of a secret"),
        "{said}"
    );
    let store = EnvSecrets::new([("a b", "PATH")]);
    let said = failed(now(store.resolve(&name("other"))).expect_err("a bad name"));
    assert!(
        said.starts_with("`a b` is not the name of a secret"),
        "{said}"
    );
}
