//! Countries by their ISO 3166-1 codes.

/// A country, as its two-letter ISO 3166-1 code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Country([u8; 2]);

impl Country {
    /// Parses a two-letter code, in either case.
    pub fn parse(text: &str) -> Option<Self> {
        let letters: [u8; 2] = text.as_bytes().try_into().ok()?;
        let country = Self(letters.map(|letter| letter.to_ascii_uppercase()));
        CODES.split_ascii_whitespace().any(|code| code.as_bytes() == country.0).then_some(country)
    }

    /// The code, in upper case.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("ZZ")
    }
}

/// The assigned codes, and `XK`: Kosovo has no code of its own, and every geolocation database uses this one.
const CODES: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR \
    GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT \
    JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY \
    MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM \
    PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW \
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ \
    UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assigned_letters_are_a_country() {
        assert_eq!(Country::parse("de").expect("a country").as_str(), "DE");
        for bad in ["", "d", "deu", "d1", "zz", "xx", "uk", "t1", "é", "D "] {
            assert_eq!(Country::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn there_are_as_many_as_the_standard_has() {
        let codes: std::collections::BTreeSet<&str> = CODES.split_ascii_whitespace().collect();
        assert_eq!(codes.len(), 249 + 1);
        assert_eq!(CODES.split_ascii_whitespace().count(), codes.len());
    }
}
