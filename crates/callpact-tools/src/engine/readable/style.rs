//! The declarations of a style that hide an element.

use std::iter::once;

/// The effect of a style on the visibility of an element: one bit for each property.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct StyleEffect {
    plain: EffectBits,
    important: EffectBits,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct EffectBits {
    hide: u32,
    show: u32,
}

impl EffectBits {
    /// Later declarations win.
    fn then(self, later: Self) -> Self {
        Self {
            hide: (self.hide & !later.show) | later.hide,
            show: (self.show & !later.hide) | later.show,
        }
    }
}

/// The properties that are checked.
const PROPERTIES: [&str; 28] = [
    "overflow",
    "overflow-x",
    "overflow-y",
    "width",
    "max-width",
    "height",
    "max-height",
    "display",
    "visibility",
    "content-visibility",
    "opacity",
    "filter",
    "font-size",
    "color",
    "-webkit-text-fill-color",
    "left",
    "right",
    "top",
    "bottom",
    "text-indent",
    "margin-left",
    "margin-top",
    "transform",
    "translate",
    "scale",
    "clip",
    "clip-path",
    "zoom",
];
/// Bits of `overflow` and its two halves: they hide only an element without size.
const CLIPPED: u32 = 0b111;
/// Bits of the sizes: they hide only a clipped element.
const EMPTY: u32 = 0b111_1000;

impl StyleEffect {
    pub(super) fn is_plain(self) -> bool {
        self == Self::default()
    }

    pub(super) fn then(self, later: Self) -> Self {
        Self {
            plain: self.plain.then(later.plain),
            important: self.important.then(later.important),
        }
    }

    pub(super) fn is_hidden(self) -> bool {
        let hide = self.plain.then(self.important).hide;
        hide & !(CLIPPED | EMPTY) != 0 || (hide & CLIPPED != 0 && hide & EMPTY != 0)
    }

    /// Reads declarations, [tidied](tidy).
    pub(super) fn of(declarations: &str) -> Self {
        let mut look = Self::default();
        for declaration in declarations.split(';') {
            let Some((name, value)) = declaration.split_once(':') else {
                continue;
            };
            let (value, important) = match value.trim().strip_suffix("important") {
                Some(rest) => match rest.trim_end().strip_suffix('!') {
                    Some(value) => (value.trim(), true),
                    None => continue,
                },
                None => (value.trim(), false),
            };
            let name = match name.trim() {
                "font" => "font-size",
                name => name,
            };
            let Some(at) = PROPERTIES.iter().position(|known| *known == name) else {
                continue;
            };
            let Some(hides) = hides(name, value) else {
                continue;
            };
            let bit = 1 << at;
            let said = EffectBits {
                hide: if hides { bit } else { 0 },
                show: if hides { 0 } else { bit },
            };
            if important {
                look.important = look.important.then(said);
            } else {
                look.plain = look.plain.then(said);
            }
        }
        look
    }
}

/// Whether a value of a property hides the element; `None` for an invalid value.
fn hides(property: &str, value: &str) -> Option<bool> {
    let words = || value.split([' ', '/', ',']).filter(|word| !word.is_empty());
    if value.is_empty() {
        return None;
    }
    Some(match property {
        "display" => value == "none",
        "visibility" => matches!(value, "hidden" | "collapse"),
        "content-visibility" => value == "hidden",
        "overflow" | "overflow-x" | "overflow-y" => {
            words().any(|word| matches!(word, "hidden" | "clip"))
        }
        "width" | "max-width" | "height" | "max-height" => {
            length(value).is_some_and(|length| length <= 1.0)
        }
        "opacity" | "zoom" | "scale" => fraction(value).is_some_and(|value| value < 0.05),
        "filter" => argument(value, "opacity(")
            .and_then(fraction)
            .is_some_and(|value| value < 0.05),
        // The size in `font` too, where a slash and the height of a line may follow.
        "font-size" => value
            .split(' ')
            .filter_map(|word| word.split('/').next())
            .filter(|word| !is_weight(word))
            .any(|word| length(word).is_some_and(|length| length < 2.0)),
        "color" | "-webkit-text-fill-color" => is_transparent(value),
        "left" | "right" | "top" | "bottom" | "text-indent" | "margin-left" | "margin-top" => {
            words().next().and_then(length).is_some_and(is_far)
        }
        "translate" => words().filter_map(length).any(is_far),
        "transform" => {
            let scaled = argument(value, "scale(").and_then(fraction);
            scaled.is_some_and(|scale| scale < 0.05)
                || (value.contains("translate")
                    && value
                        .split(['(', ')', ',', ' '])
                        .filter(|word| !word.ends_with('%'))
                        .filter_map(length)
                        .any(is_far))
        }
        "clip" => is_empty_shape(value, "rect("),
        "clip-path" => {
            is_empty_shape(value, "polygon(")
                || argument(value, "circle(")
                    .and_then(length)
                    .is_some_and(|radius| radius < 1.0)
                || argument(value, "inset(").is_some_and(|inset| {
                    inset
                        .strip_suffix('%')
                        .and_then(number)
                        .is_some_and(|part| part >= 50.0)
                })
        }
        _ => return None,
    })
}

