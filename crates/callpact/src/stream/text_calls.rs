//! The calls in the text of a turn.

use super::{Ended, TextReader, TextTurn, TurnEvent};

/// Reads the text of a turn, and what of it was reported.
#[derive(Debug)]
pub(super) struct TextCalls<'a> {
    reader: TextReader<'a>,
    text: usize,
    calls: usize,
}

impl<'a> TextCalls<'a> {
    pub(super) fn new(reader: TextReader<'a>) -> Self {
        Self {
            reader,
            text: 0,
            calls: 0,
        }
    }

    /// Takes the next piece, and reports the words and the calls that are new.
    pub(super) fn push(&mut self, piece: &str, events: &mut Vec<TurnEvent>) {
        self.reader.push(piece);
        self.report(events);
    }

    /// Reports what is left when the turn ends.
    pub(super) fn end(&mut self, events: &mut Vec<TurnEvent>) {
        self.reader.catch_up();
        self.report(events);
    }

    fn report(&mut self, events: &mut Vec<TurnEvent>) {
        let text = self.reader.text();
        let new = text.get(self.text..).unwrap_or_default();
        if !new.is_empty() {
            events.push(TurnEvent::Text(new.to_owned()));
        }
        self.text = text.len();
        let calls = self.reader.calls();
        for (position, call) in calls.iter().enumerate().skip(self.calls) {
            let (id, name) = (call.id.clone(), call.name.clone());
            events.push(TurnEvent::CallStarted { position, id, name });
            let text = call.arguments.clone();
            events.push(TurnEvent::Arguments { position, text });
            events.push(TurnEvent::CallEnded { position });
        }
        self.calls = self.calls.max(calls.len());
    }

    pub(super) fn finish(self, ended: Ended) -> TextTurn {
        self.reader.finish(ended)
    }
}
