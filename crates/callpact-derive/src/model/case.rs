//! The cases of `rename_all`.

use heck::{ToKebabCase, ToLowerCamelCase, ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};

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
    Some(match case.strip_suffix("case").unwrap_or(&case) {
        "kebab" => name.to_kebab_case(),
        "snake" => name.to_snake_case(),
        "screamingsnake" => name.to_shouty_snake_case(),
        "lower" => name.to_snake_case().replace('_', ""),
        "upper" => name.to_shouty_snake_case().replace('_', ""),
        "pascal" => name.to_upper_camel_case(),
        "camel" => name.to_lower_camel_case(),
        "verbatim" => name.to_owned(),
        _ => return None,
    })
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
