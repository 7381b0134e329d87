//! How each form is written, for making texts.

use serde_json::{Map, Value};

/// One form: `{J}` is an object with name and arguments, `{A}` the arguments, `{N}` the name, `{P}` a call of Python,
/// `{X}` the parameters.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) form: &'static str,
    pub(super) open: &'static str,
    pub(super) call: &'static str,
    pub(super) between: &'static str,
    pub(super) close: &'static str,
    pub(super) parameter: (&'static str, &'static str),
}

const fn row(
    form: &'static str,
    open: &'static str,
    call: &'static str,
    between: &'static str,
    close: &'static str,
) -> Row {
    Row {
        form,
        open,
        call,
        between,
        close,
        parameter: ("", ""),
    }
}

const fn with(row: Row, head: &'static str, tail: &'static str) -> Row {
    Row {
        parameter: (head, tail),
        ..row
    }
}

pub(super) const ROWS: &[Row] = &[
    row("hermes", "", "<tool_call>\n{J}\n</tool_call>", "\n", ""),
    row(
        "longcat",
        "",
        "<longcat_tool_call>{J}</longcat_tool_call>",
        "\n",
        "",
    ),
    row("granite-3.1", "<tool_call> [", "{J}", ", ", "]"),
    row("granite-3", "<|tool_call|> [", "{J}", ", ", "]"),
    row("phi-4-mini", "", "<|tool_call|>{J}<|/tool_call|>", "", ""),
    row("functools", "functools[", "{J}", ", ", "]"),
    row("granite-20b-fc", "", "<function_call> {J}", "\n", ""),
    row("jamba", "<tool_calls>[", "{J}", ", ", "]</tool_calls>"),
    row(
        "minimax-m1",
        "<tool_calls>\n",
        "{J}",
        "\n",
        "\n</tool_calls>",
    ),
    row(
        "nemotron-nano-2",
        "<TOOLCALL>[",
        "{J}",
        ", ",
        "]</TOOLCALL>",
    ),
    row(
        "internlm-2",
        "",
        "<|action_start|><|plugin|>\n{J}<|action_end|>",
        "",
        "",
    ),
    row("mistral", "[TOOL_CALLS] [", "{J}", ", ", "]"),
    row("mistral-11", "", "[TOOL_CALLS]{N}[ARGS]{A}", "", ""),
    row(
        "cohere",
        "<|START_ACTION|>[",
        "{C}",
        ", ",
        "]<|END_ACTION|>",
    ),
    row(
        "apertus",
        "<|tools_prefix|>[",
        "{K}",
        ", ",
        "]<|tools_suffix|>",
    ),
    row(
        "deepseek-v3",
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁call▁begin｜>function<｜tool▁sep｜>{N}\n```json\n{A}\n```<｜tool▁call▁end｜>",
        "\n",
        "<｜tool▁calls▁end｜>",
    ),
    row(
        "deepseek-v3.1",
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁call▁begin｜>{N}<｜tool▁sep｜>{A}<｜tool▁call▁end｜>",
        "",
        "<｜tool▁calls▁end｜>",
    ),
    row(
        "kimi-k2",
        "<|tool_calls_section_begin|>",
        "<|tool_call_begin|>functions.{N}:0<|tool_call_argument_begin|>{A}<|tool_call_end|>",
        "",
        "<|tool_calls_section_end|>",
    ),
    row(
        "harmony",
        "",
        "<|channel|>commentary to=functions.{N} <|constrain|>json<|message|>{A}<|call|>",
        "<|start|>assistant",
        "",
    ),
    row(
        "harmony-recipient",
        "",
        "<|start|>assistant to=functions.{N}<|channel|>commentary json<|message|>{A}<|call|>",
        "",
        "",
    ),
    row(
        "inkling",
        "",
        "<|message_model|><|content_invoke_tool_json|>{I}<|end_message|>",
        "",
        "",
    ),
    row("gigachat-3", "", "<|function_call|>{J}", "", ""),
    row(
        "plamo-3",
        "<|plamo:begin_tool_requests:plamo|>",
        "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>{N}<|plamo:end_tool_name:plamo|>\
         <|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{A}\
         <|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
        "",
        "<|plamo:end_tool_requests:plamo|>",
    ),
    row(
        "functionary-3.1",
        "",
        "<function={N}>{A}</function>",
        "",
        "",
    ),
    row(
        "k2-horizon-json",
        "<ifm|tool_calls>",
        "<ifm|tool_call>{J}</ifm|tool_call>",
        "",
        "</ifm|tool_calls>",
    ),
    row(
        "solar-open",
        "<|tool_calls|>",
        "<|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>{N}<|tool_call:args|>{A}<|tool_call:end|>",
        "",
        "<|calls|>",
    ),
    row("llama-tag", "", "<|python_tag|>{M}", "", ""),
    row("functionary-3.2", "", ">>>{N}\n{A}", "\n", ""),
    row("llama-python-tag", "<|python_tag|>[", "{P}", ", ", "]"),
    row(
        "lfm2-json",
        "<|tool_call_start|>[",
        "{J}",
        ", ",
        "]<|tool_call_end|>",
    ),
    row(
        "llama-4-pythonic",
        "<|python_start|>[",
        "{P}",
        ", ",
        "]<|python_end|>",
    ),
    row(
        "lfm2",
        "<|tool_call_start|>[",
        "{P}",
        ", ",
        "]<|tool_call_end|>",
    ),
    row(
        "olmo-3",
        "<function_calls>\n",
        "{P}",
        "\n",
        "\n</function_calls>",
    ),
    with(
        row(
            "qwen3-coder",
            "",
            "<tool_call>\n<function={N}>\n{X}</function>\n</tool_call>",
            "\n",
            "",
        ),
        "<parameter={k}>\n",
        "\n</parameter>\n",
    ),
    with(
        row(
            "mimo",
            "",
            "<tool_call><function={N}>{X}</function></tool_call>",
            "",
            "",
        ),
        "<parameter={k}>",
        "</parameter>",
    ),
    with(
        row(
            "seed-oss",
            "",
            "<seed:tool_call>\n<function={N}>\n{X}</function>\n</seed:tool_call>",
            "\n",
            "",
        ),
        "<parameter={k}>\n",
        "\n</parameter>\n",
    ),
    with(
        row("glm-4.5", "", "<tool_call>{N}\n{X}</tool_call>", "\n", ""),
        "<arg_key>{k}</arg_key>\n<arg_value>",
        "</arg_value>\n",
    ),
    with(
        row("glm-4.7", "", "<tool_call>{N}{X}</tool_call>", "", ""),
        "<arg_key>{k}</arg_key><arg_value>",
        "</arg_value>",
    ),
    with(
        row(
            "iquest",
            "",
            "<iquest_tool_call>{N}{X}</iquest_tool_call>",
            "",
            "",
        ),
        "<arg_key>{k}</arg_key><arg_value>",
        "</arg_value>",
    ),
    with(
        row(
            "hunyuan-v3",
            "<tool_calls>\n",
            "<tool_call>{N}<tool_sep>\n{X}</tool_call>",
            "\n",
            "\n</tool_calls>",
        ),
        "<arg_key>{k}</arg_key>\n<arg_value>",
        "</arg_value>\n",
    ),
    with(
        row(
            "hunyuan-v4",
            "<tool_calls>",
            "<tool_call>{N}{X}</tool_call>",
            "",
            "</tool_calls>",
        ),
        "<arg_key>{k}</arg_key><arg_value>",
        "</arg_value>",
    ),
    with(
        row(
            "minimax-m2",
            "<minimax:tool_call>\n",
            "<invoke name=\"{N}\">\n{X}</invoke>",
            "\n",
            "\n</minimax:tool_call>",
        ),
        "<parameter name=\"{k}\">",
        "</parameter>\n",
    ),
    with(
        row(
            "invoke",
            "<function_calls>\n",
            "<invoke name=\"{N}\">\n{X}</invoke>",
            "\n",
            "\n</function_calls>",
        ),
        "<parameter name=\"{k}\">",
        "</parameter>\n",
    ),
    with(
        row(
            "dots",
            "<dots_function_call>",
            "<invoke name=\"{N}\">{X}</invoke>",
            "",
            "</dots_function_call>",
        ),
        "<parameter name=\"{k}\">",
        "</parameter>",
    ),
    row(
        "dots-json",
        "",
        "<dots_function_call>{J}</dots_function_call>",
        "",
        "",
    ),
    with(
        row(
            "atem",
            "<atem:function_calls>",
            "<atem:invoke name=\"{N}\">{X}</atem:invoke>",
            "",
            "</atem:function_calls>",
        ),
        "<atem:parameter name=\"{k}\">",
        "</atem:parameter>",
    ),
    with(
        row(
            "step-3",
            "<｜tool_calls_begin｜>",
            "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"{N}\">{X}</steptml:invoke><｜tool_call_end｜>",
            "",
            "<｜tool_calls_end｜>",
        ),
        "<steptml:parameter name=\"{k}\">",
        "</steptml:parameter>",
    ),
    with(
        row(
            "minicpm-5",
            "",
            "<function name=\"{N}\">{X}</function>",
            "",
            "",
        ),
        "<param name=\"{k}\">",
        "</param>",
    ),
    with(
        row(
            "k2-horizon",
            "<ifm|tool_calls>",
            "<ifm|tool_call>{N}{X}</ifm|tool_call>",
            "",
            "</ifm|tool_calls>",
        ),
        "<ifm|arg_key>{k}</ifm|arg_key><ifm|arg_value>",
        "</ifm|arg_value>",
    ),
    with(
        row(
            "kimi-k3",
            "<|open|>tools<|sep|>",
            "<|open|>call tool=\"{N}\" index=\"1\"<|sep|>{X}<|close|>call<|sep|>",
            "",
            "<|close|>tools<|sep|>",
        ),
        "<|open|>argument key=\"{k}\" type=\"{t}\"<|sep|>",
        "<|close|>argument<|sep|>",
    ),
    with(
        row(
            "deepseek-v3.2",
            "<｜DSML｜function_calls>\n",
            "<｜DSML｜invoke name=\"{N}\">\n{X}</｜DSML｜invoke>",
            "\n",
            "\n</｜DSML｜function_calls>",
        ),
        "<｜DSML｜parameter name=\"{k}\" string=\"{s}\">",
        "</｜DSML｜parameter>\n",
    ),
    with(
        row(
            "deepseek-v4",
            "<｜DSML｜tool_calls>\n",
            "<｜DSML｜invoke name=\"{N}\">\n{X}</｜DSML｜invoke>",
            "\n",
            "\n</｜DSML｜tool_calls>",
        ),
        "<｜DSML｜parameter name=\"{k}\" string=\"{s}\">",
        "</｜DSML｜parameter>\n",
    ),
    with(
        row(
            "deepseek-v4.1",
            "<｜DSML｜ calls>",
            "<｜DSML｜ invoke name=\"{N}\">{X}</｜DSML｜ invoke>",
            "",
            "</｜DSML｜ calls>",
        ),
        "<｜DSML｜ parameter name=\"{k}\" string=\"{s}\">",
        "</｜DSML｜ parameter>",
    ),
    with(
        row(
            "gigachat-3.5",
            "<｜GCML｜tool_calls>\n",
            "<｜GCML｜invoke name=\"{N}\">\n{X}</｜GCML｜invoke>",
            "\n",
            "\n</｜GCML｜tool_calls>",
        ),
        "<｜GCML｜parameter name=\"{k}\" string=\"{s}\">",
        "</｜GCML｜parameter>\n",
    ),
    row(
        "gemma-4",
        "",
        "<|tool_call>call:{N}{G:<|\"|>}<tool_call|>",
        "",
        "",
    ),
    row(
        "functiongemma",
        "",
        "<start_function_call>call:{N}{G:<escape>}<end_function_call>",
        "",
        "",
    ),
    row(
        "minimax-m3",
        "]<]minimax[>[<tool_call>",
        "]<]minimax[>[<invoke name=\"{N}\">{E}]<]minimax[>[</invoke>",
        "",
        "]<]minimax[>[</tool_call>",
    ),
    // Without marks.
    row("llama", "", "{M}", "; ", ""),
    row("xlam", "[", "{J}", ", ", "]"),
    row("generic", "{\"tool_calls\": [", "{J}", ", ", "]}"),
    row("pythonic", "[", "{P}", ", ", "]"),
    row("kimi-without-tokens", "", "functions.{N}:0{A}", "", ""),
    row("mistral-without-tokens", "", "{N}{A}", "", ""),
];

