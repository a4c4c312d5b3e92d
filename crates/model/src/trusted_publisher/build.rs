//! A build that has published something.

/// The most characters of a claim's value that are kept.
const VALUE_CHARACTERS: usize = 300;

/// A build as its identity token describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    /// The name of the trusted publisher.
    pub publisher: String,
    /// The issuer of the token.
    pub issuer: String,
    /// Claims with their values; `sub` is the first.
    pub claims: Vec<(String, String)>,
}

impl Build {
    /// Describes a build. Values are cut, and lose characters that cannot be shown.
    pub fn new(publisher: &str, issuer: &str, claims: impl IntoIterator<Item = (String, String)>) -> Self {
        let value = |text: &str| text.chars().filter(|c| !c.is_control()).take(VALUE_CHARACTERS).collect::<String>();
        let claims = claims.into_iter().map(|(name, text)| (value(&name), value(&text))).collect();
        Self { publisher: value(publisher), issuer: value(issuer), claims }
    }

    /// The text that is stored: the publisher, the issuer, and one line for each claim.
    pub fn to_text(&self) -> String {
        let claims = self.claims.iter().map(|(name, value)| format!("\n{name}={value}")).collect::<String>();
        format!("{}\n{}{claims}", self.publisher, self.issuer)
    }

    /// Reads what [`Build::to_text`] has written.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.split('\n');
        let (publisher, issuer) = (lines.next()?.to_owned(), lines.next()?.to_owned());
        let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Some(Self { publisher, issuer, claims: lines.map(pair).collect::<Option<_>>()? })
    }

    /// One line for logs.
    pub fn summary(&self) -> String {
        let claims = self.claims.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        format!("{}: {}", self.issuer, claims.join(" "))
    }
}