/// A weight in a `font`, as in `font: 400 1em serif`. It has no unit, and zero is not a weight.
fn is_weight(word: &str) -> bool {
    number(word).is_some_and(|weight| weight >= 1.0)
}

/// Farther from its place than any screen is large. To the left and the top a shorter distance is
/// enough, since nothing scrolls there.
fn is_far(pixels: f32) -> bool {
    pixels <= -500.0 || pixels >= 5_000.0
}

fn number(word: &str) -> Option<f32> {
    word.parse().ok().filter(|number: &f32| number.is_finite())
}

/// A number, or a percentage.
fn fraction(word: &str) -> Option<f32> {
    match word.strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(word),
    }
}

/// A length in pixels, as far as it is known without the page.
fn length(word: &str) -> Option<f32> {
    let end = word
        .rfind(|c: char| c.is_ascii_digit() || c == '.')
        .map_or(0, |last| last + 1);
    let (digits, unit) = word.split_at_checked(end)?;
    let factor = match unit {
        "" | "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "em" | "rem" | "ch" | "ex" | "pc" => 16.0,
        "mm" => 3.8,
        "cm" => 38.0,
        "in" => 96.0,
        "%" | "vw" | "vh" | "vmin" | "vmax" => 5.0,
        _ => return None,
    };
    Some(number(digits)? * factor)
}

/// The first argument of a function.
fn argument<'v>(value: &'v str, function: &str) -> Option<&'v str> {
    let (_, rest) = value.split_once(function)?;
    rest.split([')', ',', ' ']).find(|word| !word.is_empty())
}

/// Whether all numbers of a shape are equal, so that nothing is inside.
fn is_empty_shape(value: &str, function: &str) -> bool {
    let Some((_, rest)) = value.split_once(function) else {
        return false;
    };
    let inside = rest.split(')').next().unwrap_or_default();
    let mut numbers = inside
        .split([',', ' '])
        .filter(|word| !word.is_empty())
        .map(length);
    let Some(Some(first)) = numbers.next() else {
        return false;
    };
    numbers.all(|number| number.is_some_and(|number| (number - first).abs() < 0.5))
}

fn is_transparent(value: &str) -> bool {
    if value == "transparent" {
        return true;
    }
    if let Some(digits) = value.strip_prefix('#') {
        return match digits.len() {
            4 => digits.ends_with('0'),
            8 => digits.ends_with("00"),
            _ => false,
        };
    }
    let Some((function, inside)) = value.split_once('(') else {
        return false;
    };
    let inside = inside.trim_end_matches(')');
    let alpha = match inside.split_once('/') {
        Some((_, alpha)) => Some(alpha),
        None if function.ends_with('a') || function.len() == 3 => inside.split(',').nth(3),
        None => None,
    };
    alpha
        .and_then(|alpha| fraction(alpha.trim()))
        .is_some_and(|alpha| alpha < 0.05)
}

