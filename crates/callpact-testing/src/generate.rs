//! Values for a schema, half of them one mutation away from valid.

use serde_json::{Map, Value};

use callpact::schema::{Integer, Kind, Literal, Object, Schema, Tagging, Text, Union, Unknown};

use crate::{
    Rng,
    mutate::mutate,
    sample,
    values::{SchemaNode, any, character, whole, word},
};

/// A step from a value to one inside it.
#[derive(Clone, Debug)]
pub(crate) enum ValueStep {
    Key(String),
    Index(usize),
}

/// Makes values for a schema; the same seed gives the same values.
///
/// ```
/// use callpact::{Policy, ToolInput, read_value};
/// use callpact_testing::Generator;
///
/// let mut generator = Generator::new(7);
/// for _ in 0..100 {
///     let value = generator.valid(<Vec<u8> as ToolInput>::SCHEMA);
///     assert!(read_value::<Vec<u8>>(&value, &Policy::exact()).is_ok());
/// }
/// ```
#[derive(Debug)]
pub struct Generator {
    /// The source of its numbers.
    pub rng: Rng,
}

/// One value in the making.
struct ValueMaker<'r, 's> {
    rng: &'r mut Rng,
    path: Vec<ValueStep>,
    nodes: usize,
    chosen: Option<(Vec<ValueStep>, SchemaNode<'s>)>,
    depth: usize,
    /// The definitions around the current value.
    around: Vec<&'s Schema>,
    /// How many of them are inside themselves.
    levels: usize,
}

/// A generated value.
#[derive(Clone, Debug)]
pub struct Case {
    /// The value.
    pub value: Value,
    /// Whether it was mutated.
    pub mutated: bool,
}

impl Generator {
    /// A generator that starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
        }
    }

    /// A value that the schema accepts.
    pub fn valid(&mut self, schema: &Schema) -> Value {
        ValueMaker::new(&mut self.rng).value(schema)
    }

    /// A valid value, half of the time with one mutation.
    pub fn case(&mut self, schema: &Schema) -> Case {
        let mut maker = ValueMaker::new(&mut self.rng);
        let mut value = maker.value(schema);
        let chosen = maker.chosen;
        let mutated = self.rng.one_in(2);
        if mutated && let Some((path, node)) = chosen {
            let place = path.iter().try_fold(&mut value, |value, step| match step {
                ValueStep::Key(key) => value.get_mut(key),
                ValueStep::Index(index) => value.get_mut(index),
            });
            if let Some(place) = place {
                mutate(place, node, &mut self.rng);
            }
        }
        Case { value, mutated }
    }
}

impl<'r, 's> ValueMaker<'r, 's> {
    fn new(rng: &'r mut Rng) -> Self {
        Self {
            rng,
            path: Vec::new(),
            nodes: 0,
            chosen: None,
            depth: 0,
            around: Vec::new(),
            levels: 0,
        }
    }

    /// Each node is as likely as any other to be the one that is mutated.
    fn visit(&mut self, node: SchemaNode<'s>) {
        self.nodes += 1;
        if self.rng.one_in(self.nodes) {
            self.chosen = Some((self.path.clone(), node));
        }
    }

    fn below(&mut self, step: ValueStep, make: impl FnOnce(&mut Self) -> Value) -> Value {
        self.path.push(step);
        self.depth += 1;
        let value = make(self);
        self.depth -= 1;
        self.path.pop();
        value
    }

    fn value(&mut self, schema: &'s Schema) -> Value {
        self.visit(SchemaNode::Value(schema));
        if schema.nullable && (self.is_deep(schema) || self.rng.one_in(4)) {
            return Value::Null;
        }
        let mut around = self.around.iter().rev();
        if let Some(definition) = around.find(|around| around.is_definition_of(schema)) {
            let definition = *definition;
            self.levels += 1;
            let value = self.kind(definition);
            self.levels -= 1;
            return value;
        }
        if !schema.is_definition() {
            return self.kind(schema);
        }
        self.around.push(schema);
        let value = self.kind(schema);
        self.around.pop();
        value
    }

    /// Whether a value is left out if it can be, since values of such a schema contain themselves.
    fn is_deep(&self, schema: &Schema) -> bool {
        self.levels > 1 && (schema.is_stand_in() || schema.has_part(Schema::is_stand_in))
    }

