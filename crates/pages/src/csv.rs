//! Files for spreadsheets.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};

/// A response with a file of this name, which gets its ending.
pub(crate) fn file(name: &str, text: String) -> Response {
    let safe: String = name.chars().map(|part| if part.is_ascii_alphanumeric() { part } else { '-' }).collect();
    let name = format!("attachment; filename=\"{safe}.csv\"");
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)];
    (headers, text).into_response()
}

/// A text as a cell. Spreadsheets would run one that begins like a formula.
pub(crate) fn cell(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_one_cell_and_no_formula() {
        assert_eq!(["1.0", "a,b", "a\"b", "=1+1"].map(cell), ["1.0", "\"a,b\"", "\"a\"\"b\"", "'=1+1"]);
    }
}
