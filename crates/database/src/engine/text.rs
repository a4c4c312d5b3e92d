//! SQL texts that are joined at compile time, so that running a statement allocates no text.

/// A text under construction. With a capacity of zero it only counts, so that the same calls first compute the length.
pub(crate) struct Text<const ROOM: usize> {
    bytes: [u8; ROOM],
    length: usize,
}

impl<const ROOM: usize> Text<ROOM> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; ROOM], length: 0 }
    }

    pub(crate) const fn push(mut self, text: &str) -> Self {
        let mut index = 0;
        while index < text.len() {
            if self.length < ROOM {
                self.bytes[self.length] = text.as_bytes()[index];
            }
            (self.length, index) = (self.length + 1, index + 1);
        }
        self
    }

    /// Appends `$1` and so on.
    pub(crate) const fn argument(self, number: usize) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        assert!(number < 100, "a statement has less than a hundred arguments");
        let text = self.push("$");
        let text = if number < 10 { text } else { text.push(DIGITS[number / 10]) };
        text.push(DIGITS[number % 10])
    }

    /// Appends a comma, except before the first item of a list.
    pub(crate) const fn comma_before(self, index: usize) -> Self {
        if index == 0 { self } else { self.push(", ") }
    }

    /// Appends columns, separated by commas.
    pub(crate) const fn list(self, columns: &[&str]) -> Self {
        let (mut text, mut index) = (self, 0);
        while index < columns.len() {
            text = text.comma_before(index).push(columns[index]);
            index += 1;
        }
        text
    }

    /// Appends `INSERT INTO table (a, b) VALUES ($1, $2) tail` for two lists of columns.
    pub(crate) const fn insert(self, table: &str, columns: [&[&str]; 2], tail: &str) -> Self {
        let mut text = self.push("INSERT INTO ").push(table).push(" (");
        let mut index = 0;
        while index < columns[0].len() + columns[1].len() {
            text = text.comma_before(index).push(nth(columns, index));
            index += 1;
        }
        text = text.push(") VALUES (");
        index = 0;
        while index < columns[0].len() + columns[1].len() {
            text = text.comma_before(index).argument(index + 1);
            index += 1;
        }
        let text = text.push(")");
        if tail.is_empty() { text } else { text.push(" ").push(tail) }
    }

    /// Appends `UPDATE table SET a = $2, b = $3 tail`; the arguments of the tail come first.
    pub(crate) const fn update(self, table: &str, columns: [&[&str]; 2], tail: &str, arguments: usize) -> Self {
        let mut text = self.push("UPDATE ").push(table).push(" SET ");
        let mut index = 0;
        while index < columns[0].len() + columns[1].len() {
            text = text.comma_before(index).push(nth(columns, index)).push(" = ").argument(arguments + index + 1);
            index += 1;
        }
        text.push(" ").push(tail)
    }

    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    pub(crate) const fn as_str(&self) -> &str {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => text,
            Err(_) => panic!("texts joined whole are a text"),
        }
    }
}

const fn nth<'c>(columns: [&[&'c str]; 2], index: usize) -> &'c str {
    let [first, second] = columns;
    if index < first.len() { first[index] } else { second[index - first.len()] }
}

/// `text!(push("SELECT ").push("1"))`: builds a constant text.
macro_rules! text {
    ($($step:ident($($argument:expr),*)).+) => {{
        use $crate::engine::text::Text;
        const LENGTH: usize = Text::<0>::new()$(.$step($($argument),*))+.length();
        const TEXT: Text<LENGTH> = Text::new()$(.$step($($argument),*))+;
        const JOINED: &str = TEXT.as_str();
        JOINED
    }};
}
pub(crate) use text;

#[cfg(test)]
mod tests {
    #[test]
    fn statements_are_joined_of_their_columns() {
        const NONE: &[&str] = &[];
        assert_eq!(
            text!(insert("t", [&["a", "b"], &["c"]], "ON CONFLICT DO NOTHING")),
            "INSERT INTO t (a, b, c) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
        );
        assert_eq!(text!(insert("t", [&["a"], NONE], "")), "INSERT INTO t (a) VALUES ($1)");
        assert_eq!(
            text!(update("t", [&["a"], &["b", "c"]], "WHERE id = $1 AND x = $2", 2)),
            "UPDATE t SET a = $3, b = $4, c = $5 WHERE id = $1 AND x = $2"
        );
        assert_eq!(text!(argument(9).argument(10).argument(42)), "$9$10$42");
    }
}
