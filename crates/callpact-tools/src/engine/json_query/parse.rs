//! The grammar of `JSONPath`, RFC 9535 section 2 and its collected ABNF.

use super::cursor::Cursor;
use super::node::{JsonNumber, Node, NodeKind};
use super::pattern::compile;
use super::syntax::{Comparison, Operand, Query, Segment, Selector, Test};

/// Reads a whole query. The error says what was expected and where, counted in characters from 1.
pub(super) fn parse_query(path: &str) -> Result<Query, String> {
    let mut parser = Cursor { path, at: 0 };
    if !parser.eat("$") {
        return Err(parser.expected("`$`"));
    }
    let query = parser.query_after(true)?;
    if parser.at < path.len() {
        return Err(parser.expected("`.`, `[` or the end"));
    }
    Ok(query)
}

/// A part of a filter whose use is not known yet.
enum Part {
    Query(Query),
    Value(Operand),
    Test(Test),
}

impl Cursor<'_> {
    /// The segments of a query whose first character was read.
    fn query_after(&mut self, from_root: bool) -> Result<Query, String> {
        let mut segments = Vec::new();
        loop {
            let before = self.at;
            self.skip_space();
            let segment = if self.eat("..") {
                let selectors = if self.peek() == Some('[') {
                    self.bracket()?
                } else {
                    vec![self.shorthand()?]
                };
                Segment {
                    descends: true,
                    selectors,
                }
            } else if self.eat(".") {
                let selectors = vec![self.shorthand()?];
                Segment {
                    descends: false,
                    selectors,
                }
            } else if self.peek() == Some('[') {
                let selectors = self.bracket()?;
                Segment {
                    descends: false,
                    selectors,
                }
            } else {
                // The space belongs to the next part.
                self.at = before;
                return Ok(Query {
                    from_root,
                    segments,
                });
            };
            segments.push(segment);
        }
    }

    /// The part after a dot: `*` or a name.
    fn shorthand(&mut self) -> Result<Selector, String> {
        if self.eat("*") {
            return Ok(Selector::Wildcard);
        }
        let start = self.at;
        let first = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
        if !self.peek().is_some_and(first) {
            return Err(self.expected("a name or `*`"));
        }
        while self.peek().is_some_and(|c| first(c) || c.is_ascii_digit()) {
            self.next();
        }
        let name = self.path.get(start..self.at).unwrap_or_default();
        Ok(Selector::Name(name.to_owned()))
    }

    fn bracket(&mut self) -> Result<Vec<Selector>, String> {
        self.need("[")?;
        let mut selectors = Vec::new();
        loop {
            self.skip_space();
            selectors.push(self.selector()?);
            self.skip_space();
            if !self.eat(",") {
                break;
            }
        }
        self.need("]")?;
        Ok(selectors)
    }

    fn selector(&mut self) -> Result<Selector, String> {
        match self.peek() {
            Some('\'' | '"') => Ok(Selector::Name(self.string()?)),
            Some('*') => {
                self.next();
                Ok(Selector::Wildcard)
            }
            Some('?') => {
                self.next();
                self.skip_space();
                Ok(Selector::Filter(self.either()?))
            }
            Some('-' | ':' | '0'..='9') => self.index_or_slice(),
            _ => Err(self.expected("a quoted name, a number, `*`, `:` or `?`")),
        }
    }

    fn index_or_slice(&mut self) -> Result<Selector, String> {
        let start = self.whole_number()?;
        let after = self.at;
        self.skip_space();
        if !self.eat(":") {
            self.at = after;
            let index = start.ok_or_else(|| self.expected("a number"))?;
            return Ok(Selector::Index(index));
        }
        self.skip_space();
        let end = self.whole_number()?;
        let mut after = self.at;
        self.skip_space();
        let mut step = None;
        if self.eat(":") {
            after = self.at;
            self.skip_space();
            step = self.whole_number()?;
            if step.is_some() {
                after = self.at;
            }
        }
        self.at = after;
        Ok(Selector::Slice {
            start,
            end,
            step: step.unwrap_or(1),
        })
    }

    /// Tests separated by `||`.
    fn either(&mut self) -> Result<Test, String> {
        let mut tests = vec![self.all_of()?];
        while self.eat_after_space("||") {
            self.skip_space();
            tests.push(self.all_of()?);
        }
        Ok(match tests.len() {
            1 => tests.remove(0),
            _ => Test::Or(tests),
        })
    }

    /// Tests separated by `&&`.
    fn all_of(&mut self) -> Result<Test, String> {
        let mut tests = vec![self.test()?];
        while self.eat_after_space("&&") {
            self.skip_space();
            tests.push(self.test()?);
        }
        Ok(match tests.len() {
            1 => tests.remove(0),
            _ => Test::And(tests),
        })
    }

    fn test(&mut self) -> Result<Test, String> {
        if self.eat("!") {
            self.skip_space();
            let inner = if self.peek() == Some('(') {
                self.in_parentheses()?
            } else {
                let start = self.at;
                let part = self.part()?;
                self.as_test(part, start)?
            };
            return Ok(Test::Not(Box::new(inner)));
        }
        if self.peek() == Some('(') {
            return self.in_parentheses();
        }
        let start = self.at;
        let left = self.part()?;
        let after = self.at;
        self.skip_space();
        let Some(comparison) = self.comparison() else {
            self.at = after;
            return self.as_test(left, start);
        };
        let left = self.as_operand(left, start)?;
        self.skip_space();
        let start = self.at;
        let right = self.part()?;
        let right = self.as_operand(right, start)?;
        Ok(Test::Compare(left, comparison, right))
    }

    fn in_parentheses(&mut self) -> Result<Test, String> {
        self.need("(")?;
        self.skip_space();
        let test = self.either()?;
        self.skip_space();
        self.need(")")?;
        Ok(test)
    }

    fn comparison(&mut self) -> Option<Comparison> {
        // The longer ones come first.
        let all = [
            ("==", Comparison::Equal),
            ("!=", Comparison::NotEqual),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        all.into_iter()
            .find_map(|(text, comparison)| self.eat(text).then_some(comparison))
    }

    fn as_test(&mut self, part: Part, start: usize) -> Result<Test, String> {
        match part {
            Part::Query(query) => Ok(Test::Exists(query)),
            Part::Test(test) => Ok(test),
            Part::Value(_) => {
                self.at = start;
                Err(self.expected("something that is true or false, not a value"))
            }
        }
    }

    fn as_operand(&mut self, part: Part, start: usize) -> Result<Operand, String> {
        match part {
            Part::Value(operand) => Ok(operand),
            Part::Query(query) if query.is_singular() => Ok(Operand::Singular(query)),
            Part::Query(_) => {
                self.at = start;
                Err(self.expected("a query that names one value at most"))
            }
            Part::Test(_) => {
                self.at = start;
                Err(self.expected("a value, not something that is true or false"))
            }
        }
    }

    /// A query, a literal or a function.
    fn part(&mut self) -> Result<Part, String> {
        match self.peek() {
            Some('@') => {
                self.next();
                Ok(Part::Query(self.query_after(false)?))
            }
            Some('$') => {
                self.next();
                Ok(Part::Query(self.query_after(true)?))
            }
            Some('\'' | '"') => {
                let text = self.string()?;
                Ok(literal(NodeKind::Text(text)))
            }
            Some('-' | '0'..='9') => self.number(),
            Some('a'..='z') => self.word(),
            _ => Err(self.expected("`@`, `$`, a literal, a function, `!` or `(`")),
        }
    }

    fn number(&mut self) -> Result<Part, String> {
        let start = self.at;
        self.eat("-");
        let leading_zero = self.peek() == Some('0');
        let digits = self.digits();
        let mut well = digits > 0 && !(leading_zero && digits > 1);
        if self.eat(".") {
            well &= self.digits() > 0;
        }
        if self.eat("e") || self.eat("E") {
            if !self.eat("-") {
                self.eat("+");
            }
            well &= self.digits() > 0;
        }
        let text = self.path.get(start..self.at).unwrap_or_default();
        match text.parse() {
            Ok(float) if well => Ok(literal(NodeKind::Number(JsonNumber {
                float,
                integer: text.parse().ok(),
            }))),
            _ => {
                self.at = start;
                Err(self.expected("a number of JSON"))
            }
        }
    }

    /// `true`, `false`, `null` or a function.
    fn word(&mut self) -> Result<Part, String> {
        let start = self.at;
        let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        while self.peek().is_some_and(inside) {
            self.at += 1;
        }
        let word = self.path.get(start..self.at).unwrap_or_default().to_owned();
        if !self.eat("(") {
            let kind = match word.as_str() {
                "true" => NodeKind::Bool(true),
                "false" => NodeKind::Bool(false),
                "null" => NodeKind::Null,
                _ => {
                    self.at = start;
                    return Err(self.expected("`true`, `false`, `null` or a function"));
                }
            };
            return Ok(literal(kind));
        }
        self.skip_space();
        let part = match word.as_str() {
            "length" => Part::Value(Operand::Length(Box::new(self.operand()?))),
            "count" => Part::Value(Operand::Count(self.nodes()?)),
            "value" => Part::Value(Operand::Value(self.nodes()?)),
            "match" | "search" => {
                let text = self.operand()?;
                self.skip_space();
                self.need(",")?;
                self.skip_space();
                let start = self.at;
                let pattern = self.operand()?;
                let whole = word == "match";
                // Silently matching nothing would not help.
                if let Operand::Literal(Node {
                    kind: NodeKind::Text(text),
                    ..
                }) = &pattern
                    && compile(text, whole).is_none()
                {
                    self.at = start;
                    return Err(self.expected("a pattern (I-Regexp, RFC 9485)"));
                }
                Part::Test(Test::Matches {
                    text,
                    pattern,
                    whole,
                })
            }
            _ => {
                self.at = start;
                return Err(self.expected("`length`, `count`, `value`, `match` or `search`"));
            }
        };
        self.skip_space();
        self.need(")")?;
        Ok(part)
    }

    /// An argument that is one value or nothing.
    fn operand(&mut self) -> Result<Operand, String> {
        let start = self.at;
        let part = self.part()?;
        self.as_operand(part, start)
    }

    /// An argument that is a list of nodes.
    fn nodes(&mut self) -> Result<Query, String> {
        let start = self.at;
        if let Part::Query(query) = self.part()? {
            return Ok(query);
        }
        self.at = start;
        Err(self.expected("a query"))
    }
}

fn literal(kind: NodeKind) -> Part {
    Part::Value(Operand::Literal(kind.into()))
}
