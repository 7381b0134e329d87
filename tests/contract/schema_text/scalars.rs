//! Numbers and their rules.

use callpact_tests::shapes::numbers::*;
use expect_test::expect;

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
}
