//! Attacks on signed tokens.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;

use crate::{
    identity::{Log, call, open, whoami},
    jwt::{ISSUER, Login, Signer, base64, claims, guarded, now},
    raw::post,
};

#[expect(clippy::too_many_lines, reason = "a table of attacks")]
/// Tokens that somebody without the keys, or with a key for something else, could send.
fn attacks(login: &Login) -> Vec<(&'static str, String)> {
    let good = login.good();
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let (header, payload) = signed.split_once('.').unwrap();
    let mallory = Signer::ed25519(66);
    let forged = |header: &str| mallory.token(header, &claims(&json!({})));
    let ed_public = login.set()["keys"][0].clone();
    let bytes = URL_SAFE_NO_PAD
        .decode(ed_public["x"].as_str().unwrap())
        .unwrap();
    let hmac = |secret: &[u8], kid: &str| {
        let header = format!(r#"{{"alg":"HS256","kid":"{kid}"}}"#);
        Signer::hmac(secret).token(&header, &claims(&json!({})))
    };
    let none = |alg: &str| format!("{}.{payload}.", base64(format!(r#"{{"alg":"{alg}"}}"#)));
    let more = claims(&json!({"scope": "read write admin"}));
    let doubled = |member: &str| {
        let claims = claims(&json!({}));
        let twice = format!("{{{member},{}", &claims[1..]);
        login.ed.token(r#"{"alg":"EdDSA","kid":"ed"}"#, &twice)
    };
    let mut last = signature.to_owned();
    // The last character of 64 bytes has four bits that mean nothing.
    let other = match last.pop().unwrap() {
        'A' => 'B',
        'Q' => 'R',
        'g' => 'h',
        _ => 'x',
    };
    vec![
        ("no algorithm", none("none")),
        ("no algorithm, in capitals", none("NONE")),
        ("no algorithm, mixed", none("nOnE")),
        (
            "no algorithm, with the signature",
            format!("{}{signature}", none("none")),
        ),
        (
            "no algorithm at all",
            format!("{}.{payload}.{signature}", base64("{}")),
        ),
        ("the public key as a secret", hmac(&bytes, "ed")),
        (
            "the written public key as a secret",
            hmac(ed_public["x"].as_str().unwrap().as_bytes(), "ed"),
        ),
        (
            "the key of the set as a secret",
            hmac(ed_public.to_string().as_bytes(), "ed"),
        ),
        (
            "a symmetric key of the set",
            hmac(b"a shared secret of 32 bytes here", "oct"),
        ),
        ("an empty secret", hmac(b"", "ed")),
        (
            "another algorithm for the key",
            login.headed(r#"{"alg":"ES256","kid":"ed"}"#),
        ),
        (
            "another algorithm in its header",
            login.headed(r#"{"alg":"RS256","kid":"ed"}"#),
        ),
        (
            "another key of the set",
            login.headed(r#"{"alg":"EdDSA","kid":"ec"}"#),
        ),
        (
            "a key for encryption",
            login.headed(r#"{"alg":"EdDSA","kid":"encrypts"}"#),
        ),
        (
            "a doubled algorithm",
            login.headed(r#"{"alg":"none","alg":"EdDSA","kid":"ed"}"#),
        ),
        (
            "somebody else's key",
            forged(r#"{"alg":"EdDSA","kid":"ed"}"#),
        ),
        (
            "somebody else's key without a name",
            forged(r#"{"alg":"EdDSA"}"#),
        ),
        (
            "a key in the header",
            forged(&format!(
                r#"{{"alg":"EdDSA","kid":"ed","jwk":{}}}"#,
                mallory.public("ed")
            )),
        ),
        (
            "a key in the header without a name",
            forged(&format!(
                r#"{{"alg":"EdDSA","jwk":{}}}"#,
                mallory.public("ed")
            )),
        ),
        (
            "the address of a key set",
            forged(r#"{"alg":"EdDSA","kid":"m","jku":"http://127.0.0.1:1/k"}"#),
        ),
        (
            "the address of a certificate",
            forged(r#"{"alg":"EdDSA","kid":"ed","x5u":"http://127.0.0.1:1/"}"#),
        ),
        (
            "a key id that is a path",
            forged(r#"{"alg":"EdDSA","kid":"../../../dev/null"}"#),
        ),
        (
            "a key id that is a query",
            forged(r#"{"alg":"EdDSA","kid":"' OR 1=1 --"}"#),
        ),
        ("an empty key id", forged(r#"{"alg":"EdDSA","kid":""}"#)),
        (
            "a key id that is a number",
            login.headed(r#"{"alg":"EdDSA","kid":0}"#),
        ),
        (
            "a key id that is a list",
            login.headed(r#"{"alg":"EdDSA","kid":["ed"]}"#),
        ),
        (
            "a key id in other letters",
            login.headed(r#"{"alg":"EdDSA","kid":"ED"}"#),
        ),
        (
            "a doubled key id",
            login.headed(r#"{"alg":"EdDSA","kid":"ed","kid":"ed"}"#),
        ),
        (
            "a critical extension",
            login.headed(r#"{"alg":"EdDSA","kid":"ed","crit":["b64"],"b64":false}"#),
        ),
        (
            "a token of another type",
            login.headed(r#"{"alg":"EdDSA","kid":"ed","typ":"logout+jwt"}"#),
        ),
        ("a header that is no object", login.headed("[]")),
        (
            "another issuer",
            login.with(&json!({"iss": "https://evil.example.com"})),
        ),
        (
            "an issuer with a slash",
            login.with(&json!({"iss": format!("{ISSUER}/")})),
        ),
        ("a list of issuers", login.with(&json!({"iss": [ISSUER]}))),
        ("no issuer", login.with(&json!({"iss": null}))),
        (
            "another audience",
            login.with(&json!({"aud": "https://mail.example.com"})),
        ),
        (
            "the start of the audience",
            login.with(&json!({"aud": "https://tools.example.com"})),
        ),
        ("other audiences", login.with(&json!({"aud": ["a", "b"]}))),
        (
            "an empty list of audiences",
            login.with(&json!({"aud": []})),
        ),
        ("no audience", login.with(&json!({"aud": null}))),
        ("ended", login.with(&json!({"exp": now() - 60}))),
        ("ended in 1970", login.with(&json!({"exp": 0}))),
        ("ended before 1970", login.with(&json!({"exp": -1e18}))),
        ("without an end", login.with(&json!({"exp": null}))),
        (
            "an end in a string",
            login.with(&json!({"exp": (now() + 3600).to_string()})),
        ),
        (
            "an end beyond numbers",
            login.ed.token(
                r#"{"alg":"EdDSA","kid":"ed"}"#,
                &claims(&json!({"exp": "END"})).replace("\"END\"", "1e999"),
            ),
        ),
        (
            "an end that is null",
            login.ed.token(
                r#"{"alg":"EdDSA","kid":"ed"}"#,
                &claims(&json!({"exp": "END"})).replace("\"END\"", "null"),
            ),
        ),
        ("in the future", login.with(&json!({"nbf": now() + 300}))),
        (
            "signed in the future",
            login.with(&json!({"iat": now() + 300})),
        ),
        ("nobody", login.with(&json!({"sub": null}))),
        ("an empty name", login.with(&json!({"sub": " "}))),
        ("a name that is a number", login.with(&json!({"sub": 1}))),
        (
            "a name with a line break",
            login.with(&json!({"sub": "ada\nroot"})),
        ),
        (
            "a name without an end",
            login.with(&json!({"sub": "a".repeat(257)})),
        ),
        (
            "a name that is not seen",
            login.with(&json!({"sub": "a\u{200b}da"})),
        ),
        ("a doubled name", doubled(r#""sub":"root""#)),
        (
            "a doubled issuer",
            doubled(r#""iss":"https://evil.example.com""#),
        ),
        ("a doubled audience", doubled(r#""aud":"x""#)),
        ("a doubled end", doubled(r#""exp":1e12"#)),
        (
            "a doubled claim without a meaning",
            doubled(r#""n":1,"n":1"#),
        ),
        (
            "a doubled key in the header",
            login.headed(r#"{"alg":"EdDSA","kid":"ed","jku":"a","jku":"a"}"#),
        ),
        (
            "bound to another key",
            login.with(&json!({"cnf": {"jkt": "x"}})),
        ),
        (
            "claims that are a list",
            login.ed.token(r#"{"alg":"EdDSA","kid":"ed"}"#, "[]"),
        ),
        (
            "claims that are no JSON",
            login.ed.token(r#"{"alg":"EdDSA","kid":"ed"}"#, "{\"iss\":"),
        ),
        (
            "claims without an end",
            login.ed.token(
                r#"{"alg":"EdDSA","kid":"ed"}"#,
                &format!("{{\"a\":{}", "[".repeat(2000)),
            ),
        ),
        (
            "other claims",
            format!("{header}.{}.{signature}", base64(more)),
        ),
        ("no signature", format!("{signed}.")),
        ("no dot before the signature", signed.to_owned()),
        ("half a signature", format!("{signed}.{}", &signature[..43])),
        ("a padded signature", format!("{good}==")),
        (
            "spare bits in the signature",
            format!("{signed}.{last}{other}"),
        ),
        ("five parts", format!("{good}.AA.AA")),
        ("four parts", format!("{good}.{signature}")),
        ("two parts", signature.to_owned()),
        ("three empty parts", "..".to_owned()),
        (
            "oversized",
            login.with(&json!({"pad": "a".repeat(9 << 10)})),
        ),
    ]
}

#[tokio::test]
async fn rejects_every_signed_token_attack_with_401() {
    let login = Login::new();
    let journal = Log::default();
    let _logging = journal.listen();
    let (served, count) = guarded(&login).await;
    let ada = format!("Bearer {}", login.good());
    let session = open(&served, &ada).await;
    journal.take();
    let check = async |name: &str, headers: &[(&str, &str)]| {
        let (status, head, body) = post(&served, headers, &whoami()).await;
        assert_eq!(status, 401, "{name}");
        assert!(
            head.contains("error=\"invalid_token\"") && body.is_empty(),
            "{name}: {head}"
        );
        let logged = journal.take();
        assert_eq!(logged.lines().count(), 1, "{name}: {logged}");
        for (_, value) in headers {
            let words = value.split([' ', '.']).filter(|word| word.len() > 8);
            for word in words.chain([login.good().rsplit_once('.').unwrap().1]) {
                assert!(!logged.contains(word), "{name}: {logged}");
            }
        }
    };
    let attacks = attacks(&login);
    assert!(attacks.len() >= 40, "{}", attacks.len());
    for (name, token) in attacks {
        let bearer = format!("Bearer {token}");
        check(
            name,
            &[("Authorization", &bearer), ("Mcp-Session-Id", &session)],
        )
        .await;
    }
    let twice = [("Authorization", &*ada), ("Authorization", &*ada)];
    check("doubled headers", &twice).await;
    assert_eq!(*count.lock().unwrap(), 0);
    assert_eq!(
        call(&served, &ada, &session).await.0,
        200,
        "the session is unharmed"
    );
}
