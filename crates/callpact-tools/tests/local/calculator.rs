//! Arithmetic: section 1.10, bounds, and another calculator's opinion.

use std::time::{Duration, Instant};

use callpact_tools::engine::calculator::evaluate;

fn says(expression: &str) -> String {
    evaluate(expression).unwrap_or_else(|e| e.to_string())
}

#[test]
fn the_answers_of_section_1_10() {
    let large = "Result too large: whole numbers are exact up to 38 digits; write one of them with a decimal point (2.0) for an approximation";
    for (expression, answer) in [
        ("7/2", "3.5"),
        ("10^15", "1000000000000000"),
        ("1e5", "100000"),
        ("1.0E15", "1.0e15"),
        ("-2^2", "-4"),
        ("2^3^2", "512"),
        ("2^-1", "0.5"),
        ("0^0", "1"),
        ("-7%3", "-1"),
        ("10^400", large),
        ("(-8)^(1/3)", "Result is not a real number"),
        ("0.1+0.2", "0.3"),
        ("9007199254740993", "9007199254740993"),
        ("1/0", "Division by zero"),
        ("5%0", "Modulo by zero"),
        ("", "Expression must not be blank"),
        ("  ", "Expression must not be blank"),
        ("1+", "Invalid expression: Unexpected end of expression"),
        ("(1+2", "Invalid expression: Missing closing parenthesis"),
        ("1.2.3", "Invalid expression: Invalid number: 1.2.3"),
        (
            "2 x 3",
            "Invalid expression: Unexpected character 'x' at position 2",
        ),
        (
            "1e",
            "Invalid expression: Unexpected character 'e' at position 1",
        ),
    ] {
        assert_eq!(says(expression), answer, "{expression}");
    }
}

#[test]
#[allow(clippy::too_many_lines)] // a table
fn precedence_and_writing() {
    let small = says("1e-400");
    assert_eq!(
        small,
        "Result too small: it is not zero, but nearer to zero than 4.9e-324"
    );
    for (expression, answer) in [
        ("2+3*4", "14"),
        ("(2+3)*4", "20"),
        ("2-3-4", "-5"),
        ("64/4/2", "8"),
        ("7%4*2", "6"),
        ("-2*-3", "6"),
        ("2--3", "5"),
        ("+-+3", "-3"),
        ("2^-2^2", "0.0625"),
        ("-(2)^2", "-4"),
        ("(-2)^2", "4"),
        ("(-1)^(10^30+1)", "-1"),
        ("  12 \t* \n 3 ", "36"),
        (".5+1.", "1.5"),
        ("1.5e3", "1500"),
        ("15E-1", "1.5"),
        ("2e+3", "2000"),
        ("4^0.5", "2"),
        ("7.5%2", "1.5"),
        ("1-1.0", "0"),
        ("-0.0", "0"),
        ("0/-5", "0"),
        (
            "99999999999999999999*99999999",
            "9999999899999999999900000001",
        ),
        ("9007199254740993/2", "4503599627370496.5"),
        ("999999999999999.0", "999999999999999"),
        ("2^126", "85070591730234615865843651857942052864"),
        ("2^127", &says("10^400")),
        ("-(2^126)-2^126", &says("10^400")),
        ("2.0^200", "1.6069380442589903e60"),
        ("1/3", "0.3333333333333333"),
        ("1e-7", "1.0e-7"),
        ("4.35*100", "435"),
        ("1.10-1.1", "0"),
        ("-0.25+0.1", "-0.15"),
        ("1/8", "0.125"),
        ("0.00012/100", "1.2e-6"),
        ("1.005*1000", "1005"),
        ("7.3%0.2", "0.1"),
        ("1.1^10", "2.5937424601"),
        ("0.1^-3", "1000"),
        ("4^-3", "0.015625"),
        ("0.1+1e300", "1.0e300"),
        ("1e-400", &small),
        ("1e-200*1e-200", &small),
        ("1e-200/1e200", &small),
        ("0.5^2000", &small),
        ("0e-400", "0"),
        ("0*1e-300", "0"),
        ("1e-300-1e-300", "0"),
        ("1e-99999999999999999999", &small),
        (
            "()",
            "Invalid expression: Unexpected character ')' at position 1",
        ),
        (
            "1)",
            "Invalid expression: Unexpected character ')' at position 1",
        ),
        (
            "1 2",
            "Invalid expression: Unexpected character '2' at position 2",
        ),
        (
            "(1 2)",
            "Invalid expression: Unexpected character '2' at position 3",
        ),
        (
            "2**3",
            "Invalid expression: Unexpected character '*' at position 2",
        ),
        ("(", "Invalid expression: Unexpected end of expression"),
        (".", "Invalid expression: Invalid number: ."),
        (
            "1,5",
            "Invalid expression: Unexpected character ',' at position 1",
        ),
        (
            "３+4",
            "Invalid expression: Unexpected character '３' at position 0",
        ),
        (
            "5!",
            "Invalid expression: Unexpected character '!' at position 1",
        ),
        (
            "inf",
            "Invalid expression: Unexpected character 'i' at position 0",
        ),
        (
            "1/0 + )",
            "Invalid expression: Unexpected character ')' at position 6",
        ),
        ("0/0", "Division by zero"),
        ("0.0/0.0", "Division by zero"),
        ("0^-1", "Division by zero"),
        ("1%0.0", "Modulo by zero"),
        ("1e308*10", "Result too large: beyond 1.8e308"),
        ("1e999", "Result too large: beyond 1.8e308"),
        ("9^9^9^9", &says("10^400")),
        ("9.0^9.0^9", "Result too large: beyond 1.8e308"),
    ] {
        assert_eq!(says(expression), answer, "{expression}");
    }
}

