//! The marks of thoughts, and marks without a meaning.

/// The marks around the thoughts of a model.
pub(super) const THOUGHTS: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("<|content_thinking|>", "<|end_message|>"),
    ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),
    ("<scratch_pad>", "</scratch_pad>"),
    ("<|think|>", "<|end|>"),
];

/// Closing marks that also end something else.
pub(super) const SHARED: &[&str] = &["<|end|>", "<|end_message|>"];

/// Marks around an answer, which are no part of it.
pub(super) const FRAMES: &[&str] = &[
    "<|start|>assistant",
    "<|begin|>assistant",
    "<|content|>",
    "<|channel|>final<|message|>",
    "<|channel|>commentary<|message|>",
    "<|end|>",
    "<|START_RESPONSE|>",
    "<|END_RESPONSE|>",
    "<|START_TEXT|>",
    "<|END_TEXT|>",
    "<|message_model|>",
    "<|end_message|>",
    "<|open|>response<|sep|>",
    "<|close|>response<|sep|>",
    "[BEGIN FINAL RESPONSE]",
    "[END FINAL RESPONSE]",
];

/// Marks around the answer of one family. Other models write them as words.
pub(super) const FRAMES_OF_FAMILIES: &[(&str, &[&str])] =
    &[("ernie-4.5", &["<response>", "</response>"])];

/// Tokens that end a turn, and that a server may leave in the text.
pub(super) const ENDS: &[&str] = &[
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "</s>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|endoftext|>",
    "<｜end▁of▁sentence｜>",
    "<|end_of_text|>",
    "<eos>",
    "<end_of_turn>",
    "<turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<seed:eos>",
    "[e~[",
    "<|user|>",
    "<|observation|>",
    "<SPECIAL_12>",
];

/// A text without the tokens at its end.
pub(super) fn without_end(text: &str) -> &str {
    let mut text = text;
    while let Some(shorter) = ENDS
        .iter()
        .find_map(|end| text.trim_end().strip_suffix(end))
    {
        text = shorter;
    }
    text
}
