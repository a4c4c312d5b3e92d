//! Changes to products.

use model::{access::LONGEST_SIGNED_URL_SECS, product::ProductProfile, text};

use crate::{Error, Result, change::Edits};

/// The maximum number of packages of a product.
const PACKAGES: usize = 100;

/// Changes to a product. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct ProductChange {
    /// Its display name.
    pub display_name: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// The URL of its website.
    pub website_url: Option<Option<String>>,
    /// The URL of its source repository.
    pub vcs_url: Option<Option<String>>,
    /// Its packages, as `repo/package`.
    pub packages: Option<Vec<String>>,
    /// The lifetime of a signed URL of one of its files, in seconds.
    pub sign_url_expiry: Option<Option<i64>>,
}

impl ProductChange {
    pub(super) fn check(&self) -> Result<()> {
        let invalid = |field| move |reason| Error::invalid(field, reason);
        text::check_full_name(self.display_name.as_deref().unwrap_or_default()).map_err(invalid("display_name"))?;
        text::check_text(self.description.as_deref().unwrap_or_default()).map_err(invalid("desc"))?;
        for (field, url) in [("website_url", &self.website_url), ("vcs_url", &self.vcs_url)] {
            text::check_line(url.iter().flatten().next().map_or("", String::as_str)).map_err(invalid(field))?;
        }
        if self.packages.as_ref().is_some_and(|packages| packages.len() > PACKAGES) {
            return Err(Error::invalid("packages", format!("there are more than {PACKAGES}")));
        }
        if self.sign_url_expiry.flatten().is_some_and(|seconds| !(1..=LONGEST_SIGNED_URL_SECS).contains(&seconds)) {
            let reason = format!("it must be a number of seconds from 1 to {LONGEST_SIGNED_URL_SECS}");
            return Err(Error::invalid("sign_url_expiry", reason));
        }
        Ok(())
    }

    pub(super) fn apply(&self, profile: &mut ProductProfile, edits: &mut Edits) {
        edits.set("display_name", &mut profile.display_name, &self.display_name);
        edits.set("desc", &mut profile.description, &self.description);
        edits.set("website_url", &mut profile.website_url, &self.website_url);
        edits.set("vcs_url", &mut profile.vcs_url, &self.vcs_url);
        edits.set("sign_url_expiry", &mut profile.sign_url_expiry, &self.sign_url_expiry);
    }
}
