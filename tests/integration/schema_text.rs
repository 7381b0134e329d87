//! The text of the schema: golden files, order, dialects, fingerprints, size.

use std::collections::{BTreeMap, HashSet};

use expect_test::{Expect, expect};
use serde_json::Value;
use toolwright::{Dialect, Schema, ToolInput, schema, schema_json};
use toolwright_tests::shapes::{
    all, attributes::*, flat::*, lists::*, maps::*, numbers::*, structs::*, text::*, unions::*,
};

use crate::contract::compile;

/// One key a line, in the order of the text; `serde_json` would sort them.
fn pretty(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for c in text.chars() {
        let structural = !quoted;
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = quoted && c == '\\' && !escaped;
        let line = |out: &mut String, depth: usize| {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        };
        match c {
            '{' if structural => {
                depth += 1;
                out.push(c);
                line(&mut out, depth);
            }
            '}' if structural => {
                depth -= 1;
                line(&mut out, depth);
                out.push(c);
            }
            ',' if structural => {
                out.push(c);
                line(&mut out, depth);
            }
            c => out.push(c),
        }
    }
    out
}

fn golden<T: ToolInput>(text: &'static str, expected: &Expect) {
    let built: String = T::SCHEMA.to_json(Dialect::Portable);
    assert_eq!(text, built, "the constant and the string");
    expected.assert_eq(&pretty(text));
}

macro_rules! goldens {
    ($($test:ident: $type:ty => $expected:expr;)*) => {$(
        #[test]
        fn $test() {
            const TEXT: &str = schema_json!($type, Dialect::Portable);
            golden::<$type>(TEXT, &$expected);
        }
    )*};
}

