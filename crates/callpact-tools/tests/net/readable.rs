//! Readable text: goldens, and pages made to hurt.

use std::time::{Duration, Instant};

use callpact_tools::engine::readable::{Options, plain, readable};

fn text(html: &str) -> String {
    readable(html, &Options::default()).unwrap().text
}

#[test]
fn goldens() {
    let rows = [
        ("", ""),
        ("just text", "just text"),
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("<p>one<p>two<div>three</div>four", "one\ntwo\nthree\nfour"),
        ("a<br>b<br/>c<hr>d", "a\nb\nc\nd"),
        ("a  b\n\t c", "a b c"),
        ("<b>bo</b>ld and <i> spaced </i>.", "bold and spaced ."),
        (
            "&lt;p&gt; &amp;amp; &eacute;&#233;&#xe9; &hearts; &nbsp;x &copy",
            "<p> &amp; ééé ♥ x ©",
        ),
        ("&#0;&#128;&#x1F600;&#xD800;", "\u{fffd}€😀\u{fffd}"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        (
            "<table><tr><td>a<td>b<tr><th>c</th><th>d</th></table>",
            "a b\nc d",
        ),
        ("x<script>if (a < b) alert('</p>')</script>y", "xy"),
        ("x <script>never closed <p>hidden", "x"),
        ("x<style>p { color: red }</style>y", "xy"),
        ("x<noscript><p>enable</p></noscript>y", "xy"),
        ("<nav><ul><li>menu</ul></nav><p>text", "text"),
        (
            "<header><h1>Site</h1></header><main>body</main><footer>foot</footer>",
            "body",
        ),
        ("a<svg><text>drawn</text><svg></svg></svg>b", "ab"),
        ("a<template><p>t</p></template>b", "ab"),
        ("a<iframe src=x>old</iframe>b", "ab"),
        ("a<div hidden>h<div>i</div>h</div>b", "a\nb"),
        ("a<p hidden='until-found'>h</p>b", "a\nb"),
        ("a<span aria-hidden=true>h</span>b", "ab"),
        ("a<span aria-hidden=false>s</span>b", "asb"),
        ("a<span style='color:red; Display : None'>h</span>b", "ab"),
        ("a<span style=\"visibility:hidden\">h</span>b", "ab"),
        ("<table><tr><td hidden>h</td><td>s</td></table>", "s"),
        ("a<input hidden>b<img hidden src=x>c", "abc"),
        ("a<!-- comment <p> -->b", "ab"),
        ("a<!-- never closed <p>b", "a"),
        ("a<!DOCTYPE html>b<?php x ?>c", "abc"),
        ("<div><nav>menu</div>after", "after"),
        ("<section><nav>menu<div>x</div></section>after", "after"),
        ("<pre>a\n  b\n\n\nc</pre>d\ne", "a\nb\nc\nd e"),
        ("<textarea>&lt;b> <p>x</textarea>y", "<b> <p>x\ny"),
        ("<a href='https://x.example'>link</a>", "link"),
        (
            "bell\u{7}null\u{0}esc\u{1b}[31mred\u{9b}c1",
            "bellnullesc[31mredc1",
        ),
        (
            "rtl\u{202e}evil\u{202c} zero\u{200b}width bom\u{feff} tag\u{e0041}",
            "rtlevil zerowidth bom tag",
        ),
        (
            "fam\u{1f468}\u{200d}\u{1f469} na\u{ef}ve",
            "fam\u{1f468}\u{200d}\u{1f469} naïve",
        ),
        ("<P>UPPER<BR>CASE<SCRIPT>x</SCRIPT></P>", "UPPER\nCASE"),
        ("<p class=\"a>b\" title='<p>'>quoted</p>", "quoted"),
        ("a < b and b > c", "a < b and b > c"),
        ("</p></div></nav>stray ends", "stray ends"),
        ("<nav>a</nav>b<nav>c</nav>d", "b\nd"),
        (
            "<head><title>T</title><meta charset=x><style>s</style></head><body>b",
            "b",
        ),
        ("日本<p>語</p>", "日本\n語"),
    ];
    for (html, expected) in rows {
        assert_eq!(text(html), expected, "{html}");
    }
}

/// Text that a browser would not show.
#[test]
#[allow(clippy::too_many_lines)] // a table
fn hidden_text_is_left_out() {
    let rows = [
        // Attributes.
        ("a<details>x<summary>s</summary>y<p>z</details>b", "a\ns\nb"),
        (
            "a<details open><summary>s</summary>y</details>b",
            "a\ns\ny\nb",
        ),
        (
            "a<details><summary>s</summary>x<summary>y</summary></details>b",
            "a\ns\nb",
        ),
        (
            "a<details><div><summary>x</summary></div>y</details>b",
            "a\nb",
        ),
        ("a<details hidden><summary>x</summary>y</details>b", "a\nb"),
        (
            "a<details><summary>s<details open>t</details></summary>x</details>b",
            "a\ns\nt\nb",
        ),
        (
            "a<details><summary>s<details><summary>t</summary>x</details>u</summary>y</details>b",
            "a\ns\nt\nu\nb",
        ),
        ("<div><details><summary>s</div>b", "s\nb"),
        ("<div><details>x</div>b", "b"),
        ("a<dialog>x</dialog>b", "a\nb"),
        ("a<dialog open>d</dialog>b", "a\nd\nb"),
        ("a<div popover>x</div>b", "a\nb"),
        // Inline styles.
        ("a<i style='opacity:0'>x</i>b", "ab"),
        ("a<i style='font-size:0'>x</i>b", "ab"),
        ("a<i style='position:absolute;left:-9999px'>x</i>b", "ab"),
        ("a<i style='color:transparent'>x</i>b", "ab"),
        ("a<i style='display:/**/none'>x</i>b", "ab"),
        ("a<i style='color:&#116;ransparent'>x</i>b", "ab"),
        // Rules of the page.
        ("<style>.n{display:none}</style>a<i class=n>x</i>b", "ab"),
        (
            "<style>.n { Display : NONE }</style>a<i class='m n'>x</i>b",
            "ab",
        ),
        (
            "<style>#n,i.m{opacity:0}</style>a<i id=n>x</i><i class=m>x</i><b class=m>b</b>",
            "ab",
        ),
        ("<style>i{display:none}</style>a<i>x</i>b", "ab"),
        (
            "<style>@layer q{.n{display:none}}</style>a<i class=n>x</i>b",
            "ab",
        ),
        (
            "<style>@media screen{.n{display:none}}</style>a<i class=n>x</i>b",
            "ab",
        ),
        (
            "<style>@import 'x';.n{display:none}</style>a<i class=n>x</i>b",
            "ab",
        ),
        (
            "<style>@charset \"x\";.n{display:none}</style>a<i class=n>x</i>b",
            "ab",
        ),
        (
            "<style><!-- .n{}\n.n{display:none} --></style>a<i class=n>x</i>b",
            "ab",
        ),
        (
            "<style>/*}*/.n{/*}*/display:none}</style>a<i class=n>x</i>b",
            "ab",
        ),
        (
            r"<style>.\6e {displa\79:none}</style>a<i class=n>x</i>b",
            "ab",
        ),
        (
            "<style>.n{display:none!important}</style>a<i class=n style='display:inline'>x</i>b",
            "ab",
        ),
        (
            "<nav><style>.n{display:none}</style></nav>a<i class=n>x</i>b",
            "ab",
        ),
        (
            "<style>.n{color:red</style><style>.n{display:none</style>a<i class=n>x</i>b",
            "ab",
        ),
        (
            "<style>.n{.m{color:red}}.n{display:none}</style>a<i class=n>x</i>b",
            "ab",
        ),
        // Shown text stays.
        (
            "<style>.n{display:none}</style>a<i class=n style='display:inline'>c</i>b",
            "acb",
        ),
        (
            "<style>.n{display:none}.n{display:block}</style>a<i class=n>c</i>b",
            "acb",
        ),
        (
            "<style>.n{display:none}.n.m{display:block}</style>a<i class='m n'>c</i>b",
            "acb",
        ),
        (
            "<style>.n.m{display:block}.n{display:none}</style>a<i class='m n'>c</i>b",
            "acb",
        ),
        (
            "<style>@media print{.n{display:none}}</style>a<i class=n>c</i>b",
            "acb",
        ),
        (
            "<style media=print>.n{display:none}</style>a<i class=n>c</i>b",
            "acb",
        ),
        ("<style>p .n{display:none}</style>a<i class=n>c</i>b", "acb"),
        (
            "<style>.n:hover{display:none}</style>a<i class=n>c</i>b",
            "acb",
        ),
        (
            "<style>.n{&.m{display:none}}</style>a<i class=n>c</i>b",
            "acb",
        ),
        (
            "<style>.n{content:'}.n{display:none}'}</style>a<i class=n>c</i>b",
            "acb",
        ),
        ("<i class=n>c</i><style>.n{display:none}</style>a", "ca"),
        // Variation selectors carry hidden bytes.
        ("a\u{fe00}\u{fe0f}b\u{e0100}\u{e01ef}", "ab"),
    ];
    for (html, expected) in rows {
        assert_eq!(text(html), expected, "{html}");
    }
}

#[test]
fn titles() {
    let title = |html: &str| readable(html, &Options::default()).unwrap().title;
    assert_eq!(title("<title> Fish &amp;\n chips </title>"), "Fish & chips");
    assert_eq!(
        title("<svg><title>no</title></svg><title>yes</title><title>second</title>"),
        "yes"
    );
    assert_eq!(title("<title>a<b>c</title>"), "a<b>c");
    assert_eq!(
        title(&format!("<title>{}</title>", "é".repeat(999)))
            .chars()
            .count(),
        300
    );
}

#[test]
fn links_on_request() {
    let options = Options {
        links: true,
        ..Options::default()
    };
    let html = "See <a class=x href='https://x.example/?a=1&amp;b=2'>this</a>, <a>that</a> \
                and <a href=/c>c</a>.";
    let read = readable(html, &options).unwrap();
    assert_eq!(
        read.text,
        "See this <https://x.example/?a=1&b=2>, that and c </c>."
    );
}

#[test]
fn cut_on_a_character() {
    let options = |max_chars| Options {
        max_chars,
        ..Options::default()
    };
    let cut = |html: &str, max| readable(html, &options(max)).unwrap();
    let read = cut("<p>äöüß€</p><p>more</p>", 4);
    assert_eq!(
        (read.text.as_str(), read.truncated),
        ("äöüß [truncated at 4 chars]", true)
    );
    assert_eq!(cut("<p>äöüß€</p>", 5).text, "äöüß€");
    assert_eq!(cut("<p>äöüß€</p>  <br>\n", 5).text, "äöüß€");
    assert_eq!(cut("ab cd", 3).text, "ab [truncated at 3 chars]");
    assert_eq!(cut("x", 0).text, " [truncated at 0 chars]");
    assert_eq!(cut("", 0).text, "");
    assert!(
        readable(
            "too large",
            &Options {
                max_input: 3,
                ..Options::default()
            }
        )
        .is_err()
    );
}

#[test]
fn plain_text() {
    let read = plain("a  b\r\n\r\n<p>c\u{1b}[0m &amp;", &Options::default());
    assert_eq!(read.text, "a b\n<p>c[0m &amp;");
}

/// Everything here is 2 MiB, or 100,000 of something, in a build without optimisation.
#[test]
fn hostile_pages_take_bounded_time() {
    let fill = |unit: &str| unit.repeat((2 << 20) / unit.len());
    let nest = |name: &str, n: usize| {
        format!(
            "{}deep{}",
            format!("<{name}>").repeat(n),
            format!("</{name}>").repeat(n)
        )
    };
    let names: String = (0..100_000)
        .flat_map(|n| ["<x".to_owned(), n.to_string(), ">".to_owned()])
        .collect();
    let attributes: String = (0..200_000)
        .flat_map(|n| [" a".to_owned(), n.to_string(), "=b".to_owned()])
        .collect();
    let pages = [
        ("100,000 nested div", nest("div", 100_000)),
        ("100,000 nested nav", nest("nav", 100_000)),
        ("100,000 nested table", nest("table", 100_000)),
        ("100,000 open font", "<font>".repeat(100_000)),
        ("100,000 open b, p", "<b><p>".repeat(100_000)),
        ("100,000 names", names),
        ("200,000 attributes", format!("<p{attributes}>")),
        ("same attribute", format!("<p {}>", fill("a "))),
        ("<", fill("<")),
        ("</", fill("</")),
        ("<!", fill("<!")),
        ("<!--", fill("<!--")),
        ("<!-- -", format!("<!--{}", fill("-"))),
        ("&", fill("&")),
        ("&am", fill("&am")),
        ("&amp;", fill("&amp;")),
        ("&#", fill("&#")),
        ("&#99…", format!("&#{}", fill("9"))),
        ("CounterClockwise", fill("&CounterClockwiseContourIntegra")),
        ("one word", fill("x")),
        ("white space", fill(" ")),
        ("new lines in pre", format!("<pre>{}", fill("\n"))),
        ("script open", format!("<script>{}", fill("</scrip"))),
        (
            "script comments",
            format!("<script>{}", fill("<!--<script>")),
        ),
        ("style open", format!("<style>{}", fill("</styl"))),
        ("title", format!("<title>{}", fill("</titl"))),
        ("textarea", fill("<textarea>")),
        ("plaintext", fill("<plaintext>")),
        ("svg", fill("<svg>")),
        ("hidden", fill("<p hidden>")),
        ("hidden i in p", format!("<p hidden>{}", fill("<i></i>"))),
        ("end tags", fill("</p>")),
        ("one long name", format!("<{}", fill("a"))),
        (
            "one long value",
            format!("<p style=\"{}\">", fill("display:")),
        ),
        ("many values", fill("<p style=display:x>y")),
        ("many rules", {
            let rules: Vec<String> = (0..1_000)
                .map(|n| format!(".a.b{n}{{opacity:0}}"))
                .collect();
            let rules = rules.concat();
            format!("<style>{rules}</style>{}", fill("<i class='a c d e f'>"))
        }),
        (
            "many classes",
            format!("<style>.a{{opacity:0}}</style><i class='{}'>", fill("a ")),
        ),
        ("blocks", format!("<style>{}", fill("a{") + "</style>")),
        (
            "media blocks",
            format!("<style>{}", fill("@media all{") + "</style>"),
        ),
        ("comments", format!("<style>{}", fill("/*") + "</style>")),
        (
            "selectors",
            format!("<style>{}{{opacity:0}}</style>", fill(".a,")),
        ),
        ("escapes", format!("<p style='{}'>", fill("\\64 "))),
        ("details", fill("<details>")),
        ("summaries", fill("<details><summary>")),
        ("cdata", fill("<![CDATA[")),
        ("doctype", fill("<!DOCTYPE a PUBLIC \"")),
        ("nul", fill("\0")),
        ("control", fill("\u{1b}")),
        ("replacement", fill("\u{fffd}")),
        ("astral", fill("😀")),
        ("links", fill("<a href=x>y</a>")),
    ];
    let options = Options {
        max_chars: usize::MAX,
        links: true,
        ..Options::default()
    };
    let slowest = |pages: &[(&'static str, String)]| {
        let mut slowest = (Duration::ZERO, "");
        for (name, page) in pages {
            let start = Instant::now();
            let read = readable(page, &options).unwrap();
            let took = start.elapsed();
            // Ten times what a debug build takes on an idle machine; what grows with the square takes hours.
            assert!(took < Duration::from_secs(30), "{name}: {took:?}");
            assert!(read.text.len() <= page.len() * 2, "{name}");
            slowest = slowest.max((took, *name));
        }
        slowest
    };
    let (first, second) = pages.split_at(pages.len() / 2);
    let slowest = std::thread::scope(|scope| {
        let other = scope.spawn(|| slowest(second));
        slowest(first).max(other.join().unwrap())
    });
    println!("slowest page: {slowest:?}");
    assert_eq!(text(&nest("div", 100_000)), "deep");
    assert_eq!(text(&nest("nav", 100_000)), "");
}