    fn kind(&mut self, schema: &'s Schema) -> Value {
        match &schema.kind {
            Kind::Boolean => self.rng.one_in(2).into(),
            Kind::Integer(rules) => integer(rules, self.rng),
            Kind::Number(_) => self.number(schema),
            Kind::Text(rules) => text(schema, rules, self.rng).into(),
            Kind::List(rules) => {
                let min = rules.min_items.unwrap_or(0);
                let free = match self.depth {
                    _ if self.is_deep(&rules.items) => 0,
                    0..=4 => 3,
                    _ => 1,
                };
                let most = rules.max_items.unwrap_or(min + free);
                let wanted = between(min, most, self.rng);
                let least = usize::try_from(min).unwrap_or(wanted).min(wanted);
                let mut items: Vec<Value> = Vec::new();
                let mut tries = 0;
                // A few items are enough, unless the schema demands more. A set cannot hold an item twice.
                while items.len() < wanted
                    && (tries < 20 || items.len() < least && tries < 100 * least)
                {
                    tries += 1;
                    let index = items.len();
                    let item = self.below(ValueStep::Index(index), |this| this.value(&rules.items));
                    if !rules.unique || !items.iter().any(|other| same(other, &item)) {
                        items.push(item);
                    }
                }
                Value::Array(items)
            }
            Kind::Tuple(items) => Value::Array(
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| {
                        self.below(ValueStep::Index(index), |this| this.value(item))
                    })
                    .collect(),
            ),
            Kind::Map(rules) => {
                let mut map = Map::new();
                let most = if self.is_deep(&rules.values) { 1 } else { 4 };
                for _ in 0..self.rng.below(most) {
                    let key = match (&*rules.keys, rules.integers) {
                        ([], None) => word(self.rng),
                        ([], Some(keys)) => whole_key(&keys.range, self.rng),
                        (keys, _) => self.rng.pick(keys).name.to_string(),
                    };
                    self.entry(&mut map, key, &rules.values);
                }
                Value::Object(map)
            }
            Kind::Object(rules) => {
                let mut map = Map::new();
                self.fields(rules, &mut map);
                match &rules.extra {
                    Some(values) => self.extra(&mut map, schema, values),
                    None if rules.unknown != Unknown::Deny => self.stranger(&mut map, schema),
                    None => {}
                }
                Value::Object(self.shuffled(map))
            }
            Kind::Union(rules) => self.union(rules),
            _ => any(self.rng, 2),
        }
    }

    fn entry(&mut self, map: &mut Map<String, Value>, key: String, schema: &'s Schema) {
        if !map.contains_key(&key) {
            let value = self.below(ValueStep::Key(key.clone()), |this| this.value(schema));
            map.insert(key, value);
        }
    }

    fn extra(&mut self, map: &mut Map<String, Value>, own: &Schema, values: &'s Schema) {
        for _ in 0..self.rng.below(3) {
            let key = word(self.rng);
            if own.fields().all(|field| *field.name != *key) {
                self.entry(map, key, values);
            }
        }
    }

    /// Sometimes adds an undeclared key.
    fn stranger(&mut self, map: &mut Map<String, Value>, own: &Schema) {
        if self.rng.one_in(6) {
            let key = word(self.rng);
            if own.fields().all(|field| *field.name != *key) {
                map.insert(key, any(self.rng, 1));
            }
        }
    }

    fn fields(&mut self, rules: &'s Object, map: &mut Map<String, Value>) {
        for field in rules.all_fields() {
            let often = if self.depth > 4 { 4 } else { 2 };
            let wanted = self.rng.one_in(often) && !self.is_deep(&field.schema);
            if field.required || wanted {
                self.entry(map, field.name.to_string(), &field.schema);
            }
        }
    }

    /// Shuffles the entries, but keeps the declared order most of the time.
    fn shuffled(&mut self, map: Map<String, Value>) -> Map<String, Value> {
        let mut entries: Vec<_> = map.into_iter().collect();
        if self.rng.one_in(3) && !entries.is_empty() {
            let at = self.rng.below(entries.len());
            entries.rotate_left(at);
        }
        entries.into_iter().collect()
    }

    fn union(&mut self, rules: &'s Union) -> Value {
        let variant = self.rng.pick(&rules.variants);
        let name = Value::from(variant.name.part());
        if let (Tagging::None, Some(content)) = (&rules.tagging, variant.content.as_deref()) {
            return self.value(content);
        }
        self.visit(SchemaNode::Variant(rules, variant));
        let mut map = Map::new();
        match (&rules.tagging, variant.content.as_deref()) {
            (Tagging::External, None) => return name,
            (Tagging::External, Some(content)) => {
                self.entry(&mut map, variant.name.to_string(), content);
            }
            (Tagging::Adjacent { tag, content: key }, content) => {
                // The content before the tag or behind it.
                let first = self.rng.one_in(3);
                if first && let Some(content) = content {
                    self.entry(&mut map, key.to_string(), content);
                }
                map.insert(tag.to_string(), name);
                if !first && let Some(content) = content {
                    self.entry(&mut map, key.to_string(), content);
                }
            }
            (Tagging::Internal { tag }, content) => {
                map.insert(tag.to_string(), name);
                if let Some(Schema {
                    kind: Kind::Object(object),
                    ..
                }) = content
                {
                    self.fields(object, &mut map);
                }
                map = self.shuffled(map);
            }
            (Tagging::None, _) => {}
        }
        Value::Object(map)
    }

    fn number(&mut self, schema: &Schema) -> Value {
        let Kind::Number(rules) = &schema.kind else {
            return Value::Null;
        };
        let low = rules.min.as_ref().map(|bound| bound.at.value);
        let high = rules.max.as_ref().map(|bound| bound.at.value);
        let (low, high) = match (low, high) {
            (Some(low), Some(high)) => (low, high),
            (Some(low), None) => (low, low + 50.0),
            (None, Some(high)) => (high - 50.0, high),
            (None, None) => (-50.0, 50.0),
        };
        #[allow(clippy::cast_precision_loss)] // below a thousand
        let part = self.rng.below(999) as f64 / 1000.0 + 0.0005;
        let mut value = low + (high - low) * part;
        if let Some(step) = &rules.multiple_of {
            let times = (value / step.value).trunc();
            // As the author would write it: 0.3, and not 0.30000000000000004.
            value = format!("{:.2}", times * step.value)
                .parse()
                .unwrap_or(value);
        } else if self.rng.one_in(2) {
            let short = (value * 100.0).round() / 100.0;
            // Rounding must not reach an excluded bound.
            if low < short && short < high {
                value = short;
            }
        }
        if value.fract() == 0.0 && value.abs() < 1e6 && self.rng.one_in(2) {
            #[allow(clippy::cast_possible_truncation)] // the range was checked above
            return Value::from(value as i64);
        }
        Value::from(value)
    }
}

