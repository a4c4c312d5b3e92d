//! From where files may be downloaded: networks and countries.

use std::net::IpAddr;

use crate::access::{Country, Networks};

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The client's address.
    pub address: IpAddr,
    /// Its country, when that is known.
    pub country: Option<Country>,
}

/// Countries that are let in, or those that are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Countries {
    /// Only these. A country that is not known is none of them.
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

/// From where a repository's files may be downloaded. It binds everyone, its owner too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restrictions {
    /// By network.
    pub networks: Networks,
    /// By country.
    pub countries: Option<Countries>,
}

impl Restrictions {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether downloads from there are fine.
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
