//! Decides whether a file may be downloaded. Every surface that serves files uses this.

use crate::access::{Decision, Origin, Restrictions, Right, Visibility, decide_in_repo};

/// The maximum lifetime of a signed URL, in seconds: a year.
pub const LONGEST_SIGNED_URL_SECS: i64 = 365 * 24 * 60 * 60;

/// A requested download.
#[derive(Debug, Clone, Copy)]
pub struct DownloadRequest<'a> {
    /// Where the request comes from.
    pub origin: Origin,
    /// The right that the caller has for the file.
    pub granted: Right,
    /// Whether the caller has presented credentials.
    pub is_signed_in: bool,
    /// Whether the caller's access key requires an agreement that has not been accepted yet.
    pub owes_agreement: bool,
    /// The file.
    pub file: Download<'a>,
}

/// The properties of a file that decide whether it may be downloaded.
#[derive(Debug, Clone, Copy)]
pub struct Download<'a> {
    /// The restrictions of its repository, and of the repository through which it was requested.
    pub restrictions: &'a [&'a Restrictions],
    /// Whether everyone may read its repository.
    pub visibility: Visibility,
    /// Whether it is published; until then only publishers see it.
    pub is_published: bool,
}

/// The reason why a download is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The response must look as if the file did not exist.
    Hidden,
    /// Downloads from this network or country are not allowed.
    Origin,
    /// The caller has to accept an agreement first.
    Agreement,
}

/// Decides whether a file may be downloaded. Checks rights first, so that origin rules never reveal hidden files; then
/// origins, then agreements.
pub fn decide_download(asked: DownloadRequest<'_>) -> Result<(), Refusal> {
    let needed = if asked.file.is_published { Right::Read } else { Right::Publish };
    let decision = decide_in_repo(needed, asked.granted, asked.file.visibility, asked.is_signed_in);
    if decision != Decision::Allowed {
        return Err(Refusal::Hidden);
    }
    if !asked.file.restrictions.iter().all(|restrictions| restrictions.admit(asked.origin)) {
        return Err(Refusal::Origin);
    }
    if asked.owes_agreement { Err(Refusal::Agreement) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Countries, Networks};

    fn asked<'a>(restrictions: &'a [&'a Restrictions], granted: Right, visibility: Visibility) -> DownloadRequest<'a> {
        DownloadRequest {
            origin: Origin { address: "10.0.0.1".parse().expect("an address"), country: None },
            granted,
            is_signed_in: true,
            owes_agreement: false,
            file: Download { restrictions, visibility, is_published: true },
        }
    }

    #[test]
    fn what_is_hidden_stays_hidden_whatever_else_says_no() {
        let closed = Restrictions { networks: Networks::default(), countries: Some(Countries::White(Vec::new())) };
        let rules = [&closed];
        let stranger = asked(&rules, Right::None, Visibility::Private);
        assert_eq!(decide_download(stranger), Err(Refusal::Hidden));
        assert_eq!(decide_download(DownloadRequest { granted: Right::Own, ..stranger }), Err(Refusal::Origin));
    }

    #[test]
    fn origins_come_before_agreements() {
        let black = Networks { white: Vec::new(), black: vec!["10.0.0.0/8".parse().expect("a network")] };
        let closed = Restrictions { networks: black, countries: None };
        let rules = [&closed];
        let debtor = DownloadRequest { owes_agreement: true, ..asked(&rules, Right::Read, Visibility::Private) };
        assert_eq!(decide_download(debtor), Err(Refusal::Origin));
        let open = DownloadRequest { file: Download { restrictions: &[], ..debtor.file }, ..debtor };
        assert_eq!(decide_download(open), Err(Refusal::Agreement));
        assert_eq!(decide_download(DownloadRequest { owes_agreement: false, ..open }), Ok(()));
    }

    #[test]
    fn what_is_not_published_is_for_publishers() {
        let reader = asked(&[], Right::Read, Visibility::Public);
        let staged = DownloadRequest { file: Download { is_published: false, ..reader.file }, ..reader };
        assert_eq!(decide_download(reader), Ok(()));
        assert_eq!(decide_download(staged), Err(Refusal::Hidden));
        assert_eq!(decide_download(DownloadRequest { granted: Right::Publish, ..staged }), Ok(()));
    }
}