impl Row {
    /// A text with calls.
    pub(super) fn write(&self, calls: &[(&str, Value)]) -> String {
        let calls: Vec<String> = calls
            .iter()
            .map(|(name, arguments)| self.write_call(name, arguments))
            .collect();
        format!("{}{}{}", self.open, calls.join(self.between), self.close)
    }

    pub(super) fn write_call(&self, name: &str, arguments: &Value) -> String {
        let object = |name_key: &str, key: &str| {
            format!(
                "{{\"{name_key}\": {}, \"{key}\": {arguments}}}",
                Value::from(name)
            )
        };
        let members = arguments.as_object().expect("an object");
        let mut text = self
            .call
            .replace("{J}", &object("name", "arguments"))
            .replace("{M}", &object("name", "parameters"))
            .replace("{C}", &object("tool_name", "parameters"))
            .replace("{I}", &object("name", "args"))
            .replace("{K}", &format!("{{\"{name}\": {arguments}}}"))
            .replace("{N}", name);
        let places: [(&str, &dyn Fn() -> String); 5] = [
            ("{A}", &|| arguments.to_string()),
            ("{P}", &|| python_call(name, members)),
            ("{X}", &|| self.parameters(members)),
            ("{G:<|\"|>}", &|| gemma(arguments, "<|\"|>")),
            ("{G:<escape>}", &|| gemma(arguments, "<escape>")),
        ];
        for (place, value) in places {
            if text.contains(place) {
                text = text.replace(place, &value());
            }
        }
        if text.contains("{E}") {
            text = text.replace("{E}", &elements(members));
        }
        text
    }

