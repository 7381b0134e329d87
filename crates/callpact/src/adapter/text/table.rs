//! The table of forms. A new family of models is a row.

use std::sync::LazyLock;

use super::form::{JsonBody, TextForm, Trim};

/// The forms that are known.
pub(super) static FORMS: LazyLock<Vec<TextForm>> = LazyLock::new(forms);

fn forms() -> Vec<TextForm> {
    [
        json_forms(),
        python_forms(),
        parameter_forms(),
        other_forms(),
        dsml_forms(),
    ]
    .concat()
}

fn form(name: &str, families: &[&str]) -> TextForm {
    TextForm::new(name, families.iter().copied())
}

/// JSON between marks.
#[allow(clippy::too_many_lines)] // a table
fn json_forms() -> Vec<TextForm> {
    vec![
        form("hermes", &["hermes-2", "hermes-3", "qwen-2.5", "qwen-3", "granite-4", "ernie-4.5", "trinity", "intern-s1"])
            .call("<tool_call>", "</tool_call>").json_object().in_thoughts(),
        form("longcat", &["longcat-flash"]).call("<longcat_tool_call>", "</longcat_tool_call>").json_object().known_names(),
        form("granite-3.1", &["xlam"]).call_open("<tool_call>").json_list().may_close("</tool_call>").known_names(),
        form("granite-3", &["phi-4-mini-list"]).call_open("<|tool_call|>").json_list().may_close("<|/tool_call|>").known_names(),
        form("phi-4-mini", &[]).call("<|tool_call|>", "<|/tool_call|>").json_object(),
        form("functools", &["firefunction-v2", "phi-4-mini-vllm"]).call_open("functools").json_list().known_names(),
        form("granite-20b-fc", &[]).call_open("<function_call>").json_object().known_names(),
        form("jamba", &["hunyuan-a13b", "apriel-1.5", "apriel-1.6"]).call("<tool_calls>", "</tool_calls>").json_list().known_names(),
        form("minimax-m1", &[]).call("<tool_calls>", "</tool_calls>").json(JsonBody::Objects).known_names(),
        form("nemotron-nano-2", &["llama-nemotron-super-1.5"]).call("<TOOLCALL>", "</TOOLCALL>").json(JsonBody::Either).known_names(),
        form("internlm-2", &["intern-s1-plugin"]).call("<|action_start|><|plugin|>", "<|action_end|>")
            .call("<|action_start|> <|plugin|>", "<|action_end|>").json_object(),
        form("mistral", &["mistral-7b-0.3", "mistral-nemo", "mistral-large-2", "mistral-small-3.1"])
            .call_open("[TOOL_CALLS]").json(JsonBody::Either).ends_turn(),
        form("mistral-11", &["mistral-small-3.2", "magistral", "ministral-3", "devstral-2"]).call_open("[TOOL_CALLS]")
            .head("{name}[CALL_ID]{id}[ARGS]").head("{name}[ARGS]").head("{name}").json_arguments(),
        form("cohere", &["command-r7b", "command-a"]).call("<|START_ACTION|>", "<|END_ACTION|>").json_list(),
        form("apertus", &[]).call("<|tools_prefix|>", "<|tools_suffix|>").json_list(),
        form("deepseek-v3", &["deepseek-r1-0528"]).section("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>").section_may_be_missing()
            .call("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>").head("function<｜tool▁sep｜>{name}\n").json(JsonBody::Fenced),
        form("deepseek-v3.1", &["cogito-2"]).section("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>").section_may_be_missing()
            .call("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>").head("{name}<｜tool▁sep｜>").json_arguments(),
        form("kimi-k2", &["kimi-k2.5"]).section("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>").section_may_be_missing()
            .call("<|tool_call_begin|>", "<|tool_call_end|>").head("{space}{head}{space}<|tool_call_argument_begin|>")
            .json_arguments().in_thoughts().ends_turn(),
        form("harmony", &["gpt-oss"]).call_open("<|channel|>").may_close("<|call|>")
            .head("commentary to=functions.{name}{space}<|constrain|>json<|message|>").head("commentary to=functions.{name}{space}json<|message|>")
            .head("commentary to=functions.{name}{space}<|message|>").head("analysis to=functions.{name}{space}<|constrain|>json<|message|>")
            .head("analysis to=functions.{name}{space}json<|message|>").head("analysis to=functions.{name}{space}<|message|>").json_arguments(),
        form("harmony-recipient", &["gpt-oss"]).call_open("<|start|>assistant to=functions.").may_close("<|call|>")
            .head("{name}{space}<|channel|>commentary{space}<|constrain|>json<|message|>").head("{name}{space}<|channel|>commentary{space}json<|message|>")
            .head("{name}{space}<|channel|>commentary{space}<|message|>").head("{name}{space}<|channel|>analysis{space}json<|message|>").json_arguments(),
        form("inkling", &[]).call("<|content_invoke_tool_json|>", "<|end_message|>").may_close("<|content_model_end_sampling|>").json_object(),
        form("gigachat-3", &[]).call_open("<|message_sep|>\n\nfunction call<|role_sep|>\n").call_open("<|function_call|>").json_object().may_close("</s>"),
        form("plamo-3", &[]).section("<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_tool_requests:plamo|>")
            .call("<|plamo:begin_tool_request:plamo|>", "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>")
            .head("<|plamo:begin_tool_name:plamo|>{name}<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>")
            .filler("<|plamo:constrain|>json<|plamo:msg|>").json_arguments().known_names(),
        form("functionary-3.2", &[]).call_open(">>>").head("{name}\n").json_arguments().named(),
        form("functionary-3.1", &["llama-3.1-function"]).call("<function=", "</function>").head("{name}>").json_arguments().known_names(),
        form("k2-horizon-json", &["k2-horizon"]).section("<ifm|tool_calls>", "</ifm|tool_calls>").section_may_be_missing()
            .call("<ifm|tool_call>", "</ifm|tool_call>").json_object(),
        form("solar-open", &["solar-open-100b"]).section("<|tool_calls|>", "<|calls|>").section_may_be_missing()
            .call("<|tool_call:begin|>", "<|tool_call:end|>").head("{id}<|tool_call:name|>{name}<|tool_call:args|>").json_arguments(),
        form("llama-tag", &["llama-3.1", "llama-3.2", "llama-3.3", "llama-4"]).call_open("<|python_tag|>").json_object(),
    ]
}