/// A style in lower case, without comments, with its strings empty and its escapes resolved. Each
/// white space becomes a space.
pub(super) fn tidy(style: &str) -> String {
    let mut tidy = String::with_capacity(style.len());
    let mut rest = style.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '/' if rest.peek() == Some(&'*') => {
                rest.next();
                let mut star = false;
                for c in rest.by_ref() {
                    if star && c == '/' {
                        break;
                    }
                    star = c == '*';
                }
            }
            '"' | '\'' => {
                let mut escaped = false;
                for inside in rest.by_ref() {
                    if inside == '\n' || (inside == c && !escaped) {
                        break;
                    }
                    escaped = inside == '\\' && !escaped;
                }
                tidy.push_str("\"\"");
            }
            '\\' => {
                let mut code = None;
                while let Some(digit) = rest.peek().and_then(|c| c.to_digit(16))
                    && code.unwrap_or(0) < 0x10_0000
                {
                    rest.next();
                    code = Some(code.unwrap_or(0) * 16 + digit);
                }
                let meant = match code {
                    Some(code) => {
                        rest.next_if(|c| c.is_whitespace());
                        char::from_u32(code)
                    }
                    None => rest.next(),
                };
                // An escaped mark has no meaning in the syntax.
                let plain = |c: &char| c.is_alphanumeric() || "-_".contains(*c);
                let meant = meant.filter(plain).unwrap_or('\u{fffd}');
                tidy.extend(meant.to_lowercase());
            }
            c if c.is_whitespace() => tidy.push(' '),
            c => tidy.extend(once(c.to_ascii_lowercase())),
        }
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(style: &str) -> bool {
        StyleEffect::of(&tidy(style)).is_hidden()
    }

    #[test]
    fn styles_that_hide() {
        for style in [
            "display:none",
            "DISPLAY : None ; color:red",
            "display:/**/none",
            "display:none/*;*/",
            "/* ; */display:none",
            r"d\69splay:none",
            r"\64 isplay:n\6f ne",
            "display:none!important",
            "display:none ! important;display:block",
            "content:';';display:none",
            "visibility:collapse",
            "content-visibility:hidden",
            "opacity:0",
            "opacity:.01",
            "opacity:0%",
            "filter:blur(2px) opacity(0%)",
            "font-size:0",
            "font-size:1px",
            "font:0/0 a",
            "font:bold 0px serif",
            "color:transparent",
            "color:rgba(1, 2, 3, 0)",
            "color:rgb(1 2 3 / 0%)",
            "color:hsla(1,2%,3%,.0)",
            "color:#fff0",
            "color:#12345600",
            "-webkit-text-fill-color:transparent",
            "position:absolute;left:-9999px",
            "position:fixed;top:-100vh",
            "left:-100em",
            "text-indent:-999em",
            "text-indent: -9999px",
            "margin-left:-2000px",
            "left:99999px",
            "transform:translateX(-9999px)",
            "transform:scale(0)",
            "translate:-5000px 0",
            "scale:0",
            "clip:rect(0,0,0,0)",
            "clip: rect(1px, 1px, 1px, 1px)",
            "clip-path:inset(50%)",
            "clip-path:inset(100%)",
            "clip-path:circle(0)",
            "clip-path:polygon(0 0, 0 0, 0 0)",
            "height:0;overflow:hidden",
            "max-height:0;overflow-y:clip",
            "overflow:hidden;width:1px;height:1px",
        ] {
            assert!(hidden(style), "{style}");
        }
    }

    #[test]
    fn styles_that_show() {
        for style in [
            "",
            ";",
            "none",
            "display",
            "display:",
            "display:block",
            "display:none;display:block",
            "display:block!important;display:none",
            "background:none",
            "visibility:visible",
            "opacity:1",
            "opacity:0.5",
            "filter:none",
            "font-size:0.8em",
            "font-size:12px",
            "font:400 1em/1.5 serif",
            "font:12px/0.9 serif",
            "color:#fff",
            "color:#ffffff",
            "color:#000000ff",
            "color:rgb(0,0,0)",
            "color:rgba(0,0,0,.8)",
            "left:-50%",
            "left:0",
            "top:-10px",
            "transform:translate(-50%,-50%)",
            "transform:translateX(-100%)",
            "transform:none",
            "text-indent:2em",
            "height:0",
            "overflow:hidden",
            "overflow:hidden;height:100%",
            "clip:auto",
            "clip:rect(0,10px,10px,0)",
            "clip-path:inset(1px)",
            "clip-path:circle(50%)",
            "--display:none",
            "content:'display:none'",
            r"display\3anone",
        ] {
            assert!(!hidden(style), "{style}");
        }
    }
}
