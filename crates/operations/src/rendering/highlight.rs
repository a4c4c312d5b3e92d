//! Colours code when a text is rendered, so that pages need no script for it. One small reader knows the comments,
//! strings, numbers and words of the languages that readmes contain.

/// The classes of code that the sanitizer keeps, and the family of the language.
pub(super) const CLASSES: [&str; 6] =
    ["language-c", "language-script", "language-sql", "language-data", "language-rust", "language-js"];

/// The languages by the names that people write, with the class of their family.
const NAMES: &[(&str, &[&str])] = &[
    ("language-rust", &["rust", "rs"]),
    (
        "language-c",
        &[
            "c", "h", "cpp", "c++", "cc", "java", "go", "golang", "kotlin", "kt", "swift", "csharp", "cs", "scala",
            "groovy", "gradle", "php", "dart", "proto",
        ],
    ),
    ("language-js", &["js", "javascript", "ts", "typescript", "jsx", "tsx"]),
    (
        "language-script",
        &[
            "python",
            "py",
            "sh",
            "bash",
            "shell",
            "console",
            "zsh",
            "ruby",
            "rb",
            "perl",
            "r",
            "make",
            "makefile",
            "dockerfile",
            "docker",
            "elixir",
            "nix",
            "powershell",
        ],
    ),
    ("language-data", &["json", "yaml", "yml", "toml", "ini", "conf", "properties"]),
    ("language-sql", &["sql", "lua", "haskell", "hs"]),
];

/// Words that stand out, of all languages of a family.
const WORDS: &[(&str, &str)] = &[
    (
        "language-rust",
        " as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move \
         mut pub ref return self Self static struct super trait true type unsafe use where while ",
    ),
    (
        "language-c",
        " abstract auto bool boolean break byte case catch char class const continue def default defer do double else \
         enum extends extern false final float for func fun go if implements import include int interface let long map \
         namespace new nil null override package private protected public range return short static string struct \
         super switch template this throw throws true try type typedef using val var virtual void while ",
    ),
    (
        "language-js",
        " as async await break case catch class const continue default delete else enum export extends false finally for \
         from function if implements import in instanceof interface let new null of return static super switch this \
         throw true try type typeof undefined var void while yield ",
    ),
    (
        "language-script",
        " and as assert async await begin break case class continue def del do done elif else elsif end esac except \
         export False fi finally for from function if import in is lambda local module None not or pass raise require \
         rescue return self set sudo then True try unless until when while with yield FROM RUN COPY CMD ENV \
         ENTRYPOINT WORKDIR EXPOSE ",
    ),
    ("language-data", " true false null yes no on off "),
    (
        "language-sql",
        " ALTER AND AS BEGIN BY CASE COMMIT CREATE DELETE DESC DISTINCT DROP ELSE END EXISTS FROM GROUP HAVING IN INDEX \
         INNER INSERT INTO IS JOIN LEFT LIMIT NOT NULL ON OR ORDER PRIMARY KEY SELECT SET TABLE THEN UNION UPDATE \
         VALUES WHEN WHERE WITH and data do else end function if import in let local module nil not or return then \
         type where while ",
    ),
];

/// Returns the class of the language that a block of code names; `None` if it is not known.
pub(super) fn class_of(info: &str) -> Option<&'static str> {
    let name = info.split([' ', ',', '{']).next().unwrap_or_default().to_ascii_lowercase();
    NAMES.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(class, _)| *class)
}

/// Colours escaped code of a family.
pub(super) fn code(text: &str, class: &str) -> String {
    let words = WORDS.iter().find(|(family, _)| *family == class).map_or("", |(_, words)| words);
    let mut made = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = token(rest, first, class, words);
        let (token, after) = rest.split_at(length);
        if kind.is_empty() {
            made.push_str(token);
        } else {
            made.push_str(&format!("<span class=\"{kind}\">{token}</span>"));
        }
        rest = after;
    }
    made
}

/// The kind of the token at the start, empty for plain text, and its length.
fn token(rest: &str, first: char, class: &str, words: &str) -> (&'static str, usize) {
    if let Some(length) = comment(rest, class) {
        return ("hl-c", length);
    }
    match first {
        '"' | '`' => ("hl-s", quoted(rest, first)),
        '\'' if class != "language-rust" && class != "language-sql" => ("hl-s", quoted(rest, first)),
        // An escaped character is one.
        '&' => ("", rest.find(';').map_or(1, |end| end + 1)),
        _ if first.is_ascii_digit() => {
            ("hl-n", length_while(rest, |c| c.is_ascii_alphanumeric() || c == '.' || c == '_'))
        }
        _ if first.is_alphabetic() || first == '_' => {
            let length = length_while(rest, |c| c.is_alphanumeric() || c == '_');
            let is_known = words.contains(&format!(" {} ", &rest[..length]));
            (if is_known { "hl-k" } else { "" }, length)
        }
        _ => ("", first.len_utf8()),
    }
}

/// The length of the comment at the start, if there is one.
fn comment(rest: &str, class: &str) -> Option<usize> {
    let line = || rest.find('\n').unwrap_or(rest.len());
    match class {
        "language-c" | "language-js" | "language-rust" => {
            if rest.starts_with("/*") {
                return Some(rest.find("*/").map_or(rest.len(), |end| end + 2));
            }
            rest.starts_with("//").then(line)
        }
        "language-script" | "language-data" => rest.starts_with('#').then(line),
        _ => rest.starts_with("--").then(line),
    }
}

/// The length of a text in quotes that ends on the same line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

fn length_while(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_many_names() {
        assert_eq!(class_of("rust,ignore"), Some("language-rust"));
        assert_eq!(class_of("JSON"), Some("language-data"));
        assert_eq!(class_of("klingon"), None);
        assert!(NAMES.iter().all(|(class, _)| CLASSES.contains(class)));
    }

    #[test]
    fn words_strings_numbers_and_comments_stand_out() {
        let made = code("let a = \"x &amp; y\"; // 1 &lt; 2\nfn b() { 12 }", "language-rust");
        let expected = "<span class=\"hl-k\">let</span> a = <span class=\"hl-s\">\"x &amp; y\"</span>; \
            <span class=\"hl-c\">// 1 &lt; 2</span>\n<span class=\"hl-k\">fn</span> b() { <span class=\"hl-n\">12</span> }";
        assert_eq!(made, expected);
    }

    #[test]
    fn without_its_marks_the_text_is_as_before() {
        for text in ["\"open", "'", "/* open", "&amp;&lt;", "&", "ünïcode 'x\\'y' `z`", "#", "--", "\\\"", ""] {
            for class in CLASSES {
                let plain = code(text, class);
                let plain = ["hl-k", "hl-s", "hl-c", "hl-n"]
                    .iter()
                    .fold(plain, |plain, kind| plain.replace(&format!("<span class=\"{kind}\">"), ""));
                assert_eq!(plain.replace("</span>", ""), text, "{class}");
            }
        }
    }
}
