//! Descriptions, defaults and examples of a parameter.

use callpact_tests::shapes::attributes::*;
use expect_test::expect;

goldens! {
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
              "description":"default: \"plain \\\"text\\\"\""
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
              "description":"default: 3",
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
              "description":"Over the field\n\nin two paragraphs (example: \"an \\\"example\\\"\")"
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
}
