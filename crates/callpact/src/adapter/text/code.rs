//! Code in a text: a call there is a quotation.

/// A line that opens or closes a block of code.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeFence {
    mark: char,
    length: usize,
    /// Whether text follows the fence characters.
    is_named: bool,
}

impl CodeFence {
    pub(super) fn in_line(line: &str) -> Option<Self> {
        let line = line.trim();
        let mark = line
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))?;
        let name = line.trim_start_matches(mark);
        let length = line.len() - name.len();
        // Code inside a line is not a fence.
        let is_fence = length >= 3 && !(mark == '`' && name.contains(mark));
        is_fence.then_some(Self {
            mark,
            length,
            is_named: !name.is_empty(),
        })
    }

    pub(super) const fn is_closed_by(&self, other: &Self) -> bool {
        self.mark == other.mark && self.length <= other.length && !other.is_named
    }
}

/// The text inside a fence that surrounds all of it.
pub(super) fn unfenced(text: &str) -> &str {
    let inside = || {
        let (first, rest) = text.split_once('\n')?;
        let fence = CodeFence::in_line(first)?;
        let inside = rest.trim_end_matches(fence.mark);
        let ends = rest.len() - inside.len() >= fence.length;
        let is_word = first.split_whitespace().nth(1).is_none();
        let closes = |line| CodeFence::in_line(line).is_some_and(|mark| fence.is_closed_by(&mark));
        (ends && is_word && !inside.lines().any(closes)).then(|| inside.trim())
    };
    inside().unwrap_or(text)
}