    fn parameters(&self, members: &Map<String, Value>) -> String {
        let one = |(key, value): (&String, &Value)| {
            let (head, tail) = self.parameter;
            let head = head
                .replace("{k}", key)
                .replace(
                    "{t}",
                    if value.is_string() {
                        "string"
                    } else {
                        "object"
                    },
                )
                .replace("{s}", if value.is_string() { "true" } else { "false" });
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            format!("{head}{value}{tail}")
        };
        members.iter().map(one).collect()
    }

    /// Whether only the name of the family makes such a text a call.
    pub(super) fn is_named(&self) -> bool {
        matches!(self.form, "functionary-3.2" | "invoke")
    }

    /// Whether values are texts without escapes.
    pub(super) fn is_markup(&self) -> bool {
        self.call.contains("{X}") || self.call.contains("{G") || self.call.contains("{E}")
    }
}

fn python_call(name: &str, members: &Map<String, Value>) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(key, value)| format!("{key}={}", python(value)))
        .collect();
    format!("{name}({})", members.join(", "))
}

fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => {
            let text = text
                .replace('\\', "\\\\")
                .replace('\'', "\\'")
                .replace('\n', "\\n");
            format!("'{text}'")
        }
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(python).collect::<Vec<_>>().join(", ")
        ),
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{}: {}", python(&key.as_str().into()), python(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn gemma(value: &Value, quote: &str) -> String {
    match value {
        Value::String(text) => format!("{quote}{text}{quote}"),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| gemma(item, quote)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{key}:{}", gemma(value, quote)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

fn elements(members: &Map<String, Value>) -> String {
    let mark = "]<]minimax[>[";
    let one = |(key, value): (&String, &Value)| {
        let inside = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) => items
                .iter()
                .map(|item| elements(&Map::from_iter([("item".to_owned(), item.clone())])))
                .collect(),
            Value::Object(members) if !members.is_empty() => {
                elements(members) + mark.get(..0).unwrap_or_default()
            }
            other => other.to_string(),
        };
        let close = format!("{mark}</{key}>");
        format!("{mark}<{key}>{inside}{close}")
    };
    members.iter().map(one).collect()
}
