//! The cases of `rename_all`.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RenameCase {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

pub(crate) const CASES: [(&str, RenameCase); 8] = [
    ("lowercase", RenameCase::Lower),
    ("UPPERCASE", RenameCase::Upper),
    ("PascalCase", RenameCase::Pascal),
    ("camelCase", RenameCase::Camel),
    ("snake_case", RenameCase::Snake),
    ("SCREAMING_SNAKE_CASE", RenameCase::ScreamingSnake),
    ("kebab-case", RenameCase::Kebab),
    ("SCREAMING-KEBAB-CASE", RenameCase::ScreamingKebab),
];

impl RenameCase {
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

/// Renames a variant as clap does by the value of its `rename_all`, or by its own choice. `None` for an unknown case.
pub(crate) fn rename_as_clap(name: &str, rename_all: Option<&str>) -> Option<String> {
    let case = rename_all.unwrap_or("kebab").to_lowercase();
    let case: String = case.chars().filter(char::is_ascii_alphabetic).collect();
    let words = clap_words(name);
    Some(match case.strip_suffix("case").unwrap_or(&case) {
        "kebab" => words.join("-"),
        "snake" => words.join("_"),
        "screamingsnake" => words.join("_").to_uppercase(),
        "lower" => words.concat(),
        "upper" => words.concat().to_uppercase(),
        "pascal" => words.iter().map(|word| capital(word)).collect(),
        "camel" => small(&words.iter().map(|word| capital(word)).collect::<String>()),
        "verbatim" => name.to_owned(),
        _ => return None,
    })
}

/// The words of a name in small letters, as clap finds them: a word also ends before the last capital of several.
fn clap_words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let chars: Vec<char> = part.chars().collect();
        let (mut word, mut is_upper) = (String::new(), None);
        for (i, c) in chars.iter().enumerate() {
            let next = chars.get(i + 1);
            let starts = match (is_upper, c.is_uppercase()) {
                (Some(false), true) => true,
                (Some(true), true) => next.is_some_and(|next| next.is_lowercase()),
                _ => false,
            };
            if starts && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if c.is_uppercase() || c.is_lowercase() {
                is_upper = Some(c.is_uppercase());
            }
            word.extend(c.to_lowercase());
        }
        words.push(word);
    }
    words
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
    use super::{RenameCase, rename_as_clap};

    #[test]
    fn as_clap_does() {
        for (name, kebab) in [
            ("FileRead", "file-read"),
            ("HTTPServer", "http-server"),
            ("AV1", "av1"),
            ("X264Encoder", "x264-encoder"),
            ("Http2Only", "http2-only"),
            ("Never", "never"),
            ("A", "a"),
        ] {
            assert_eq!(rename_as_clap(name, None).as_deref(), Some(kebab));
        }
        for (case, name) in [
            ("snake_case", "file_read"),
            ("SCREAMING_SNAKE_CASE", "FILE_READ"),
            ("camelCase", "fileRead"),
            ("PascalCase", "FileRead"),
            ("lower", "fileread"),
            ("UPPER", "FILEREAD"),
            ("verbatim", "FileRead"),
        ] {
            assert_eq!(
                rename_as_clap("FileRead", Some(case)).as_deref(),
                Some(name)
            );
        }
        assert_eq!(rename_as_clap("FileRead", Some("title")), None);
    }

    #[test]
    fn as_serde_does() {
        assert_eq!(RenameCase::Camel.field("file_path"), "filePath");
        assert_eq!(RenameCase::Pascal.field("file_path"), "FilePath");
        assert_eq!(RenameCase::Upper.field("file_path"), "FILE_PATH");
        assert_eq!(RenameCase::ScreamingSnake.field("file_path"), "FILE_PATH");
        assert_eq!(RenameCase::Kebab.field("file_path"), "file-path");
        assert_eq!(RenameCase::Camel.field("filePath"), "filePath");
        assert_eq!(RenameCase::Camel.field("_file_path"), "filePath");
        assert_eq!(RenameCase::Snake.variant("FileRead"), "file_read");
        assert_eq!(RenameCase::Camel.variant("FileRead"), "fileRead");
        assert_eq!(RenameCase::Lower.variant("FileRead"), "fileread");
        assert_eq!(RenameCase::ScreamingKebab.variant("FileRead"), "FILE-READ");
    }
}
