//! The text of the schema: golden files, order, dialects, fingerprints.

use std::collections::{BTreeMap, HashSet};

use expect_test::{Expect, expect};
use serde_json::Value;
use toolwright::{Dialect, Schema, ToolInput, schema_json};
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
}
