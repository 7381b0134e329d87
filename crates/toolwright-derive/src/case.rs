//! The cases of `rename_all`.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

pub(crate) const CASES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        CASES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, case)| *case)
    }

    /// A field, written in `snake_case`; its words are what stands between underscores.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            // serde leaves a field as it is for these two.
            Self::Lower | Self::Snake => name.to_owned(),
            _ => self.join(name.split('_').map(str::to_owned).collect()),
        }
    }

    /// A variant, written in `PascalCase`; a capital starts a word.
    pub(crate) fn variant(self, name: &str) -> String {
        if self == Self::Pascal {
            return name.to_owned();
        }
        let mut words: Vec<String> = Vec::new();
        for c in name.chars() {
            match words.last_mut() {
                Some(word) if !c.is_uppercase() => word.push(c),
                _ => words.push(c.to_string()),
            }
        }
        self.join(words)
    }

    fn join(self, words: Vec<String>) -> String {
        let glue = match self {
            Self::Snake | Self::ScreamingSnake => "_",
            Self::Kebab | Self::ScreamingKebab => "-",
            _ => "",
        };
        let words: Vec<String> = words
            .into_iter()
            .enumerate()
            .map(|(i, word)| match self {
                Self::Lower | Self::Snake | Self::Kebab => word.to_lowercase(),
                Self::Upper | Self::ScreamingSnake | Self::ScreamingKebab => word.to_uppercase(),
                Self::Camel if i == 0 => word.to_lowercase(),
                Self::Pascal | Self::Camel => capital(&word),
            })
            .collect();
        words.join(glue)
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::Case;

    #[test]
    fn as_serde_does() {
        assert_eq!(Case::Camel.field("file_path"), "filePath");
        assert_eq!(Case::Pascal.field("file_path"), "FilePath");
        assert_eq!(Case::Upper.field("file_path"), "FILEPATH");
        assert_eq!(Case::ScreamingSnake.field("file_path"), "FILE_PATH");
        assert_eq!(Case::Kebab.field("file_path"), "file-path");
        assert_eq!(Case::Snake.variant("FileRead"), "file_read");
        assert_eq!(Case::Camel.variant("FileRead"), "fileRead");
        assert_eq!(Case::Lower.variant("FileRead"), "fileread");
        assert_eq!(Case::ScreamingKebab.variant("FileRead"), "FILE-READ");
    }
}
