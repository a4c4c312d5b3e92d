//! From where files may be downloaded: networks and countries.

use std::net::IpAddr;

use ipnet::IpNet;

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The client's address.
    pub address: IpAddr,
    /// Its country, when that is known.
    pub country: Option<Country>,
}

/// A country, by the two letters that ISO 3166-1 gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Country([u8; 2]);

impl Country {
    /// The country of these two letters, in either case.
    pub fn parse(text: &str) -> Option<Self> {
        let letters: [u8; 2] = text.as_bytes().try_into().ok()?;
        let is_known = letters.iter().all(u8::is_ascii_alphabetic);
        // The code of no country stands for one that is not known.
        Some(Self(letters.map(|letter| letter.to_ascii_uppercase()))).filter(|code| is_known && code.0 != *b"ZZ")
    }

    /// Its letters, in upper case.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("ZZ")
    }
}

/// Networks that are let in, and those that are not. Where a network is in neither, it is let in unless only some are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Networks {
    /// Only these, when there are any.
    pub white: Vec<IpNet>,
    /// None of these, whatever else says.
    pub black: Vec<IpNet>,
}

impl Networks {
    /// Whether an address is let in. IPv4 addresses in the clothes of IPv6 are what they are.
    pub fn admit(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let is_in = |networks: &[IpNet]| networks.iter().any(|network| network.contains(&address));
        !is_in(&self.black) && (self.white.is_empty() || is_in(&self.white))
    }
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

    fn networks(white: &[&str], black: &[&str]) -> Networks {
        let parse = |list: &[&str]| list.iter().map(|text| text.parse().expect("a network")).collect();
        Networks { white: parse(white), black: parse(black) }
    }

    fn admits(networks: &Networks, address: &str) -> bool {
        networks.admit(address.parse().expect("an address"))
    }

    #[test]
    fn black_wins_and_white_shuts_the_rest_out() {
        assert!(admits(&networks(&[], &[]), "1.2.3.4"));
        let some = networks(&["10.0.0.0/8", "2001:db8::/32"], &["10.1.0.0/16"]);
        assert!(admits(&some, "10.2.3.4") && admits(&some, "2001:db8::1") && admits(&some, "::ffff:10.2.3.4"));
        assert!(!admits(&some, "10.1.3.4") && !admits(&some, "11.0.0.1") && !admits(&some, "::ffff:10.1.3.4"));
        let all_but = networks(&[], &["10.0.0.0/8"]);
        assert!(admits(&all_but, "11.0.0.1") && !admits(&all_but, "10.0.0.1"));
    }

    #[test]
    fn a_country_that_is_not_known_is_on_no_list() {
        let (de, fr) = (Country::parse("de"), Country::parse("FR"));
        let list = vec![de.expect("a country")];
        let (white, black) = (Countries::White(list.clone()), Countries::Black(list));
        assert!(white.admit(de) && !white.admit(fr) && !white.admit(None));
        assert!(!black.admit(de) && black.admit(fr) && black.admit(None));
    }

    #[test]
    fn two_letters_are_a_country() {
        assert_eq!(Country::parse("de").expect("a country").as_str(), "DE");
        for bad in ["", "d", "deu", "d1", "zz", "é"] {
            assert_eq!(Country::parse(bad), None, "{bad}");
        }
    }
}
