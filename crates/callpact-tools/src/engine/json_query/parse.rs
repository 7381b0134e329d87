//! The grammar of `JSONPath`, RFC 9535 section 2 and its collected ABNF.

use super::cursor::PathCursor;
use super::node::{JsonNode, JsonNumber, NodeKind};
use super::pattern::compile;
use super::syntax::{
    FilterComparison, FilterOperand, FilterTest, PathQuery, QuerySegment, QuerySelector,
};

/// Reads a whole query. The error says what was expected and where, counted in characters from 1.
pub(super) fn parse_query(path: &str) -> Result<PathQuery, String> {
    let mut parser = PathCursor { path, at: 0 };
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
enum FilterPart {
    Query(PathQuery),
    Value(FilterOperand),
    Test(FilterTest),
}

impl PathCursor<'_> {
    /// The segments of a query whose first character was read.
    fn query_after(&mut self, from_root: bool) -> Result<PathQuery, String> {
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
                QuerySegment {
                    descends: true,
                    selectors,
                }
            } else if self.eat(".") {
                let selectors = vec![self.shorthand()?];
                QuerySegment {
                    descends: false,
                    selectors,
                }
            } else if self.peek() == Some('[') {
                let selectors = self.bracket()?;
                QuerySegment {
                    descends: false,
                    selectors,
                }
            } else {
                // The space belongs to the next part.
                self.at = before;
                return Ok(PathQuery {
                    from_root,
                    segments,
                });
            };
            segments.push(segment);
        }
    }

    /// The part after a dot: `*` or a name.
    fn shorthand(&mut self) -> Result<QuerySelector, String> {
        if self.eat("*") {
            return Ok(QuerySelector::Wildcard);
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
        Ok(QuerySelector::Name(name.to_owned()))
    }

    fn bracket(&mut self) -> Result<Vec<QuerySelector>, String> {
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

    fn selector(&mut self) -> Result<QuerySelector, String> {
        match self.peek() {
            Some('\'' | '"') => Ok(QuerySelector::Name(self.string()?)),
            Some('*') => {
                self.next();
                Ok(QuerySelector::Wildcard)
            }
            Some('?') => {
                self.next();
                self.skip_space();
                Ok(QuerySelector::Filter(self.either()?))
            }
            Some('-' | ':' | '0'..='9') => self.index_or_slice(),
            _ => Err(self.expected("a quoted name, a number, `*`, `:` or `?`")),
        }
    }

    fn index_or_slice(&mut self) -> Result<QuerySelector, String> {
        let start = self.whole_number()?;
        let after = self.at;
        self.skip_space();
        if !self.eat(":") {
            self.at = after;
            let index = start.ok_or_else(|| self.expected("a number"))?;
            return Ok(QuerySelector::Index(index));
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
        Ok(QuerySelector::Slice {
            start,
            end,
            step: step.unwrap_or(1),
        })
    }

    /// Tests separated by `||`.
    fn either(&mut self) -> Result<FilterTest, String> {
        let mut tests = vec![self.all_of()?];
        while self.eat_after_space("||") {
            self.skip_space();
            tests.push(self.all_of()?);
        }
        Ok(match tests.len() {
            1 => tests.remove(0),
            _ => FilterTest::Or(tests),
        })
    }

    /// Tests separated by `&&`.
    fn all_of(&mut self) -> Result<FilterTest, String> {
        let mut tests = vec![self.test()?];
        while self.eat_after_space("&&") {
            self.skip_space();
            tests.push(self.test()?);
        }
        Ok(match tests.len() {
            1 => tests.remove(0),
            _ => FilterTest::And(tests),
        })
    }

    fn test(&mut self) -> Result<FilterTest, String> {
        if self.eat("!") {
            self.skip_space();
            let inner = if self.peek() == Some('(') {
                self.in_parentheses()?
            } else {
                let start = self.at;
                let part = self.part()?;
                self.as_test(part, start)?
            };
            return Ok(FilterTest::Not(Box::new(inner)));
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
        Ok(FilterTest::Compare(left, comparison, right))
    }

    fn in_parentheses(&mut self) -> Result<FilterTest, String> {
        self.need("(")?;
        self.skip_space();
        let test = self.either()?;
        self.skip_space();
        self.need(")")?;
        Ok(test)
    }

    fn comparison(&mut self) -> Option<FilterComparison> {
        // The longer ones come first.
        let all = [
            ("==", FilterComparison::Equal),
            ("!=", FilterComparison::NotEqual),
            ("<=", FilterComparison::LessOrEqual),
            (">=", FilterComparison::GreaterOrEqual),
            ("<", FilterComparison::Less),
            (">", FilterComparison::Greater),
        ];
        all.into_iter()
            .find_map(|(text, comparison)| self.eat(text).then_some(comparison))
    }

    fn as_test(&mut self, part: FilterPart, start: usize) -> Result<FilterTest, String> {
        match part {
            FilterPart::Query(query) => Ok(FilterTest::Exists(query)),
            FilterPart::Test(test) => Ok(test),
            FilterPart::Value(_) => {
                self.at = start;
                Err(self.expected("something that is true or false, not a value"))
            }
        }
    }

    fn as_operand(&mut self, part: FilterPart, start: usize) -> Result<FilterOperand, String> {
        match part {
            FilterPart::Value(operand) => Ok(operand),
            FilterPart::Query(query) if query.is_singular() => Ok(FilterOperand::Singular(query)),
            FilterPart::Query(_) => {
                self.at = start;
                Err(self.expected("a query that names one value at most"))
            }
            FilterPart::Test(_) => {
                self.at = start;
                Err(self.expected("a value, not something that is true or false"))
            }
        }
    }

    /// A query, a literal or a function.
    fn part(&mut self) -> Result<FilterPart, String> {
        match self.peek() {
            Some('@') => {
                self.next();
                Ok(FilterPart::Query(self.query_after(false)?))
            }
            Some('$') => {
                self.next();
                Ok(FilterPart::Query(self.query_after(true)?))
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

    fn number(&mut self) -> Result<FilterPart, String> {
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
    fn word(&mut self) -> Result<FilterPart, String> {
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
            "length" => FilterPart::Value(FilterOperand::Length(Box::new(self.operand()?))),
            "count" => FilterPart::Value(FilterOperand::Count(self.nodes()?)),
            "value" => FilterPart::Value(FilterOperand::Value(self.nodes()?)),
            "match" | "search" => {
                let text = self.operand()?;
                self.skip_space();
                self.need(",")?;
                self.skip_space();
                let start = self.at;
                let pattern = self.operand()?;
                let whole = word == "match";
                // Silently matching nothing would not help.
                if let FilterOperand::Literal(JsonNode {
                    kind: NodeKind::Text(text),
                    ..
                }) = &pattern
                    && compile(text, whole).is_none()
                {
                    self.at = start;
                    return Err(self.expected("a pattern (I-Regexp, RFC 9485)"));
                }
                FilterPart::Test(FilterTest::Matches {
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
    fn operand(&mut self) -> Result<FilterOperand, String> {
        let start = self.at;
        let part = self.part()?;
        self.as_operand(part, start)
    }

    /// An argument that is a list of nodes.
    fn nodes(&mut self) -> Result<PathQuery, String> {
        let start = self.at;
        if let FilterPart::Query(query) = self.part()? {
            return Ok(query);
        }
        self.at = start;
        Err(self.expected("a query"))
    }
}

fn literal(kind: NodeKind) -> FilterPart {
    FilterPart::Value(FilterOperand::Literal(kind.into()))
}
