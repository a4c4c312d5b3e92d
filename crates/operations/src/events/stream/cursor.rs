//! A cursor in the stream, which clients store to resume.

use std::{fmt, str::FromStr};

/// The last event sent, and the number of rows sent in the window before it.
///
/// Ids of events grow with time, but a transaction that began earlier may end later. So a cursor also contains the
/// number of events sent from the time window before it: if the window still contains as many, no late event was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamCursor {
    /// The id of the row.
    pub(super) row: i64,
    /// The index of the event in the row.
    pub(super) line: usize,
    /// The number of rows sent from the window that ends with this row, including it; absent once no late row can
    /// appear.
    pub(super) known: Option<usize>,
}

/// The error for a text that is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not an id of this stream")]
pub struct InvalidPosition;

impl fmt::Display for StreamCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.row, self.line)?;
        self.known.map_or(Ok(()), |known| write!(f, ".{known}"))
    }
}

impl FromStr for StreamCursor {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<Self, InvalidPosition> {
        let number = |part: &str| part.parse::<u32>().map(|number| number as usize).map_err(|_| InvalidPosition);
        let mut parts = text.split('.');
        let (Some(row), Some(line)) = (parts.next(), parts.next()) else { return Err(InvalidPosition) };
        let row = row.parse().ok().filter(|row| *row >= 0).ok_or(InvalidPosition)?;
        let place = Self { row, line: number(line)?, known: parts.next().map(number).transpose()? };
        match parts.next() {
            None => Ok(place),
            Some(_) => Err(InvalidPosition),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_back() {
        for known in [None, Some(0), Some(7)] {
            let place = StreamCursor { row: 134_217_728, line: 3, known };
            assert_eq!(place.to_string().parse(), Ok(place));
        }
    }

    #[test]
    fn other_texts_are_no_place() {
        for text in ["", "1", "x", "-1.0", "1.x", "1.0.x", "1.0.0.0", "1.", "99999999999999999999.0"] {
            assert_eq!(text.parse::<StreamCursor>(), Err(InvalidPosition), "{text}");
        }
    }
}
