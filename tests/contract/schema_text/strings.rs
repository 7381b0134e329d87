//! Strings, their rules, and closed lists of strings.

use callpact_tests::shapes::text::*;
use expect_test::expect;

goldens! {
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
}
