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

    /// Renames a field in `snake_case` as serde does.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => name.split('_').map(capital).collect(),
            Self::Camel => small(&Self::Pascal.field(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Renames a variant in `PascalCase` as serde does.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => small(name),
            Self::Snake => {
                let mut out = String::new();
                for (i, c) in name.char_indices() {
                    if i > 0 && c.is_uppercase() {
                        out.push('_');
                    }
                    out.push(c.to_ascii_lowercase());
                }
                out
            }
            Self::ScreamingSnake => Self::Snake.variant(name).to_ascii_uppercase(),
            Self::Kebab => Self::Snake.variant(name).replace('_', "-"),
            Self::ScreamingKebab => Self::ScreamingSnake.variant(name).replace('_', "-"),
        }
    }
}

fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

fn small(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::Case;

    #[test]
    fn as_serde_does() {
        assert_eq!(Case::Camel.field("file_path"), "filePath");
        assert_eq!(Case::Pascal.field("file_path"), "FilePath");
        assert_eq!(Case::Upper.field("file_path"), "FILE_PATH");
        assert_eq!(Case::ScreamingSnake.field("file_path"), "FILE_PATH");
        assert_eq!(Case::Kebab.field("file_path"), "file-path");
        assert_eq!(Case::Camel.field("filePath"), "filePath");
        assert_eq!(Case::Camel.field("_file_path"), "filePath");
        assert_eq!(Case::Snake.variant("FileRead"), "file_read");
        assert_eq!(Case::Camel.variant("FileRead"), "fileRead");
        assert_eq!(Case::Lower.variant("FileRead"), "fileread");
        assert_eq!(Case::ScreamingKebab.variant("FileRead"), "FILE-READ");
    }
}
