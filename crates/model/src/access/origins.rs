//! Restrictions of downloads by network and country.

use std::net::IpAddr;

use crate::access::{Country, Networks};

/// The origin of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The client's address.
    pub address: IpAddr,
    /// Its country, if known.
    pub country: Option<Country>,
}

/// A list of allowed countries or a list of blocked ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Countries {
    /// Only these. An unknown country is never one of them.
    White(Vec<Country>),
    /// All but these.
    Black(Vec<Country>),
}

impl Countries {
    fn admit(&self, country: Option<Country>) -> bool {
        match self {
            Countries::White(list) => country.is_some_and(|country| list.contains(&country)),
            Countries::Black(list) => !country.is_some_and(|country| list.contains(&country)),
        }
    }
}

/// Restrictions on where a repository's files may be downloaded from. They apply to everyone, including its owner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restrictions {
    /// By network.
    pub networks: Networks,
    /// By country.
    pub countries: Option<Countries>,
}

impl Restrictions {
    /// Returns whether nothing is restricted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether downloads from this origin are allowed.
    pub fn admit(&self, origin: Origin) -> bool {
        let countries = self.countries.as_ref();
        self.networks.admit(origin.address) && countries.is_none_or(|countries| countries.admit(origin.country))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_that_is_not_known_is_on_no_list() {
        let (de, fr) = (Country::parse("de"), Country::parse("FR"));
        let list = vec![de.expect("a country")];
        let (white, black) = (Countries::White(list.clone()), Countries::Black(list));
        assert!(white.admit(de) && !white.admit(fr) && !white.admit(None));
        assert!(!black.admit(de) && black.admit(fr) && black.admit(None));
    }
}
