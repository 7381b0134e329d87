//! Signed tokens: the accepted ones, every attack, and changes of keys.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use callpact_mcp::{
    jwt::{JwtTokens, KeySet, KeySetError},
    server::{Authenticator, Identity},
};
use ring::{
    hmac,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::{
    help::{Served, run},
    identity::{Log, bound, call, open},
};

pub(crate) const ISSUER: &str = "https://login.example.com";
const HERE: &str = "https://tools.example.com/mcp";

pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A key that signs.
pub(crate) enum Signer {
    Ed25519(Ed25519KeyPair),
    P256(EcdsaKeyPair),
    Hmac(hmac::Key),
}

impl Signer {
    pub(crate) fn ed25519(seed: u8) -> Self {
        Self::Ed25519(Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap())
    }

    fn p256() -> Self {
        let (random, form) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
        let secret = EcdsaKeyPair::generate_pkcs8(form, &random).unwrap();
        Self::P256(EcdsaKeyPair::from_pkcs8(form, secret.as_ref(), &random).unwrap())
    }

    pub(crate) fn hmac(secret: &[u8]) -> Self {
        Self::Hmac(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    fn sign(&self, text: &str) -> Vec<u8> {
        let text = text.as_bytes();
        match self {
            Self::Ed25519(key) => key.sign(text).as_ref().to_vec(),
            Self::P256(key) => {
                let signed = key.sign(&SystemRandom::new(), text).unwrap();
                signed.as_ref().to_vec()
            }
            Self::Hmac(key) => hmac::sign(key, text).as_ref().to_vec(),
        }
    }

    /// The public key as a member of a key set.
    pub(crate) fn public(&self, id: &str) -> Value {
        match self {
            Self::Ed25519(key) => {
                let x = base64(key.public_key());
                json!({"kty": "OKP", "crv": "Ed25519", "kid": id, "alg": "EdDSA", "use": "sig", "x": x})
            }
            Self::P256(key) => {
                let (x, y) = key.public_key().as_ref()[1..].split_at(32);
                json!({"kty": "EC", "crv": "P-256", "kid": id, "x": base64(x), "y": base64(y)})
            }
            Self::Hmac(_) => panic!("a secret has no public key"),
        }
    }

    /// A token with a header and claims in these very words.
    pub(crate) fn token(&self, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", base64(header), base64(claims));
        let signature = base64(self.sign(&signed));
        format!("{signed}.{signature}")
    }
}

pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// Good claims with some of them changed; `null` takes one away.
pub(crate) fn claims(changes: &Value) -> String {
    let mut claims = json!({
        "iss": ISSUER, "aud": HERE, "sub": "ada", "scope": "read write",
        "iat": now() - 10, "nbf": now() - 10, "exp": now() + 3600,
    });
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    claims.to_string()
}

/// A login service with a key of each kind.
pub(crate) struct Login {
    pub(crate) ed: Signer,
    pub(crate) ec: Signer,
}

impl Login {
    pub(crate) fn new() -> Self {
        Self {
            ed: Signer::ed25519(1),
            ec: Signer::p256(),
        }
    }

    pub(crate) fn set(&self) -> Value {
        // Public keys of others, of unknown kinds and for encryption occur in real sets.
        let mut secret = self.ed.public("encrypts");
        secret["use"] = "enc".into();
        json!({"keys": [
            self.ed.public("ed"),
            self.ec.public("ec"),
            secret,
            {"kty": "oct", "kid": "oct", "k": base64("a shared secret of 32 bytes here")},
            {"kty": "AKP", "kid": "new", "alg": "ML-DSA-44", "pub": "AA"},
            {"kid": 7},
        ]})
    }

    pub(crate) fn good(&self) -> String {
        self.ed.token(
            r#"{"alg":"EdDSA","kid":"ed","typ":"at+jwt"}"#,
            &claims(&json!({})),
        )
    }

    pub(crate) fn with(&self, changes: &Value) -> String {
        self.ed
            .token(r#"{"alg":"EdDSA","kid":"ed"}"#, &claims(changes))
    }

    pub(crate) fn headed(&self, header: &str) -> String {
        self.ed.token(header, &claims(&json!({})))
    }

    fn tokens(&self) -> JwtTokens {
        let keys = KeySet::from_json(&self.set().to_string()).unwrap();
        JwtTokens::new(ISSUER, HERE, keys)
    }
}

pub(crate) async fn guarded(login: &Login) -> (Served, Arc<Mutex<u32>>) {
    let (server, count) = bound().await;
    (run(server.authenticate(login.tokens())), count)
}

#[tokio::test]
async fn signed_token_yields_identity_with_scopes() {
    let login = Login::new();
    let (served, _) = guarded(&login).await;
    let ada = format!("Bearer {}", login.good());
    let session = open(&served, &ada).await;
    let (status, reply) = call(&served, &ada, &session).await;
    let said = &reply["result"]["content"][0]["text"];
    assert!(
        status == 200 && said.as_str().unwrap().starts_with("ada t-1 "),
        "{reply}"
    );

    let tokens = login.tokens();
    let ec = login
        .ec
        .token(r#"{"alg":"ES256","kid":"ec"}"#, &claims(&json!({})));
    let ada = || Identity::new("ada");
    let both = ada().with_scope("read").with_scope("write");
    for (token, expected) in [
        (login.good(), both.clone()),
        (ec.clone(), both.clone()),
        (
            login.headed(r#"{"alg":"Ed25519","kid":"ed","typ":"application/JWT"}"#),
            both.clone(),
        ),
        // The set has one key for the algorithm, so the token does not have to name it.
        (
            login.ec.token(r#"{"alg":"ES256"}"#, &claims(&json!({}))),
            both.clone(),
        ),
        (login.with(&json!({"aud": ["other", HERE]})), both.clone()),
        (
            login.with(&json!({"scope": null, "scp": ["read", "write"]})),
            both.clone(),
        ),
        (login.with(&json!({"scope": null})), ada()),
        (
            login.with(&json!({"exp": now() - 10, "nbf": now() + 10})),
            both,
        ),
    ] {
        assert_eq!(tokens.identify(&token).await, Some(expected), "{token}");
    }
    let by_mail = login.tokens().name_claim("email");
    let token = login.with(&json!({"email": "ada@example.com", "scope": null}));
    assert_eq!(
        by_mail.identify(&token).await,
        Some(Identity::new("ada@example.com"))
    );
    assert_eq!(by_mail.identify(&login.good()).await, None);
    let strict = login.tokens().leeway(Duration::ZERO);
    assert_eq!(
        strict
            .identify(&login.with(&json!({"exp": now() - 10})))
            .await,
        None
    );
}

/// The claims of RFC 7515, which name no audience.
const CLAIMS: &str = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

/// Signatures that others made: the examples of RFC 7515 (A.2 and A.3) and of RFC 8037 (A.4).
fn examples() -> [(Value, String); 3] {
    let rsa = json!({
        "kty": "RSA",
        "n": "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-\
            yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXB\
            dQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGN\
            j8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
        "e": "AQAB",
    });
    let rsa_signature = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbd\
        s9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9\
        383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWy\
        wlVmtVrBp0igcN_IoypGlUPQGe77Rw";
    let ec = json!({
        "kty": "EC",
        "crv": "P-256",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    });
    let ec_signature =
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
    let ed =
        json!({"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
    let signed_by_ed = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR\
        6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
    [
        (
            rsa,
            format!("eyJhbGciOiJSUzI1NiJ9.{CLAIMS}.{rsa_signature}"),
        ),
        (ec, format!("eyJhbGciOiJFUzI1NiJ9.{CLAIMS}.{ec_signature}")),
        (ed, signed_by_ed.to_owned()),
    ]
}

#[tokio::test]
async fn ignores_weak_rsa_key_and_keeps_others() {
    const SIGNED: &str = "the claims of the token cannot be read";
    let [(strong, token), ..] = examples();
    let rsa = |n: &[u8]| json!({"kty": "RSA", "kid": "weak\u{202e}", "n": base64(n), "e": "AQAB"});
    // 1,024 bits, the same with zeros before it, one bit too few, and too many.
    let zeros = [[0; 200].as_slice(), &[0xc1; 128]].concat();
    let (few, many) = ([[0x7f].as_slice(), &[0xc1; 255]].concat(), [0xc1; 1025]);
    for weak in [&[0xc1; 128][..], &zeros, &few, &many] {
        let weak = rsa(weak);
        let journal = Log::default();
        let _logging = journal.listen();
        let set = json!({"keys": [weak, strong, weak]}).to_string();
        let keys = KeySet::from_json(&set).unwrap();
        let logged = journal.take();
        assert_eq!(logged.lines().count(), 2, "{logged}");
        assert!(
            logged.contains(r"weak\u{202e}") && logged.contains("2,048"),
            "{logged}"
        );
        // The token names no key: it would be refused if there were several for it.
        let checked = JwtTokens::new("joe", HERE, keys).check(&token).await;
        assert_eq!(checked.unwrap_err(), SIGNED);
        let alone = KeySet::from_json(&json!({"keys": [weak]}).to_string());
        let error = alone.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("RS256 with 2,048 to 8,192 bits"), "{error}");
    }
    let least = [[0x80].as_slice(), &[0xc1; 255]].concat();
    assert!(KeySet::from_json(&json!({"keys": [rsa(&least)]}).to_string()).is_ok());
}

#[tokio::test]
async fn standard_signatures_match_only_own_key() {
    // Claims are read after the signature, and these claims are for nobody.
    const SIGNED: &str = "the claims of the token cannot be read";
    let check = async |keys: Vec<&Value>, token: &str| {
        let keys = KeySet::from_json(&json!({ "keys": keys }).to_string()).unwrap();
        let checked = JwtTokens::new("joe", HERE, keys).check(token).await;
        checked.unwrap_err()
    };
    let all = examples();
    for (key, token) in &all {
        assert_eq!(check(vec![key], token).await, SIGNED, "{key}");
        assert_eq!(
            check(all.iter().map(|(key, _)| key).collect(), token).await,
            SIGNED
        );
        let others = all.iter().map(|(other, _)| other);
        let others = others.filter(|other| *other != key).collect();
        assert_ne!(check(others, token).await, SIGNED, "{key}");
        // One other character of what was signed, and of the signature.
        for at in [token.find('.').unwrap() + 5, token.rfind('.').unwrap() + 9] {
            let mut bytes = token.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert_ne!(check(vec![key], &changed).await, SIGNED, "{changed}");
        }
    }
}

#[tokio::test]
async fn ambiguous_algorithm_requires_key_id() {
    let (one, two) = (Signer::ed25519(1), Signer::ed25519(2));
    let set = json!({"keys": [one.public("one"), two.public("two")]});
    let keys = KeySet::from_json(&set.to_string()).unwrap();
    let tokens = JwtTokens::new(ISSUER, HERE, keys);
    let named = two.token(r#"{"alg":"EdDSA","kid":"two"}"#, &claims(&json!({})));
    assert!(tokens.identify(&named).await.is_some());
    let nameless = two.token(r#"{"alg":"EdDSA"}"#, &claims(&json!({})));
    let refused = Err("the signature of the token is not valid");
    assert_eq!(tokens.check(&nameless).await, refused);
}

#[tokio::test]
async fn rejects_unusable_key_set() {
    let reason = |set: Value| match KeySet::from_json(&set.to_string()) {
        Err(KeySetError::Invalid(why)) => why,
        other => panic!("{other:?}"),
    };
    let nothing = "it has no key for EdDSA, ES256, or RS256 with 2,048 to 8,192 bits";
    let key = Signer::ed25519(1).public("k");
    let with = |name: &str, value: &str| {
        let mut key = key.clone();
        key[name] = value.into();
        json!({"keys": [key]})
    };
    assert_eq!(reason(json!({"keys": []})), nothing);
    assert_eq!(reason(with("alg", "ES256")), nothing);
    assert_eq!(reason(with("use", "enc")), nothing);
    assert_eq!(reason(with("x", "AAAA")), nothing);
    assert_eq!(reason(with("crv", "X25519")), nothing);
    assert!(reason(with("d", "AAAA")).contains("a private key"));
    assert!(reason(json!({"keys": vec![key.clone(); 101]})).contains("more than 100"));
    assert!(reason(json!([])).contains("a JSON object"));
    let open = async |url: &str| KeySet::url(url).await.unwrap_err().to_string();
    let error = open("http://login.example.com/keys.json").await;
    assert!(error.contains("over `https`"), "{error}");
    let error = open("file:///etc/passwd").await;
    assert!(error.contains("neither"), "{error}");
    let missing = KeySet::file("no such file").await.unwrap_err();
    assert!(matches!(missing, KeySetError::Unreachable(_)), "{missing}");
}

/// Serves a text that can change, and counts how often it was asked for.
async fn serve_text(text: Arc<Mutex<String>>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/keys.json", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let text = text.lock().unwrap().clone();
            let length = text.len();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all((head + &text).as_bytes()).await;
        }
    });
    (url, asked)
}

#[tokio::test]
async fn reloads_remote_keys_within_bounds() {
    let (old, new) = (Signer::ed25519(1), Signer::ed25519(2));
    let set = |key: &Signer, id: &str| json!({"keys": [key.public(id)]}).to_string();
    let text = Arc::new(Mutex::new(set(&old, "old")));
    let (url, asked) = serve_text(Arc::clone(&text)).await;
    let keys = KeySet::url(&url).await.unwrap();
    let tokens = JwtTokens::new(ISSUER, HERE, keys.clone());
    let of_old = old.token(r#"{"alg":"EdDSA","kid":"old"}"#, &claims(&json!({})));
    let of_new = new.token(r#"{"alg":"EdDSA","kid":"new"}"#, &claims(&json!({})));
    assert!(tokens.identify(&of_old).await.is_some());
    // A crowd of unknown keys asks the service no more than the keys themselves do.
    for _ in 0..50 {
        assert!(tokens.identify(&of_new).await.is_none());
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);

    let eager = JwtTokens::new(ISSUER, HERE, keys.recheck_after(Duration::ZERO));
    *text.lock().unwrap() = set(&new, "new");
    assert!(eager.identify(&of_new).await.is_some());
    assert!(
        eager.identify(&of_old).await.is_none(),
        "a key that was taken back"
    );
    // Unusable sets change nothing.
    for broken in [
        "",
        "{\"keys\": []}",
        &(set(&old, "old") + &" ".repeat(300_000)),
    ] {
        broken.clone_into(&mut text.lock().unwrap());
        assert!(eager.identify(&of_new).await.is_some());
        assert!(KeySet::url(&url).await.is_err());
    }
}

#[tokio::test]
async fn keys_of_a_file_are_read_again() {
    let (old, new) = (Signer::ed25519(1), Signer::p256());
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("keys.json");
    let write = |key: &Signer| {
        std::fs::write(&file, json!({"keys": [key.public("k")]}).to_string()).unwrap();
    };
    write(&old);
    let keys = KeySet::file(&file).await.unwrap();
    let tokens = JwtTokens::new(ISSUER, HERE, keys.recheck_after(Duration::ZERO));
    let of_old = old.token(r#"{"alg":"EdDSA","kid":"k"}"#, &claims(&json!({})));
    let of_new = new.token(r#"{"alg":"ES256","kid":"k"}"#, &claims(&json!({})));
    assert!(tokens.identify(&of_old).await.is_some());
    write(&new);
    assert!(tokens.identify(&of_new).await.is_some());
    assert!(tokens.identify(&of_old).await.is_none());
    std::fs::remove_file(&file).unwrap();
    assert!(tokens.identify(&of_new).await.is_some(), "the keys stay");
}
