//! Lists, sets and tuples.

use callpact_tests::shapes::lists::*;
use expect_test::expect;

goldens! {
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
}