/// Calls in the syntax of Python.
fn python_forms() -> Vec<TextForm> {
    vec![
        form("llama-python-tag", &["llama-3.1"])
            .call_open("<|python_tag|>")
            .python(),
        form("llama-4-pythonic", &["llama-4"])
            .call("<|python_start|>", "<|python_end|>")
            .python(),
        form("lfm2", &["lfm2.5"])
            .call("<|tool_call_start|>", "<|tool_call_end|>")
            .python()
            .repeats_body(),
        form("lfm2-json", &["lfm2.5"])
            .call("<|tool_call_start|>", "<|tool_call_end|>")
            .json(JsonBody::List)
            .repeats_body(),
        form("olmo-3", &[])
            .call("<function_calls>", "</function_calls>")
            .python(),
    ]
}

/// A text between marks for each parameter.
#[allow(clippy::too_many_lines)] // a table
fn parameter_forms() -> Vec<TextForm> {
    vec![
        form("qwen3-coder", &["qwen-3.5", "qwen-3.8", "nemotron-3", "step-3.5", "step-3.7", "step-5", "minicpm-v-5", "mimo"])
            .section("<tool_call>", "</tool_call>").section_may_be_missing().call("<function=", "</function>").head("{name}>")
            .parameters("<parameter={name}>", "</parameter>", Trim::Newlines).in_thoughts(),
        form("seed-oss", &[]).section("<seed:tool_call>", "</seed:tool_call>").call("<function=", "</function>").head("{name}>")
            .parameters("<parameter={name}>", "</parameter>", Trim::Newlines),
        form("glm", &["glm-4.5", "glm-4.6", "glm-4.7", "glm-5", "ling-3", "laguna", "spark-2.5"]).call("<tool_call>", "</tool_call>").head("{name}")
            .parameters("<arg_key>{space}{name}{space}</arg_key>{space}<arg_value>", "</arg_value>", Trim::Nothing).or_json().in_thoughts(),
        form("iquest", &[]).call("<iquest_tool_call>", "</iquest_tool_call>").head("{name}")
            .parameters("<arg_key>{space}{name}{space}</arg_key>{space}<arg_value>", "</arg_value>", Trim::Nothing),
        form("hunyuan-v3", &[]).section("<tool_calls>", "</tool_calls>").section_may_be_missing().call("<tool_call>", "</tool_call>").head("{name}<tool_sep>")
            .parameters("<arg_key>{space}{name}{space}</arg_key>{space}<arg_value>", "</arg_value>", Trim::Nothing),
        form("hunyuan-v4", &[]).section("<tool_calls>", "</tool_calls>").call("<tool_call>", "</tool_call>").head("{name}")
            .parameters("<arg_key>{space}{name}{space}</arg_key>{space}<arg_value>", "</arg_value>", Trim::Nothing).known_names(),
        form("minimax-m2", &[]).section("<minimax:tool_call>", "</minimax:tool_call>").call("<invoke name=", "</invoke>").head("{quoted}>")
            .parameters("<parameter name={quoted}>", "</parameter>", Trim::Nothing),
        form("dots", &[]).section("<dots_function_call>", "</dots_function_call>").call("<invoke name=", "</invoke>").head("{quoted}>")
            .parameters("<parameter name={quoted}>", "</parameter>", Trim::Space),
        form("dots-json", &["dots"]).call("<dots_function_call>", "</dots_function_call>").json_object(),
        form("atem", &["muse", "glimmer"]).section("<atem:function_calls>", "</atem:function_calls>").call("<atem:invoke name=", "</atem:invoke>")
            .head("{quoted}>").parameters("<atem:parameter name={quoted}>", "</atem:parameter>", Trim::Nothing),
        form("step-3", &[]).section("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>")
            .call("<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=", "</steptml:invoke><｜tool_call_end｜>")
            .head("{quoted}>").parameters("<steptml:parameter name={quoted}>", "</steptml:parameter>", Trim::Space),
        form("minicpm-5", &[]).call("<function name=", "</function>").call("<functionname=", "</function>").head("{quoted}>")
            .parameters("<param name={quoted}>", "</param>", Trim::Nothing),
        form("k2-horizon", &[]).section("<ifm|tool_calls>", "</ifm|tool_calls>").section_may_be_missing().call("<ifm|tool_call>", "</ifm|tool_call>").head("{name}")
            .parameters("<ifm|arg_key>{name}</ifm|arg_key>{space}<ifm|arg_type>{type}</ifm|arg_type>{space}<ifm|arg_value>", "</ifm|arg_value>", Trim::Nothing)
            .parameters("<ifm|arg_key>{name}</ifm|arg_key>{space}<ifm|arg_value>", "</ifm|arg_value>", Trim::Nothing),
        form("invoke", &[]).section("<function_calls>", "</function_calls>").call("<invoke name=", "</invoke>").head("{quoted}>")
            .parameters("<parameter name={quoted}>", "</parameter>", Trim::Nothing).named(),
        form("kimi-k3", &[]).section("<|open|>tools<|sep|>", "<|close|>tools<|sep|>").call("<|open|>call tool=", "<|close|>call<|sep|>")
            .head("{quoted} index={index}<|sep|>").head("{quoted}<|sep|>")
            .parameters("<|open|>argument key={quoted} type={type}<|sep|>", "<|close|>argument<|sep|>", Trim::Nothing),
    ]
}