#[test]
fn depth_and_length_are_bounded() {
    let start = Instant::now();
    for text in ["(", "-", "+", "2^", "((1)", "1+(", "-(", ")", "."] {
        for times in [65, 1_000, 100_000] {
            let error = evaluate(&text.repeat(times)).unwrap_err().to_string();
            assert!(
                error.starts_with("Invalid expression: ") && error.len() < 100,
                "{text} {times}: {error}"
            );
        }
    }
    assert!(
        evaluate(&"1+".repeat(500_000))
            .unwrap_err()
            .to_string()
            .contains("Too long")
    );
    let nested = |depth: usize| evaluate(&format!("{}1{}", "(".repeat(depth), ")".repeat(depth)));
    assert_eq!(nested(64).as_deref(), Ok("1"));
    assert_eq!(
        nested(65).unwrap_err().to_string(),
        "Invalid expression: Nested too deeply (at most 64 levels)"
    );
    // Length alone is no depth.
    assert_eq!(says(&format!("{}1", "1+".repeat(2_000))), "2001");
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

/// A small generator: the same numbers every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// An expression in the part of the language that both calculators agree on: no sign before a power.
    fn expression(&mut self, depth: u64) -> String {
        match self.roll(if depth == 0 { 2 } else { 8 }) {
            0 => self.roll(20).to_string(),
            1 => format!("{}.{}", self.roll(20), self.roll(1000)),
            2 => format!("({})", self.expression(depth - 1)),
            3 => format!("(-{})", self.expression(0)),
            4 => format!("({}^{})", self.expression(0), self.roll(4)),
            5..=6 => {
                let operator = ["+", "-", "*"][usize::try_from(self.roll(3)).unwrap()];
                format!(
                    "{}{operator}{}",
                    self.expression(depth - 1),
                    self.expression(depth - 1)
                )
            }
            _ => format!(
                "{}/({})",
                self.expression(depth - 1),
                self.expression(depth - 1)
            ),
        }
    }
}

#[test]
fn another_calculator_agrees() {
    let mut dice = Dice(42);
    let (mut same, mut refused) = (0, 0);
    for _ in 0..3_000 {
        let expression = dice.expression(4);
        let theirs: f64 = exmex::eval_str(&expression).unwrap();
        match evaluate(&expression) {
            Ok(ours) => {
                let ours: f64 = ours.parse().unwrap();
                let near = (ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0);
                assert!(near, "{expression}: {ours} and {theirs}");
                same += 1;
            }
            // A quotient that is zero only when rounded makes them differ by infinity.
            Err(e) => {
                assert!(
                    ["Division by zero"].contains(&e.to_string().as_str()),
                    "{expression}: {e} and {theirs}"
                );
                refused += 1;
            }
        }
    }
    println!("{same} the same, {refused} refused");
    assert!(same > 2_500);
}

#[test]
fn every_answer_can_be_read_back() {
    let mut dice = Dice(7);
    let more = [
        "2.0^200",
        "1e-7/3",
        "-(2^126)",
        "1e308",
        "10.0^22",
        "2.0^53",
        "-1/3",
        "5e-324",
        "123456789.125",
    ];
    let generated = std::iter::from_fn(|| Some(dice.expression(5))).take(3_000);
    for expression in more.into_iter().map(str::to_owned).chain(generated) {
        let Ok(answer) = evaluate(&expression) else {
            continue;
        };
        assert_eq!(
            evaluate(&answer).as_deref(),
            Ok(answer.as_str()),
            "{expression}"
        );
        assert!(answer.len() <= 40, "{answer}");
    }
}

#[test]
fn noise_never_panics() {
    let mut dice = Dice(3);
    let alphabet: Vec<char> = "0123456789.eE+-*/%^() \u{0}é".chars().collect();
    for _ in 0..50_000 {
        let length = dice.roll(24);
        let text: String = (0..length)
            .map(|_| alphabet[usize::try_from(dice.roll(alphabet.len() as u64)).unwrap()])
            .collect();
        if let Ok(answer) = evaluate(&text) {
            assert!(answer.parse::<f64>().unwrap().is_finite(), "{text}");
        }
    }
}
