//! Several texts in one piece of memory.

/// Several texts, one after the other.
#[derive(Clone, Default)]
pub(crate) struct Texts {
    all: String,
    /// The end of each text.
    ends: Vec<usize>,
}

impl Texts {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Makes room for this many texts of a usual length.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.ends.reserve(count);
        self.all.reserve(16 * count);
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(self.all.len());
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let text = self.all.get(start..*end).unwrap_or_default();
            start = *end;
            text
        })
    }

    /// Keeps only the texts that pass the test.
    pub(crate) fn retain(&mut self, mut holds: impl FnMut(&str) -> bool) {
        let mut kept = Self::default();
        for text in self.iter().filter(|text| holds(text)) {
            kept.push(text);
        }
        *self = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;

    #[test]
    fn texts_come_out_as_they_went_in() {
        let mut texts = Texts::default();
        assert!(texts.is_empty());
        texts.reserve(4);
        let all = ["a", "", "é", "long enough"];
        for text in &all {
            texts.push(text);
        }
        assert_eq!(texts.iter().collect::<Vec<_>>(), all);
        texts.retain(|text| text.len() != 2);
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["a", "", "long enough"]);
        assert_eq!((texts.len(), texts.is_empty()), (3, false));
    }
}