/// Notations of their own.
fn other_forms() -> Vec<TextForm> {
    vec![
        form("gemma-4", &[])
            .call("<|tool_call>", "<tool_call|>")
            .head("call:{name}")
            .gemma("<|\"|>")
            .in_thoughts(),
        form("functiongemma", &[])
            .call("<start_function_call>", "<end_function_call>")
            .head("call:{name}")
            .gemma("<escape>"),
        form("minimax-m3", &[])
            .section("]<]minimax[>[<tool_call>", "]<]minimax[>[</tool_call>")
            .call("]<]minimax[>[<invoke name=", "]<]minimax[>[</invoke>")
            .head("{quoted}>")
            .elements("]<]minimax[>["),
    ]
}

/// The forms of DSML, which differ in the words of the section and in a blank.
fn dsml_forms() -> Vec<TextForm> {
    let mut rows = Vec::new();
    for (name, mark, blank, sections) in [
        ("deepseek-v3.2", "｜DSML｜", "", &["function_calls"][..]),
        (
            "deepseek-v4",
            "｜DSML｜",
            "",
            &["tool_calls", "toolcalls", "tool"],
        ),
        ("deepseek-v4.1", "｜DSML｜", " ", &["calls"]),
        ("gigachat-3.5", "｜GCML｜", "", &["tool_calls"]),
    ] {
        let open = |word: &str| format!("<{mark}{blank}{word}");
        let close = |word: &str| format!("</{mark}{blank}{word}>");
        let mut row = form(name, &["dsml"])
            .call(&open("invoke name="), &close("invoke"))
            .head("{quoted}>")
            .parameters(
                &format!("{} string={{type}}>", open("parameter name={quoted}")),
                &close("parameter"),
                Trim::Nothing,
            )
            .parameters(
                &format!("{}>", open("parameter name={quoted}")),
                "",
                Trim::Nothing,
            )
            .or_json()
            .in_thoughts()
            .ends_turn();
        for word in sections {
            row = row.section(&format!("{}>", open(word)), &close(word));
        }
        // V3.2 and V4 differ only in the section, so the calls without one are read by the first.
        rows.push(
            if matches!(name, "deepseek-v3.2" | "deepseek-v4.1" | "gigachat-3.5") {
                row.section_may_be_missing()
            } else {
                row
            },
        );
    }
    rows
}
