//! What a user needs to add the server to an authenticator app: the secret as text, as a URI and as a QR code.

use std::fmt::Write as _;

use qrcode::{Color, EcLevel, QrCode};

use super::totp;
use crate::{Error, Result};

/// The number of blank modules around a QR code.
const MARGIN: usize = 4;

/// The issuer that apps show beside the user name.
const ISSUER: &str = "packhouse";

/// A second factor that its user has not confirmed yet.
#[derive(Clone)]
pub struct Enrolment {
    /// The secret in groups of four characters.
    pub secret: String,
    /// The `otpauth:` URI.
    pub uri: String,
    /// The URI as a QR code.
    pub picture: QrPicture,
}

/// A QR code: the path of an SVG picture whose modules are squares of one unit.
#[derive(Clone)]
pub struct QrPicture {
    /// The width and the height.
    pub size: usize,
    /// The dark modules, as the `d` of a path.
    pub path: String,
}

impl Enrolment {
    pub(super) fn new(secret: &[u8], name: &str, host: &str) -> Result<Self> {
        let text = totp::secret_text(secret);
        let account = if host.is_empty() { name.to_owned() } else { format!("{name}@{host}") };
        let uri = format!("otpauth://totp/{ISSUER}:{account}?secret={text}&issuer={ISSUER}");
        let groups: Vec<&str> = (0..text.len()).step_by(4).map(|at| &text[at..text.len().min(at + 4)]).collect();
        Ok(Self { secret: groups.join(" "), picture: QrPicture::new(&uri)?, uri })
    }
}

impl QrPicture {
    fn new(text: &str) -> Result<Self> {
        let code = QrCode::with_error_correction_level(text, EcLevel::M);
        let code = code.map_err(|error| Error::Internal(format!("making a QR code failed: {error}")))?;
        let width = code.width();
        let mut path = String::new();
        for (place, color) in code.to_colors().into_iter().enumerate() {
            if color == Color::Dark {
                let _ = write!(path, "M{} {}h1v1h-1z", place % width + MARGIN, place / width + MARGIN);
            }
        }
        Ok(Self { size: width + 2 * MARGIN, path })
    }
}