goldens! {
    integer_bounds: IntegerBounds => expect![[r#"
        {
          "type":"object",
          "properties":{
            "closed":{
              "type":"integer",
              "minimum":1,
              "maximum":60000
            },
            "open":{
              "type":"integer",
              "minimum":1,
              "maximum":9
            },
            "low":{
              "type":"integer",
              "minimum":3,
              "maximum":255
            },
            "high":{
              "type":"integer",
              "maximum":-3
            },
            "only":{
              "type":"integer",
              "minimum":7,
              "maximum":7
            },
            "bit":{
              "type":"integer",
              "minimum":0,
              "maximum":1
            }
          },
          "required":["closed",
          "open"]
        }"#]];
    float_rules: Multiples => expect![[r#"
        {
          "type":"object",
          "properties":{
            "five":{
              "type":"integer",
              "minimum":0,
              "maximum":4294967295,
              "multipleOf":5
            },
            "seven":{
              "type":"integer",
              "minimum":-100,
              "maximum":100,
              "multipleOf":7
            },
            "quarter":{
              "type":"number",
              "multipleOf":0.25
            },
            "tenth":{
              "type":"number",
              "multipleOf":0.1
            },
            "cent":{
              "type":"number",
              "minimum":0,
              "maximum":10,
              "multipleOf":0.01
            },
            "three":{
              "type":"number",
              "multipleOf":3
            }
          },
          "required":["five",
          "seven"]
        }"#]];
    lengths_and_patterns: Patterns => expect![[r#"
        {
          "type":"object",
          "properties":{
            "word":{
              "type":"string",
              "pattern":"^[a-z]+$"
            },
            "phone":{
              "type":"string",
              "pattern":"^\\d{3}-\\d{4}$"
            },
            "inside":{
              "type":"string",
              "pattern":"foo|bar"
            },
            "address":{
              "type":"string",
              "pattern":"^\\S+@\\S+$"
            },
            "two":{
              "type":"string",
              "pattern":"^.{2}$"
            },
            "both":{
              "type":"string",
              "minLength":3,
              "maxLength":6,
              "pattern":"^\\w+\\s\\w*$"
            },
            "quotes":{
              "type":"string",
              "pattern":"^[\"\\\\/]$"
            }
          },
          "required":["word",
          "phone"]
        }"#]];
    enums: Enums => expect![[r#"
        {
          "type":"object",
          "properties":{
            "color":{
              "type":"string",
              "enum":["Red",
              "dark-green",
              "Blue"]
            },
            "level":{
              "type":"string",
              "description":"How far to go (JUST_THIS: Only what is asked; ALL_AROUND: Everything \"near\"; WHOLE: To the end)",
              "enum":["JUST_THIS",
              "ALL_AROUND",
              "WHOLE"]
            },
            "maybe":{
              "type":"string",
              "enum":["Red",
              "dark-green",
              "Blue"]
            },
            "narrowed":{
              "type":"string",
              "enum":["Red",
              "Blue"]
            },
            "null":{
              "anyOf":[{
                "type":"string",
                "enum":["Red",
                "dark-green",
                "Blue"]
              },
              {
                "type":"null"
              }]
            },
            "list":{
              "type":"array",
              "items":{
                "type":"string",
                "description":"How far to go (JUST_THIS: Only what is asked; ALL_AROUND: Everything \"near\"; WHOLE: To the end)",
                "enum":["JUST_THIS",
                "ALL_AROUND",
                "WHOLE"]
              }
            }
          },
          "required":["color",
          "level",
          "null",
          "list"]
        }"#]];
    lists: Tuples => expect![[r#"
        {
          "type":"object",
          "properties":{
            "single":{
              "type":"array",
              "items":{
                "type":"integer",
                "minimum":0,
                "maximum":255
              },
              "minItems":1,
              "maxItems":1
            },
            "pair":{
              "type":"array",
              "description":"in this order: integer, string",
              "items":{
                "anyOf":[{
                  "type":"integer",
                  "minimum":0,
                  "maximum":255
                },
                {
                  "type":"string"
                }]
              },
              "minItems":2,
              "maxItems":2
            },
            "mixed":{
              "type":"array",
              "description":"in this order: boolean, integer, array",
              "items":{
                "anyOf":[{
                  "type":"boolean"
                },
                {
                  "anyOf":[{
                    "type":"integer",
                    "minimum":0,
                    "maximum":255
                  },
                  {
                    "type":"null"
                  }]
                },
                {
                  "type":"array",
                  "items":{
                    "type":"string"
                  }
                }]
              },
              "minItems":3,
              "maxItems":3
            },
            "nested":{
              "type":"array",
              "description":"in this order: array, object",
              "items":{
                "anyOf":[{
                  "type":"array",
                  "description":"in this order: integer, integer",
                  "items":{
                    "type":"integer",
                    "minimum":0,
                    "maximum":255
                  },
                  "minItems":2,
                  "maxItems":2
                },
                {
                  "type":"object",
                  "properties":{
                    "x":{
                      "type":"integer",
                      "minimum":-2147483648,
                      "maximum":2147483647
                    },
                    "y":{
                      "type":"integer",
                      "minimum":-2147483648,
                      "maximum":2147483647
                    }
                  },
                  "required":["x"]
                }]
              },
              "minItems":2,
              "maxItems":2
            },
            "list":{
              "type":"array",
              "items":{
                "type":"array",
                "description":"in this order: string, number",
                "items":{
                  "anyOf":[{
                    "type":"string"
                  },
                  {
                    "type":"number"
                  }]
                },
                "minItems":2,
                "maxItems":2
              }
            },
            "eight":{
              "type":"array",
              "description":"in this order: integer, integer, integer, integer, integer, integer, integer, string",
              "items":{
                "anyOf":[{
                  "type":"integer",
                  "minimum":0,
                  "maximum":255
                },
                {
                  "type":"string"
                }]
              },
              "minItems":8,
              "maxItems":8
            }
          },
          "required":["single",
          "pair"]
        }"#]];
    maps: EnumKeys => expect![[r#"
        {
          "type":"object",
          "properties":{
            "weights":{
              "type":"object",
              "properties":{
                "Red":{
                  "type":"number"
                },
                "dark-green":{
                  "type":"number"
                },
                "Blue":{
                  "type":"number"
                }
              },
              "additionalProperties":false
            },
            "maybe":{
              "type":"object",
              "properties":{
                "Red":{
                  "type":"object",
                  "properties":{
                    "x":{
                      "type":"integer",
                      "minimum":-2147483648,
                      "maximum":2147483647
                    },
                    "y":{
                      "type":"integer",
                      "minimum":-2147483648,
                      "maximum":2147483647
                    }
                  },
                  "required":["x"]
                },
                "dark-green":{
                  "type":"object",
                  "properties":{
                    "x":{
                      "type":"integer",
                      "minimum":-2147483648,
                      "maximum":2147483647
                    },
                    "y":{
                      "type":"integer",
                      "minimum":-2147483648,
                      "maximum":2147483647
                    }
                  },
                  "required":["x"]
                },
                "Blue":{
                  "type":"object",
                  "properties":{
                    "x":{
                      "type":"integer",
                      "minimum":-2147483648,
                      "maximum":2147483647
                    },
                    "y":{
                      "type":"integer",
                      "minimum":-2147483648,
                      "maximum":2147483647
                    }
                  },
                  "required":["x"]
                }
              },
              "additionalProperties":false
            },
            "list":{
              "type":"array",
              "items":{
                "type":"object",
                "properties":{
                  "Red":{
                    "anyOf":[{
                      "type":"string"
                    },
                    {
                      "type":"null"
                    }]
                  },
                  "dark-green":{
                    "anyOf":[{
                      "type":"string"
                    },
                    {
                      "type":"null"
                    }]
                  },
                  "Blue":{
                    "anyOf":[{
                      "type":"string"
                    },
                    {
                      "type":"null"
                    }]
                  }
                },
                "additionalProperties":false
              }
            }
          },
          "required":["weights"]
        }"#]];
    optional: Options => expect![[r#"
        {
          "type":"object",
          "properties":{
            "plain":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            },
            "required":{
              "anyOf":[{
                "type":"integer",
                "minimum":0,
                "maximum":255
              },
              {
                "type":"null"
              }]
            },
            "double":{
              "anyOf":[{
                "type":"integer",
                "minimum":0,
                "maximum":255
              },
              {
                "type":"null"
              }]
            },
            "said":{
              "type":"string"
            },
            "point":{
              "anyOf":[{
                "type":"object",
                "properties":{
                  "x":{
                    "type":"integer",
                    "minimum":-2147483648,
                    "maximum":2147483647
                  },
                  "y":{
                    "type":"integer",
                    "minimum":-2147483648,
                    "maximum":2147483647
                  }
                },
                "required":["x"]
              },
              {
                "type":"null"
              }]
            },
            "ruled":{
              "anyOf":[{
                "type":"integer",
                "minimum":3,
                "maximum":5
              },
              {
                "type":"null"
              }]
            },
            "triple":{
              "anyOf":[{
                "type":"boolean"
              },
              {
                "type":"null"
              }]
            }
          },
          "required":["required",
          "point",
          "ruled"]
        }"#]];
    flattened: FlatDeep => expect![[r#"
        {
          "type":"object",
          "properties":{
            "first":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            },
            "page":{
              "type":"integer",
              "minimum":1,
              "maximum":4294967295
            },
            "per_page":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            },
            "between":{
              "type":"boolean"
            },
            "order":{
              "type":"string",
              "enum":["up",
              "down"]
            },
            "stable":{
              "type":"boolean",
              "description":"default: true"
            },
            "x":{
              "type":"integer",
              "minimum":-2147483648,
              "maximum":2147483647
            },
            "y":{
              "type":"integer",
              "minimum":-2147483648,
              "maximum":2147483647
            },
            "last":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            }
          },
          "required":["page",
          "between",
          "order",
          "x"]
        }"#]];
    externally_tagged: Externals => expect![[r#"
        {
          "type":"object",
          "properties":{
            "one":{
              "anyOf":[{
                "type":"string",
                "enum":["Nothing",
                "other-thing"]
              },
              {
                "type":"object",
                "description":"With a center",
                "properties":{
                  "Circle":{
                    "type":"object",
                    "description":"With a center",
                    "properties":{
                      "radius":{
                        "type":"number",
                        "minimum":0
                      },
                      "center":{
                        "type":"object",
                        "properties":{
                          "x":{
                            "type":"integer",
                            "minimum":-2147483648,
                            "maximum":2147483647
                          },
                          "y":{
                            "type":"integer",
                            "minimum":-2147483648,
                            "maximum":2147483647
                          }
                        },
                        "required":["x"]
                      }
                    },
                    "required":["radius"]
                  }
                },
                "required":["Circle"],
                "additionalProperties":false
              },
              {
                "type":"object",
                "properties":{
                  "Number":{
                    "type":"integer",
                    "minimum":0,
                    "maximum":255
                  }
                },
                "required":["Number"],
                "additionalProperties":false
              },
              {
                "type":"object",
                "properties":{
                  "Pair":{
                    "type":"array",
                    "description":"in this order: integer, string",
                    "items":{
                      "anyOf":[{
                        "type":"integer",
                        "minimum":0,
                        "maximum":255
                      },
                      {
                        "type":"string"
                      }]
                    },
                    "minItems":2,
                    "maxItems":2
                  }
                },
                "required":["Pair"],
                "additionalProperties":false
              },
              {
                "type":"object",
                "properties":{
                  "Spot":{
                    "type":"object",
                    "properties":{
                      "x":{
                        "type":"integer",
                        "minimum":-2147483648,
                        "maximum":2147483647
                      },
                      "y":{
                        "type":"integer",
                        "minimum":-2147483648,
                        "maximum":2147483647
                      }
                    },
                    "required":["x"]
                  }
                },
                "required":["Spot"],
                "additionalProperties":false
              }]
            },
            "maybe":{
              "anyOf":[{
                "type":"string",
                "enum":["Nothing",
                "other-thing"]
              },
              {
                "type":"object",
                "description":"With a center",
                "properties":{
                  "Circle":{
                    "type":"object",
                    "description":"With a center",
                    "properties":{
                      "radius":{
                        "type":"number",
                        "minimum":0
                      },
                      "center":{
                        "type":"object",
                        "properties":{
                          "x":{
                            "type":"integer",
                            "minimum":-2147483648,
                            "maximum":2147483647
                          },
                          "y":{
                            "type":"integer",
                            "minimum":-2147483648,
                            "maximum":2147483647
                          }
                        },
                        "required":["x"]
                      }
                    },
                    "required":["radius"]
                  }
                },
                "required":["Circle"],
                "additionalProperties":false
              },
              {
                "type":"object",
                "properties":{
                  "Number":{
                    "type":"integer",
                    "minimum":0,
                    "maximum":255
                  }
                },
                "required":["Number"],
                "additionalProperties":false
              },
              {
                "type":"object",
                "properties":{
                  "Pair":{
                    "type":"array",
                    "description":"in this order: integer, string",
                    "items":{
                      "anyOf":[{
                        "type":"integer",
                        "minimum":0,
                        "maximum":255
                      },
                      {
                        "type":"string"
                      }]
                    },
                    "minItems":2,
                    "maxItems":2
                  }
                },
                "required":["Pair"],
                "additionalProperties":false
              },
              {
                "type":"object",
                "properties":{
                  "Spot":{
                    "type":"object",
                    "properties":{
                      "x":{
                        "type":"integer",
                        "minimum":-2147483648,
                        "maximum":2147483647
                      },
                      "y":{
                        "type":"integer",
                        "minimum":-2147483648,
                        "maximum":2147483647
                      }
                    },
                    "required":["x"]
                  }
                },
                "required":["Spot"],
                "additionalProperties":false
              }]
            },
            "list":{
              "type":"array",
              "items":{
                "anyOf":[{
                  "type":"string",
                  "enum":["Nothing",
                  "other-thing"]
                },
                {
                  "type":"object",
                  "description":"With a center",
                  "properties":{
                    "Circle":{
                      "type":"object",
                      "description":"With a center",
                      "properties":{
                        "radius":{
                          "type":"number",
                          "minimum":0
                        },
                        "center":{
                          "type":"object",
                          "properties":{
                            "x":{
                              "type":"integer",
                              "minimum":-2147483648,
                              "maximum":2147483647
                            },
                            "y":{
                              "type":"integer",
                              "minimum":-2147483648,
                              "maximum":2147483647
                            }
                          },
                          "required":["x"]
                        }
                      },
                      "required":["radius"]
                    }
                  },
                  "required":["Circle"],
                  "additionalProperties":false
                },
                {
                  "type":"object",
                  "properties":{
                    "Number":{
                      "type":"integer",
                      "minimum":0,
                      "maximum":255
                    }
                  },
                  "required":["Number"],
                  "additionalProperties":false
                },
                {
                  "type":"object",
                  "properties":{
                    "Pair":{
                      "type":"array",
                      "description":"in this order: integer, string",
                      "items":{
                        "anyOf":[{
                          "type":"integer",
                          "minimum":0,
                          "maximum":255
                        },
                        {
                          "type":"string"
                        }]
                      },
                      "minItems":2,
                      "maxItems":2
                    }
                  },
                  "required":["Pair"],
                  "additionalProperties":false
                },
                {
                  "type":"object",
                  "properties":{
                    "Spot":{
                      "type":"object",
                      "properties":{
                        "x":{
                          "type":"integer",
                          "minimum":-2147483648,
                          "maximum":2147483647
                        },
                        "y":{
                          "type":"integer",
                          "minimum":-2147483648,
                          "maximum":2147483647
                        }
                      },
                      "required":["x"]
                    }
                  },
                  "required":["Spot"],
                  "additionalProperties":false
                }]
              }
            },
            "closed":{
              "anyOf":[{
                "type":"string",
                "enum":["Nothing"]
              },
              {
                "type":"object",
                "properties":{
                  "Circle":{
                    "type":"object",
                    "properties":{
                      "radius":{
                        "type":"number"
                      }
                    },
                    "required":["radius"],
                    "additionalProperties":false
                  }
                },
                "required":["Circle"],
                "additionalProperties":false
              }]
            },
            "null":{
              "anyOf":[{
                "type":"string",
                "enum":["Nothing"]
              },
              {
                "type":"object",
                "properties":{
                  "Circle":{
                    "type":"object",
                    "properties":{
                      "radius":{
                        "type":"number"
                      }
                    },
                    "required":["radius"],
                    "additionalProperties":false
                  }
                },
                "required":["Circle"],
                "additionalProperties":false
              },
              {
                "type":"null"
              }]
            }
          },
          "required":["one",
          "null"]
        }"#]];
    internally_tagged_root: Internal => expect![[r#"
        {
          "type":"object",
          "properties":{
            "type":{
              "type":"string",
              "description":"circle: A round one",
              "enum":["nothing",
              "circle",
              "spot",
              "rect"]
            },
            "radius":{
              "type":"number"
            },
            "name":{
              "type":"string"
            },
            "x":{
              "type":"integer",
              "minimum":-2147483648,
              "maximum":2147483647
            },
            "y":{
              "type":"integer",
              "minimum":-2147483648,
              "maximum":2147483647
            },
            "width":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            },
            "height":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            }
          },
          "required":["type"]
        }"#]];
    defaults: Defaults => expect![[r#"
        {
          "type":"object",
          "properties":{
            "flag":{
              "type":"boolean",
              "description":"default: true"
            },
            "number":{
              "type":"integer",
              "description":"default: 30000",
              "minimum":1,
              "maximum":60000
            },
            "float":{
              "type":"number",
              "description":"default: -0.5"
            },
            "text":{
              "type":"string",
              "description":"default: \"plain \"text\"\""
            },
            "color":{
              "type":"string",
              "description":"default: \"dark-green\"",
              "enum":["Red",
              "dark-green",
              "Blue"]
            },
            "list":{
              "type":"array",
              "description":"default: [\"a\", \"b\"]",
              "items":{
                "type":"string"
              }
            },
            "function":{
              "type":"integer",
              "minimum":0,
              "maximum":4294967295
            },
            "constant":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            },
            "own":{
              "type":"array",
              "items":{
                "type":"integer",
                "minimum":0,
                "maximum":255
              }
            },
            "option":{
              "type":"integer",
              "description":"default: 5",
              "minimum":0,
              "maximum":255
            },
            "letter":{
              "type":"string",
              "description":"default: \"x\"",
              "minLength":1,
              "maxLength":1
            }
          }
        }"#]];
    names: Names => expect![[r#"
        {
          "type":"object",
          "properties":{
            "title":{
              "type":"string"
            },
            "type":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            },
            "$ref":{
              "type":"string"
            },
            "Content-Type":{
              "type":"string"
            },
            "with space \"and\" ü":{
              "type":"boolean"
            },
            "match":{
              "type":"integer",
              "minimum":0,
              "maximum":255
            },
            "description":{
              "type":"object",
              "properties":{
                "x":{
                  "type":"integer",
                  "minimum":-2147483648,
                  "maximum":2147483647
                },
                "y":{
                  "type":"integer",
                  "minimum":-2147483648,
                  "maximum":2147483647
                }
              },
              "required":["x"]
            },
            "properties":{
              "type":"array",
              "items":{
                "type":"integer",
                "minimum":0,
                "maximum":255
              }
            },
            "required":{
              "type":"boolean"
            }
          },
          "required":["title"]
        }"#]];
    words: Words => expect![[r#"
        {
          "type":"object",
          "description":"Words: \"quotes\", \\ and\nlines",
          "properties":{
            "text":{
              "type":"string",
              "description":"Over the field\n\nin two paragraphs (example: \"an \"example\"\")"
            },
            "number":{
              "type":"integer",
              "description":"Said by the attribute (example: 5)",
              "minimum":1,
              "maximum":255
            },
            "list":{
              "type":"array",
              "description":"example: [\"a\", \"b\"]",
              "items":{
                "type":"string"
              }
            },
            "point":{
              "type":"object",
              "description":"Beside a nested type",
              "properties":{
                "x":{
                  "type":"integer",
                  "minimum":-2147483648,
                  "maximum":2147483647
                },
                "y":{
                  "type":"integer",
                  "minimum":-2147483648,
                  "maximum":2147483647
                }
              },
              "required":["x"]
            },
            "color":{
              "type":"string",
              "enum":["Red",
              "dark-green",
              "Blue"]
            }
          },
          "required":["text",
          "number"]
        }"#]];
    newtypes: Newtypes => expect![[r#"
        {
          "type":"object",
          "properties":{
            "port":{
              "type":"integer",
              "minimum":1,
              "maximum":60000
            },
            "low_port":{
              "type":"integer",
              "minimum":1,
              "maximum":1024
            },
            "name":{
              "type":"string",
              "minLength":2,
              "maxLength":8,
              "pattern":"^[a-z]*$"
            },
            "tags":{
              "type":"array",
              "items":{
                "type":"string",
                "minLength":1,
                "maxLength":8
              },
              "minItems":1,
              "maxItems":3,
              "uniqueItems":true
            },
            "maybe":{
              "type":"string",
              "minLength":1,
              "maxLength":8
            },
            "ports":{
              "type":"array",
              "items":{
                "type":"integer",
                "minimum":1,
                "maximum":60000
              }
            }
          },
          "required":["port",
          "low_port",
          "ports"]
        }"#]];
}

#[test]
fn fields_keep_their_order_through_several_flattens() {
    let names: Vec<_> = FlatDeep::SCHEMA.fields().map(|field| field.name).collect();
    assert_eq!(
        names,
        [
            "first", "page", "per_page", "between", "order", "stable", "x", "y", "last"
        ]
    );
    let names: Vec<_> = FlatBoth::SCHEMA.fields().map(|field| field.name).collect();
    assert_eq!(
        names,
        ["page", "per_page", "", "last"],
        "a flattened map has no name"
    );
    let names: Vec<_> = FlatMapInside::SCHEMA
        .fields()
        .map(|field| field.name)
        .collect();
    assert_eq!(names, ["own", "a", ""]);
}

#[test]
fn portable_keeps_to_its_subset() {
    fn walk(schema: &Value, name: &str) {
        const WORDS: [&str; 18] = [
            "type",
            "description",
            "properties",
            "required",
            "items",
            "enum",
            "anyOf",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "minItems",
            "maxItems",
            "uniqueItems",
        ];
        for (key, value) in schema.as_object().expect("an object") {
            match key.as_str() {
                "properties" => value
                    .as_object()
                    .expect("an object")
                    .values()
                    .for_each(|value| walk(value, name)),
                "items" => walk(value, name),
                "anyOf" => value
                    .as_array()
                    .expect("an array")
                    .iter()
                    .for_each(|value| walk(value, name)),
                "additionalProperties" => {
                    assert!(value == &Value::Bool(false) || value.is_object(), "{name}");
                }
                "type" => assert!(value.is_string(), "{name}"),
                key => assert!(WORDS.contains(&key), "{key} in {name}"),
            }
        }
    }
    for shape in all() {
        let schema: Value = serde_json::from_str(shape.portable).expect("JSON");
        walk(&schema, shape.name);
        assert_eq!(
            shape.portable,
            shape.schema.to_json(Dialect::Portable),
            "{}",
            shape.name
        );
        assert_eq!(
            shape.whole,
            shape.schema.to_json(Dialect::Mcp20260728),
            "{}",
            shape.name
        );
    }
}

#[test]
fn every_dialect_is_json() {
    for shape in all() {
        for dialect in Dialect::ALL {
            let text = shape.schema.to_json(dialect);
            let schema: Value = serde_json::from_str(&text)
                .unwrap_or_else(|why| panic!("{} {dialect}: {why}\n{text}", shape.name));
            assert!(schema.is_object());
            assert_eq!(duplicate(&text), None, "{} {dialect}", shape.name);
            // Type names in capitals are no JSON Schema.
            if dialect != Dialect::GeminiOpenApi {
                jsonschema::draft202012::meta::validate(&schema)
                    .unwrap_or_else(|why| panic!("{} {dialect}: {why}\n{text}", shape.name));
                compile(&text);
            }
        }
    }
}

/// A key that stands twice in one object of a text.
fn duplicate(text: &str) -> Option<String> {
    toolwright::read_str::<Value>(text, &toolwright::Policy::exact())
        .err()
        .map(|why| why.to_string())
}

/// One declaration, and others that each differ in one thing.
mod changed {
    use toolwright::ToolInput;
    macro_rules! variants {
        ($($name:ident { $($(#[$attr:meta])* $field:ident: $type:ty),* } $(#[$container:meta])*;)*) => {$(
            #[derive(ToolInput)]
            #[allow(dead_code)] // declarations
            $(#[$container])*
            pub(crate) struct $name { $($(#[$attr])* $field: $type),* }
        )*};
    }
    variants! {
        Base { a: u8, b: Option<String> };
        Same { a: u8, b: Option<String> };
        // What the model does not see and what is not checked.
        Boxed { a: Box<u8>, b: Option<std::sync::Arc<str>> };
        Renamed { c: u8, b: Option<String> };
        Order { b: Option<String>, a: u8 };
        Type { a: u16, b: Option<String> };
        Required { a: u8, b: String };
        Nullable { a: u8, #[tool_param(required)] b: Option<String> };
        More { a: u8, b: Option<String>, c: Option<u8> };
        Less { a: u8 };
        Min { #[tool_param(min = 1)] a: u8, b: Option<String> };
        Max { #[tool_param(max = 254)] a: u8, b: Option<String> };
        Multiple { #[tool_param(multiple_of = 2)] a: u8, b: Option<String> };
        Choice { #[tool_param(one_of = [1, 2])] a: u8, b: Option<String> };
        Length { a: u8, #[tool_param(min_length = 1)] b: Option<String> };
        MaxLength { a: u8, #[tool_param(max_length = 1)] b: Option<String> };
        Pattern { a: u8, #[tool_param(pattern = "a")] b: Option<String> };
        TextChoice { a: u8, #[tool_param(one_of = ["a"])] b: Option<String> };
        Described { #[tool_param(description = "x")] a: u8, b: Option<String> };
        Documented { a: u8, b: Option<String> } #[doc = "What it does"];
        Closed { a: u8, b: Option<String> } #[tool_input(unknown = "deny")];
        Default { #[tool_param(default = 1)] a: u8, b: Option<String> };
        OtherDefault { #[tool_param(default = 2)] a: u8, b: Option<String> };
        Example { #[tool_param(example = 1)] a: u8, b: Option<String> };
        List { a: Vec<u8>, b: Option<String> };
        MinItems { #[tool_param(min_items = 1)] a: Vec<u8>, b: Option<String> };
        MaxItems { #[tool_param(max_items = 1)] a: Vec<u8>, b: Option<String> };
        Unique { #[tool_param(unique_items)] a: Vec<u8>, b: Option<String> };
        Map { a: std::collections::BTreeMap<String, u8>, b: Option<String> };
        Wait { a: std::time::Duration, b: Option<String> };
        Float { a: f64, b: Option<String> };
        Exclusive { #[tool_param(exclusive_min = 0)] a: f64, b: Option<String> };
        Inclusive { #[tool_param(min = 0)] a: f64, b: Option<String> };
    }
}

#[test]
fn fingerprints() {
    use changed::*;
    macro_rules! all {
        ($($type:ident)*) => { [$((stringify!($type), <$type as ToolInput>::FINGERPRINT)),*] };
    }
    let base = Base::FINGERPRINT;
    assert_eq!((base, base), (Same::FINGERPRINT, Boxed::FINGERPRINT));
    let changed = all! {
        Base Renamed Order Type Required Nullable More Less Min Max Multiple Choice Length MaxLength Pattern
        TextChoice Described Documented Closed Default OtherDefault Example List MinItems MaxItems
        Unique Map Wait Float Exclusive Inclusive
    };
    let mut seen = BTreeMap::new();
    for (name, fingerprint) in changed {
        if let Some(earlier) = seen.insert(fingerprint, name) {
            panic!("{name} and {earlier} have the same fingerprint");
        }
    }
    // One contract, one fingerprint, over all shapes.
    let shapes = all();
    let texts: HashSet<_> = shapes.iter().map(|shape| shape.whole).collect();
    let fingerprints: HashSet<_> = shapes.iter().map(|shape| shape.fingerprint).collect();
    assert_eq!(texts.len(), fingerprints.len());
    assert_eq!(base.to_string().len(), 16);
}

/// The same declaration for both derives: doc comments, rules, nested types.
mod sizes {
    use schemars::JsonSchema;
    use toolwright::ToolInput;

    macro_rules! both {
        ($($(#[$container:meta])* $kind:ident $name:ident { $($body:tt)* })*) => {$(
            #[derive(ToolInput, JsonSchema)]
            #[allow(dead_code)] // declarations
            $(#[$container])*
            pub(crate) $kind $name { $($body)* }
        )*};
    }

    both! {
        /// Search the web for pages
        struct Search {
            /// What to look for
            #[tool_param(min_length = 1)]
            #[schemars(length(min = 1))]
            query: String,
            /// How many results to give
            #[tool_param(min = 1, max = 50)]
            #[schemars(range(min = 1, max = 50))]
            limit: Option<u32>,
            /// Only pages of these sites
            sites: Option<Vec<String>>,
            /// What comes first
            sort: Option<Sort>,
        }
        enum Sort {
            /// The best match
            Match,
            /// The latest page
            Date,
        }
        /// Parameters for an HTTP request
        struct HttpRequest {
            /// The URL to request
            #[tool_param(min_length = 1)]
            #[schemars(length(min = 1))]
            url: String,
            /// HTTP method
            method: Method,
            /// Body of the request
            body: Option<String>,
            /// How long to wait, in milliseconds
            #[tool_param(min = 1, max = 60_000)]
            #[schemars(range(min = 1, max = 60_000))]
            timeout_ms: u32,
            /// Headers to send
            headers: Option<std::collections::HashMap<String, String>>,
        }
        enum Method {
            /// Read
            Get,
            /// Send something new
            Post,
            /// Replace
            Put,
            /// Remove
            Delete,
        }
        /// Write a file
        struct FileWrite {
            /// Path of the file, relative to the workspace
            #[tool_param(min_length = 1, max_length = 4096)]
            #[schemars(length(min = 1, max = 4096))]
            path: String,
            /// The whole content of the file
            content: String,
            /// Whether an existing file is replaced
            overwrite: Option<bool>,
            /// How the file is created
            mode: Option<Mode>,
        }
        enum Mode {
            /// Fail when the file exists
            Create,
            /// Add to the end
            Append,
            /// Write over it
            Replace,
        }
        /// Create an event in the calendar
        struct Event {
            /// Title of the event
            #[tool_param(min_length = 1, max_length = 200)]
            #[schemars(length(min = 1, max = 200))]
            title: String,
            /// When it starts
            start: Moment,
            /// How long it takes, in minutes
            minutes: Option<u16>,
            /// When to remind of it
            reminder: Option<Reminder>,
            /// Who takes part
            #[tool_param(max_items = 50)]
            #[schemars(length(max = 50))]
            people: Vec<Person>,
        }
        /// A moment in a time zone
        struct Moment {
            /// The date, such as 2026-07-28
            #[tool_param(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
            #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
            date: String,
            /// Minutes since midnight
            #[tool_param(max = 1439)]
            #[schemars(range(max = 1439))]
            minute: u16,
            /// Name of the time zone
            zone: Option<String>,
        }
        struct Reminder {
            /// Minutes before the start
            before: u16,
            /// How to remind
            by: Channel,
        }
        enum Channel {
            /// On the screen
            Popup,
            /// By e-mail
            Mail,
        }
        struct Person {
            /// Full name
            name: String,
            /// E-mail address
            email: Option<String>,
        }
        /// Change rows of a table
        struct Update {
            /// Name of the table
            table: String,
            /// Which rows
            filters: Vec<Filter>,
            /// New values of columns
            values: std::collections::BTreeMap<String, serde_json::Value>,
            /// The most rows that may change
            #[tool_param(min = 1, max = 1000)]
            #[schemars(range(min = 1, max = 1000))]
            limit: u32,
            /// Which rows come first
            order: Option<Order>,
        }
        enum Order {
            /// The oldest
            Age,
            /// The largest
            Size,
        }
        struct Filter {
            /// Name of the column
            column: String,
            /// How to compare
            operator: Operator,
            /// What to compare with
            value: serde_json::Value,
        }
        enum Operator {
            /// The same
            Equal,
            /// Not the same
            NotEqual,
            /// Below the value
            Less,
            /// Above the value
            Greater,
            /// A part of the text
            Contains,
        }
        /// Run a command
        struct Command {
            /// Program and arguments
            #[tool_param(min_items = 1)]
            #[schemars(length(min = 1))]
            argv: Vec<String>,
            /// Directory to run in
            directory: Option<std::path::PathBuf>,
            /// Seconds until it is ended
            #[tool_param(min = 1, max = 600)]
            #[schemars(range(min = 1, max = 600))]
            timeout: Option<u32>,
            /// What it reads
            stdin: Option<String>,
            /// What becomes of its output
            output: Option<Output>,
        }
        enum Output {
            /// All of it comes back
            Keep,
            /// Only the last lines
            Tail,
            /// Nothing
            Drop,
        }
        /// Set the position of a robot
        struct Pose {
            /// Position in metres
            position: Vector,
            /// Rotation in degrees
            rotation: Option<Vector>,
            /// Speed, as a part of the most
            #[tool_param(min = 0, max = 1)]
            #[schemars(range(min = 0, max = 1))]
            speed: f64,
            /// Where the axes begin
            frame: Option<Frame>,
        }
        enum Frame {
            /// In the room
            World,
            /// In the tool
            Tool,
        }
        struct Vector { x: f64, y: f64, z: f64 }
        /// Send a message
        struct Message {
            /// Who gets it
            #[tool_param(min_items = 1, unique_items)]
            #[schemars(length(min = 1), extend("uniqueItems" = true))]
            to: Vec<String>,
            /// The words
            text: String,
            /// How urgent it is
            priority: Option<Priority>,
            /// Files to add
            attachments: Option<Vec<Attachment>>,
        }
        enum Priority {
            /// Some day
            Low,
            /// Today
            Normal,
            /// At once
            High,
        }
        struct Attachment {
            /// Name of the file
            name: String,
            /// Size in bytes
            size: u64,
        }
        /// Book a room
        struct Booking {
            /// Number of the room
            #[tool_param(min = 100, max = 999)]
            #[schemars(range(min = 100, max = 999))]
            room: u16,
            /// How many guests
            #[tool_param(min = 1, max = 8)]
            #[schemars(range(min = 1, max = 8))]
            guests: u8,
            /// Nights to stay
            nights: u8,
            /// What they like
            wishes: Option<Vec<String>>,
            /// Whether they pay at once
            paid: bool,
            /// Who books
            guest: Option<Person>,
            /// What they eat
            board: Option<Board>,
        }
        enum Board {
            /// Nothing
            None,
            /// Only breakfast
            Breakfast,
            /// All meals
            Full,
        }
        /// Draw a shape
        struct Draw {
            /// The shape
            shape: Form,
            /// Color of the line
            color: Option<String>,
            /// Width of the line
            width: Option<f32>,
            /// How the line is drawn
            style: Option<Style>,
        }
        enum Style {
            /// Without gaps
            Solid,
            /// With short gaps
            Dashed,
            /// Points only
            Dotted,
        }
        #[serde(tag = "type")]
        enum Form {
            /// Around a point
            Circle { radius: f64 },
            /// Two sides
            Rectangle { width: f64, height: f64 },
        }
    }
}

/// Descriptions weigh the same on both sides, so the ratio hangs on how much else there is: without
/// documented variants and optional structs these ten came to 0.81.
#[test]
fn smaller_than_schemars() {
    use sizes::*;
    fn ours<T: ToolInput>() -> usize {
        T::SCHEMA.to_json(Dialect::Portable).len()
    }
    fn theirs<T: schemars::JsonSchema>() -> usize {
        serde_json::to_string(&schemars::schema_for!(T))
            .expect("JSON")
            .len()
    }
    macro_rules! table {
        ($($type:ident)*) => { [$((stringify!($type), ours::<$type>(), theirs::<$type>())),*] };
    }
    let table = table!(Search HttpRequest FileWrite Event Update Command Pose Message Booking Draw);
    for (name, ours, theirs) in table {
        println!("{name:12} {ours:5} {theirs:5}");
    }
    let ours: usize = table.iter().map(|row| row.1).sum();
    let theirs: usize = table.iter().map(|row| row.2).sum();
    #[allow(clippy::cast_precision_loss)] // thousands
    let ratio = ours as f64 / theirs as f64;
    println!("{:12} {ours:5} {theirs:5}: {ratio:.3}", "total");
    assert!(ratio <= 0.7, "{ratio}");
}

/// A schema that is not known at compile time has the same text.
#[test]
fn to_json_is_the_constant() {
    fn of(schema: &Schema, dialect: Dialect) -> String {
        schema.to_json(dialect)
    }
    assert_eq!(
        schema_json!(Page<u8>, Dialect::OpenAiStrict),
        of(Page::<u8>::SCHEMA, Dialect::OpenAiStrict)
    );
    assert_eq!(
        schema_json!(Lists, Dialect::Gemini),
        of(Lists::SCHEMA, Dialect::Gemini)
    );
    assert_eq!(
        schema_json!(Maps, Dialect::BedrockStrict),
        of(Maps::SCHEMA, Dialect::BedrockStrict)
    );
    assert_eq!(
        schema_json!(Untaggeds, Dialect::GeminiOpenApi),
        of(Untaggeds::SCHEMA, Dialect::GeminiOpenApi)
    );
    let len = schema::json_len(Page::<u8>::SCHEMA, Dialect::Portable);
    assert_eq!(len, schema_json!(Page<u8>, Dialect::Portable).len());
}