fn between(min: u64, max: u64, rng: &mut Rng) -> usize {
    let min = usize::try_from(min).unwrap_or(0);
    let max = usize::try_from(max).unwrap_or(0);
    min + rng.below(max.saturating_sub(min) + 1)
}

/// Whether JSON Schema treats two values as equal: 1 and 1.0 are one value.
#[must_use]
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// The text of an integer as the key of a map.
fn whole_key(rules: &Integer, rng: &mut Rng) -> String {
    let value = integer(rules, rng).to_string();
    value.trim_end_matches(".0").to_owned()
}

fn integer(rules: &Integer, rng: &mut Rng) -> Value {
    let pool: Vec<i128> = if rules.choices.is_empty() {
        let low = rules.min.unwrap_or(-1_000_000);
        let high = rules.max.unwrap_or(low + 2_000_000);
        let low = if rules.min.is_none() {
            high - 2_000_000
        } else {
            low
        };
        let span = usize::try_from(high - low)
            .unwrap_or(usize::MAX)
            .saturating_add(1);
        let mut pool = vec![
            low,
            high,
            low + rng.below(span) as i128,
            low + rng.below(span) as i128,
        ];
        pool.extend([0, 1, -1, 5].iter().filter(|n| (low..=high).contains(*n)));
        if let Some(step) = rules.multiple_of {
            pool = pool.iter().map(|n| n / step * step).collect();
            pool.push((low / step + 1) * step);
        }
        pool.retain(|n| (low..=high).contains(n) && !(rules.nonzero && *n == 0));
        pool
    } else {
        rules.choices.to_vec()
    };
    if pool.is_empty() {
        return Value::Null;
    }
    let value = *rng.pick(&pool);
    #[allow(clippy::cast_precision_loss)] // only if nothing is lost
    if value.abs() < 1 << 53 && rng.one_in(10) {
        return Value::from(value as f64);
    }
    whole(value)
}

fn text(schema: &Schema, rules: &Text, rng: &mut Rng) -> String {
    if !rules.choices.is_empty() {
        return rng.pick(&rules.choices).name.to_string();
    }
    // The author's example is the last resort: a format or a pattern may be impossible to guess.
    let written = || match (&schema.example, &schema.default) {
        (Some(Literal::Text(text)), _) | (_, Some(Literal::Text(text))) => text.to_string(),
        _ => String::new(),
    };
    if let Some(text) = rules.format.and_then(|format| sample::format(format, rng)) {
        return text;
    }
    if !rules.form.is_empty() {
        return sample::form(&rules.form, rng).unwrap_or_else(written);
    }
    let min = rules.min_length.unwrap_or(0);
    let max = rules.max_length.unwrap_or(u64::MAX);
    if let Some(pattern) = &rules.pattern {
        return sample::pattern(pattern, min, max, rng).unwrap_or_else(written);
    }
    let length = between(min, max.min(min.saturating_add(6)), rng);
    (0..length).map(|_| character(rng)).collect()
}
