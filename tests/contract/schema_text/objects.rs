//! Structs, optional fields and flattened fields.

use callpact::ToolInput;
use callpact_tests::shapes::{flat::*, structs::*};
use expect_test::expect;

goldens! {
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
    let names: Vec<_> = FlatDeep::SCHEMA
        .fields()
        .map(|field| field.name.part())
        .collect();
    assert_eq!(
        names,
        [
            "first", "page", "per_page", "between", "order", "stable", "x", "y", "last"
        ]
    );
    let names: Vec<_> = FlatBoth::SCHEMA
        .fields()
        .map(|field| field.name.part())
        .collect();
    assert_eq!(
        names,
        ["page", "per_page", "last"],
        "a flattened map is not a field"
    );
    let names: Vec<_> = FlatMapInside::SCHEMA
        .fields()
        .map(|field| field.name.part())
        .collect();
    assert_eq!(names, ["own", "a"]);
}
