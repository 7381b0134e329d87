//! JSON queries: the contract of the original without its faults, RFC 9535, and the bounds.

use std::time::{Duration, Instant};

use callpact_tools::engine::json_query::{JsonQueryError, QueryLimits, query};

const STORE: &str = r#"{"store": {"book": [
    {"category": "reference", "author": "Nigel Rees", "title": "Sayings", "price": 8.95},
    {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword", "price": 12.99},
    {"category": "fiction", "author": "Herman Melville", "title": "Moby", "isbn": "0-553", "price": 8.99},
    {"category": "fiction", "author": "J. R. R. Tolkien", "title": "Lord", "isbn": "0-395", "price": 22.99}
  ], "bicycle": {"color": "red", "price": 399}}}"#;

fn ask(path: &str, json: &str) -> Result<String, String> {
    query(path, json, &QueryLimits::default()).map_err(|error| error.to_string())
}

#[test]
fn dotted_paths() {
    let json = r#"{"a": {"b": [{"c": "deep"}, 2, [3, 4]], "n": null, "t": true, "o": {"x": 1, "y": [ ]},
        "f": 1.50, "e": 1e3, "big": 12345678901234567890, "huge": 123456789012345678901234567890.12345678901234567890,
        "neg": -9007199254740993, "esc": "tab\tquote\"é\u00e9"}, "k.with.dots": {"[x]": "found"}, "q\"": 7, "": 8, "é": 9}"#;
    let rows = [
        ("a.b[0].c", "deep"),
        (" a.b[0].c ", "deep"),
        ("a.b[1]", "2"),
        ("a.b[2][1]", "4"),
        ("a.b[2]", "[3,4]"),
        ("a.n", "null"),
        ("a.t", "true"),
        ("a.o", r#"{"x":1,"y":[]}"#),
        ("a.f", "1.50"),
        ("a.e", "1e3"),
        ("a.big", "12345678901234567890"),
        (
            "a.huge",
            "123456789012345678901234567890.12345678901234567890",
        ),
        ("a.neg", "-9007199254740993"),
        ("a.esc", "tab\tquote\"éé"),
        (r#"["k.with.dots"]["[x]"]"#, "found"),
        ("['k.with.dots']['[x]']", "found"),
        (r#"["q\""]"#, "7"),
        (r#"[""]"#, "8"),
        ("é", "9"),
        (r#"["a"].b[0]["c"]"#, "deep"),
    ];
    for (path, expected) in rows {
        assert_eq!(ask(path, json).as_deref(), Ok(expected), "{path}");
    }
    assert_eq!(ask("[1]", "[10, 20]").as_deref(), Ok("20"));
    assert_eq!(ask("[0][0]", "[[5]]").as_deref(), Ok("5"));
}

#[test]
fn texts_of_the_original() {
    let json = r#"{"a": {"b": [1]}, "s": "text"}"#;
    let rows = [
        ("", json, "Path expression must not be blank"),
        ("  ", json, "Path expression must not be blank"),
        ("a", "", "JSON content must not be blank"),
        ("a", " \n", "JSON content must not be blank"),
        ("x", json, "Path not found: 'x'"),
        ("a.x.y", json, "Path not found: 'x'"),
        ("s.x", json, "Path not found: 'x'"),
        ("a[0]", json, "Path not found: 'a[0]'"),
        ("s[0]", json, "Path not found: 's[0]'"),
        (
            "a.b[5]",
            json,
            "Array index out of bounds: index 5 is out of bounds for array of size 1",
        ),
        ("$.x", json, "Path not found: '$.x'"),
    ];
    for (path, json, expected) in rows {
        assert_eq!(ask(path, json), Err(expected.to_owned()), "{path}");
    }
    for bad in [
        "{",
        "nope",
        "{\"a\":1} trailing",
        "{\"a\":1}{}",
        "{'a':1}",
        "[1,]",
        "NaN",
        "\u{feff}{}",
    ] {
        let found = ask("a", bad).unwrap_err();
        assert!(found.starts_with("Invalid JSON: "), "{bad}: {found}");
    }
}

/// Paths that the original silently misread.
#[test]
fn malformed_paths_are_errors() {
    let json = r#"{"a": {"b": [1]}}"#;
    let paths = [
        "a..b",
        ".",
        "..",
        ".a",
        "a.",
        "a[",
        "a[]",
        "a[0",
        "a[x]",
        "a[-1]",
        "a[+1]",
        "a[ 0]",
        "a[1e1]",
        "a]",
        "]",
        "[",
        "a[0]b",
        "a.[0]",
        "a[99999999999999999999999]",
        "a[\"b]",
        "a[\"b\"",
        "a['b\"]",
        "a[\"b\\",
        "a[0:1]",
        "a[*]",
        "a[0,1]",
    ];
    for path in paths {
        let found = query(path, json, &QueryLimits::default());
        assert!(
            matches!(found, Err(JsonQueryError::InvalidPath(_))),
            "{path}: {found:?}"
        );
    }
    let found = ask("a[99999999999]", r#"{"a": [1]}"#).unwrap_err();
    assert!(
        found.ends_with("index 99999999999 is out of bounds for array of size 1"),
        "{found}"
    );
}

#[test]
fn json_path() {
    let rows = [
        ("$.store.bicycle.color", "red"),
        ("$['store']['bicycle']['price']", "399"),
        ("$.store.book[0].title", "Sayings"),
        ("$.store.book[-1].title", "Lord"),
        (
            "$.store.book[*].title",
            r#"["Sayings","Sword","Moby","Lord"]"#,
        ),
        (
            "$..author",
            r#"["Nigel Rees","Evelyn Waugh","Herman Melville","J. R. R. Tolkien"]"#,
        ),
        ("$.store.book[?@.price < 10].title", r#"["Sayings","Moby"]"#),
        ("$.store.book[?@.isbn && @.price > 20].title", r#"["Lord"]"#),
        (
            "$.store.book[?@.category == 'fiction' || @.price < 9].price",
            "[8.95,12.99,8.99,22.99]",
        ),
        ("$.store.book[1:3].title", r#"["Sword","Moby"]"#),
        ("$.store.book[::-1].price", "[22.99,8.99,12.99,8.95]"),
        ("$.store.book[0,2].title", r#"["Sayings","Moby"]"#),
        (
            "$.store.book[?search(@.title, '^S')].title",
            r#"["Sayings","Sword"]"#,
        ),
        (
            "$.store.book[?match(@.title, 'S.*d')].title",
            r#"["Sword"]"#,
        ),
        (
            "$.store.book[?length(@.title) == 4].title",
            r#"["Moby","Lord"]"#,
        ),
        ("$..book[?count(@.*) == 5].title", r#"["Moby","Lord"]"#),
        ("$.store.nothing[*]", "[]"),
        ("$..[?@.color]", r#"[{"color":"red","price":399}]"#),
    ];
    for (path, expected) in rows {
        assert_eq!(ask(path, STORE).as_deref(), Ok(expected), "{path}");
    }
    let exact = r#"{"n": [12345678901234567890, 1.10, 9007199254740993], "a": {"z": 1, "b": 2}}"#;
    assert_eq!(
        ask("$.n[*]", exact).as_deref(),
        Ok("[12345678901234567890,1.10,9007199254740993]")
    );
    assert_eq!(ask("$.n[0]", exact).as_deref(), Ok("12345678901234567890"));
    assert_eq!(ask("$.a.*", exact).as_deref(), Ok("[1,2]"));
    assert_eq!(ask("$", "[1, 2]").as_deref(), Ok("[1,2]"));
    // Which of two members counts would be a guess.
    assert!(ask("$.a", r#"{"a": 1, "a": 2}"#).is_err());
}

#[test]
fn faulty_json_paths() {
    for path in [
        "$.",
        "$..",
        "$[",
        "$[?",
        "$[?@.a ==]",
        "$.a[",
        "$[1 2]",
        "$.a.[0]",
        "$[?nope(@)==1]",
    ] {
        let found = ask(path, STORE).unwrap_err();
        assert!(found.starts_with("Invalid path: "), "{path}: {found}");
        assert!(found.len() < 250, "{found}");
    }
}

fn bounded(path: &str, json: &str) -> (Result<String, JsonQueryError>, Duration) {
    let start = Instant::now();
    let found = query(path, json, &QueryLimits::default());
    (found, start.elapsed())
}

#[test]
fn hostile_paths_end_in_a_clear_error() {
    let n = 100_000;
    let huge = QueryLimits {
        max_path: 10 << 20,
        ..QueryLimits::default()
    };
    let paths = [
        format!("$[?{}@{}]", "(".repeat(n), ")".repeat(n)),
        format!("$[?{}", "(".repeat(n)),
        "$[".repeat(n),
        format!("${}", "[?@".repeat(n)),
        format!("$[?{}@.a]", "!".repeat(n)),
        format!("$[?{}@.a]", "!(".repeat(n)),
        format!("$[?length({}", "length(".repeat(n)),
        "a[".repeat(n),
        "[".repeat(n),
    ];
    for path in &paths {
        for limits in [&QueryLimits::default(), &huge] {
            let start = Instant::now();
            let found = query(path, "{}", limits).unwrap_err();
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "{:?}",
                start.elapsed()
            );
            assert!(found.to_string().len() < 250, "{found}");
        }
    }
    let found = query(&paths[0], "{}", &huge).unwrap_err().to_string();
    assert_eq!(found, "the path is nested deeper than 32 levels");
}

#[test]
fn rejects_only_documented_queries() {
    let json = r#"[{"a": "x1"}]"#;
    let unequal = |count: usize| format!("$[?{}]", vec!["@.a != 'b'"; count].join(" && "));
    let nested = |levels: usize| {
        let (open, close) = ("[?@".repeat(levels - 1), "]".repeat(levels - 1));
        format!("$[0,*]{open}[0]{close}")
    };
    for (path, said) in [
        ("$[?match(@.a, '[')]".to_owned(), "a pattern (I-Regexp"),
        ("$[?search(@.a, '(')]".to_owned(), "a pattern (I-Regexp"),
        (unequal(33), "the path has more than 32 `!`"),
        (nested(33), "the path is nested deeper than 32 levels"),
    ] {
        let found = ask(&path, json).unwrap_err();
        assert!(found.contains(said), "{path}: {found}");
    }
    let found = ask("$[0].a", r#"[{"a": 1, "a": 1}]"#).unwrap_err();
    assert!(found.contains("'a' stands twice in one object"), "{found}");
    for path in [
        unequal(32),
        nested(32),
        r"$[?match(@.a, '\\w\\d') && search(@.a, '^x') && search(@.a, '1$')]".to_owned(),
    ] {
        assert!(ask(&path, json).is_ok(), "{path}: {:?}", ask(&path, json));
    }
}

#[test]
fn functions_inside_functions_are_bounded() {
    let nested = |levels: usize| {
        let (open, close) = ("length(".repeat(levels), ")".repeat(levels));
        format!("$[?{open}@.a{close} == 1]")
    };
    let four = query(&nested(4), "[]", &QueryLimits::default());
    assert_eq!(four.as_deref(), Ok("[]"));
    // A finding of the fuzzer: each level is tried as several things, nested filters too.
    let levels = "[?match(@.a".repeat(5);
    for path in [
        nested(5),
        format!("$..b{levels}"),
        nested(30).replace("length(", "value ("),
    ] {
        let found = query(&path, "[]", &QueryLimits::default())
            .unwrap_err()
            .to_string();
        assert_eq!(
            found, "functions are nested deeper than 4 levels in the path",
            "{path}"
        );
    }
    // Any number of calls side by side is allowed, and a bracket in a text does not count.
    let beside = vec!["length(@.a) == 1"; 20].join(" && ");
    let found = query(&format!("$[?{beside}]"), "[]", &QueryLimits::default());
    assert_eq!(found.as_deref(), Ok("[]"));
    let text = format!("$[?@.a == '{}']", "f(".repeat(40));
    assert_eq!(
        query(&text, "[]", &QueryLimits::default()).as_deref(),
        Ok("[]")
    );
}

/// Shapes that are legal but multiply; within the path limit, on documents of up to 1 MiB.
#[test]
fn queries_that_multiply_are_stopped() {
    let wide = format!("[{}]", vec!["1"; 400_000].join(","));
    let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
    let tail = format!("{}{wide}{}", "[".repeat(120), "]".repeat(120));
    let long_key = format!(r#"{{"{}": {wide}}}"#, "k".repeat(400_000));
    let texts = format!(
        "[{}]",
        vec![r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaa""#; 30_000].join(",")
    );
    let bushy = format!("[{}]", vec!["[[1,[2,[3,[4]]]]]"; 30_000].join(","));
    let rows = [
        ("$..*..*..*".to_owned(), &bushy),
        ("$..*".to_owned(), &tail),
        ("$..*".to_owned(), &long_key),
        (format!("${}", "[0,0]".repeat(100)), &deep),
        (format!("${}", "..[*]".repeat(60)), &deep),
        (format!("$[{}*]", "*,".repeat(400)), &wide),
        ("$[?$..* == $..*]".to_owned(), &bushy),
        ("$[?count($..*) > 1]".to_owned(), &wide),
        ("$[?match(@, '(a{1,99}){1,99}b')]".to_owned(), &texts),
        (
            "$[?search(@, '[\\\\p{L}\\\\p{N}]{500}')]".to_owned(),
            &texts,
        ),
        (format!("$[?{}@==1]", "@==2||".repeat(150)), &wide),
        (format!("$['{}'][*]", "k".repeat(900)), &wide),
    ];
    for (path, json) in &rows {
        let (found, took) = bounded(path, json);
        let shown: String = path.chars().take(40).collect();
        println!("{shown}: {took:?} {:?}", found.as_ref().map(String::len));
        assert!(took < Duration::from_secs(60), "{shown}: {took:?}");
        if let Ok(text) = found {
            assert!(text.len() <= 64 << 10);
        }
    }
}

#[test]
fn large_documents() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let (found, took) = bounded("$", &deep);
    assert_eq!(
        found.unwrap_err().to_string(),
        "the JSON is nested deeper than 128 levels"
    );
    assert!(took < Duration::from_secs(20), "{took:?}");
    let (found, took) = bounded("[0]", &"[".repeat(2 << 20));
    assert!(found.unwrap_err().to_string().starts_with("Invalid JSON: "));
    assert!(took < Duration::from_secs(20), "{took:?}");
    let (found, _) = bounded("a", &" ".repeat(5 << 20));
    assert_eq!(found, Err(JsonQueryError::BlankJson));
    let (found, _) = bounded("a", &format!("[{}]", " ".repeat(5 << 20)));
    assert!(matches!(found, Err(JsonQueryError::Limit(_))));
    let same_key = format!("{{{}}}", vec![r#""k":1"#; 200_000].join(","));
    let (found, took) = bounded("k", &same_key);
    assert_eq!(
        found.unwrap_err().to_string(),
        "Invalid JSON: 'k' stands twice in one object"
    );
    println!("200,000 equal keys: {took:?}");
    assert!(took < Duration::from_secs(40), "{took:?}");
    let wide = format!("[{}]", vec!["[[[1]]]"; 200_000].join(","));
    let (found, took) = bounded("[199999][0][0][0]", &wide);
    assert_eq!(found.as_deref(), Ok("1"));
    println!("1.6 MB of small arrays: {took:?}");
    assert!(took < Duration::from_secs(40), "{took:?}");
}

#[test]
fn results_are_bounded() {
    let many = format!("[{}]", vec!["1"; 2_000].join(","));
    let found = ask("$[*]", &many).unwrap_err();
    assert_eq!(
        found,
        "the path finds 2000 values, more than 1000; ask for fewer"
    );
    assert!(ask("$[:1000]", &many).is_ok());
    let long = format!(r#"["{}"]"#, "x".repeat(70_000));
    for path in ["[0]", "$[0]", "$[*]", "$"] {
        let found = ask(path, &long).unwrap_err();
        assert_eq!(
            found, "the result is longer than 65536 bytes; ask for a smaller part",
            "{path}"
        );
    }
    let found = ask(&"a".repeat(2_000), "{}").unwrap_err();
    assert_eq!(found, "the path is longer than 1024 bytes");
    let white = format!("[[{}1]]", " ".repeat(1 << 20));
    assert_eq!(ask("$[0,0]", &white).as_deref(), Ok("[[1],[1]]"));
    assert!(ask(&format!("$[{}0]", "0,".repeat(400)), &white).is_err());
}

/// Examples of what the RFC says, and of what it refuses.
#[test]
fn json_paths_follow_the_rfc() {
    let rows = json_table();
    for (path, json, expected) in rows {
        assert_eq!(ask(path, json).as_deref(), Ok(expected), "{path} on {json}");
    }
    let refused = [
        " $",
        "$ ",
        "$[?length(@.a)]",
        "$[?count(@.a)]",
        "$[?value(@.a)]",
        "$[?match(@.a, 'a')==true]",
        "$[?@.*==1]",
        "$[?@..a==1]",
        "$[?length(@.*)==1]",
        "$[?count(1)==1]",
        "$[?(@.a)==1]",
        "$[?!@.a==1]",
        "$[?true]",
        "$[?1]",
        "$[?'a']",
        "$[01]",
        "$[-0]",
        "$[1.0]",
        "$[9007199254740992]",
        "$[?@.a==01]",
        "$[?@.a==1.]",
        "$[?@.a==.1]",
        "$[?@.a=='\\x']",
        "$['\\'']x",
        "$[\"\\'\"]",
        "$['\\ud800']",
        "$. a",
        "$.. a",
        "$.1",
        "$[?length (@.a)==1]",
        "$[,]",
        "$[0,]",
        "$[]",
        "$[?match(@.a, '(')]",
        "$[?@.a===1]",
        "$[?@.a and @.b]",
        "$[?nope(@.a)]",
        "$[?True]",
        "$.a..",
        "$[0:1:2:3]",
        "$[?@.a & @.b]",
        "$.a\n\u{b}.b",
    ];
    for path in refused {
        let found = query(path, "[]", &QueryLimits::default());
        assert!(
            matches!(found, Err(JsonQueryError::InvalidPath(_))),
            "{path:?}: {found:?}"
        );
    }
    assert_eq!(
        ask("$.a[?@.b ==]", "{}").unwrap_err(),
        "Invalid path: `$.a[?@.b ==]` is not a JSONPath (RFC 9535): expected `@`, `$`, a literal, a function, `!` or `(` at character 12"
    );
}

fn json_table() -> Vec<(&'static str, &'static str, &'static str)> {
    let rows = r#"{"rows": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}"#;
    vec![
        ("$.rows[*]['id','name']", rows, r#"[1,"a",2,"b"]"#),
        (
            "$[?count(@.errors[*])==0]",
            r#"[{"errors": []}, {"errors": [1]}, {}]"#,
            r#"[{"errors":[]},{}]"#,
        ),
        ("$[?!@[?@>1]]", "[[0],[0,2]]", "[[0]]"),
        ("$[0,0]", "[1]", "[1,1]"),
        ("$..[0,1]", "[[1,2],[3]]", "[[1,2],[3],1,2,3]"),
        (
            "$[?@.a==@.b]",
            r#"[{}, {"a": 1}, {"a": 1, "b": 1.0}]"#,
            r#"[{},{"a":1,"b":1.0}]"#,
        ),
        (
            "$[?@.a<=@.b]",
            r#"[{}, {"a": null, "b": null}, {"a": true, "b": true}]"#,
            r#"[{},{"a":null,"b":null},{"a":true,"b":true}]"#,
        ),
        ("$[?@==-0]", "[0, -0, 0.0, 1]", "[0,-0,0.0]"),
        ("$[::-2]", "[1,2,3,4,5]", "[5,3,1]"),
        ("$[3:0:-2]", "[1,2,3,4,5]", "[4,2]"),
        ("$[1:3:0]", "[1,2,3]", "[]"),
        ("$[-9:9]", "[1,2]", "[1,2]"),
        ("$ .a [0]", r#"{"a": [7]}"#, "7"),
        (
            "$[?length(@)==1]",
            r#"["é", "e\u0301", [1], {"a": 1}, 5]"#,
            r#"["é",[1],{"a":1}]"#,
        ),
        (
            "$[?match(@, 'a.b')]",
            "[\"a\\rb\", \"a\\u2028b\", \"axb\", \"xaxb\"]",
            "[\"a\\u2028b\",\"axb\"]",
        ),
        (
            "$[?search(@, '[a.]')]",
            r#"["b", ".", "xay"]"#,
            r#"[".","xay"]"#,
        ),
        (
            "$[?match(@, '\\\\p{Lu}é')]",
            r#"["Éé", "éé", "Aé"]"#,
            r#"["Éé","Aé"]"#,
        ),
        (
            "$[?@ > false || @ >= 'a']",
            r#"[true, "b", 1, null]"#,
            r#"["b"]"#,
        ),
        ("$[?@[-1]==3]", "[[1,2,3],[3],[3,1],[]]", "[[1,2,3],[3]]"),
        (
            "$[?value(@..a)==1]",
            r#"[{"a": 1}, {"a": 1, "b": {"a": 1}}]"#,
            r#"[{"a":1}]"#,
        ),
        ("$['\\ud83d\\ude00']", r#"{"😀": 1}"#, "1"),
        ("$[?@ == $[0]]", "[1, 2, 1]", "[1,1]"),
        ("$[?'b' > 'a' && 1 < 2]", "[1]", "[1]"),
    ]
}
