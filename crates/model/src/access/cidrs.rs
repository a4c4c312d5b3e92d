//! Networks as users write them.

use ipnet::IpNet;

use crate::access::{Networks, parse_network};

/// Maximum number of networks in one list.
const NETWORKS: usize = 100;

/// A list that contains something other than networks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct InvalidCidrs {
    /// The name of the list.
    pub field: &'static str,
    /// The problem with it.
    pub reason: String,
}

impl Networks {
    /// Parses two lists of CIDRs. Each network is stored in canonical form, with the first address of its block.
    pub fn parse(white_cidrs: &[String], black_cidrs: &[String]) -> Result<Self, InvalidCidrs> {
        let (white, black) = (list("white_cidrs", white_cidrs)?, list("black_cidrs", black_cidrs)?);
        match white.iter().find(|network| black.contains(network)) {
            Some(both) => {
                Err(InvalidCidrs { field: "black_cidrs", reason: format!("'{both}' is in white_cidrs, too") })
            }
            None => Ok(Self { white, black }),
        }
    }
}

fn list(field: &'static str, cidrs: &[String]) -> Result<Vec<IpNet>, InvalidCidrs> {
    if cidrs.len() > NETWORKS {
        return Err(InvalidCidrs { field, reason: format!("there are more than {NETWORKS}") });
    }
    let mut networks = Vec::with_capacity(cidrs.len());
    for text in cidrs {
        let network = parse_network(text).ok_or_else(|| {
            let text: String = text.chars().take(60).collect();
            InvalidCidrs { field, reason: format!("'{text}' is not a network such as 10.0.0.0/8 or 2001:db8::/32") }
        })?;
        if !networks.contains(&network) {
            networks.push(network);
        }
    }
    Ok(networks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(|word| (*word).to_owned()).collect()
    }

    fn parsed(white: &[&str], black: &[&str]) -> Result<Vec<String>, String> {
        let networks = Networks::parse(&words(white), &words(black)).map_err(|error| error.to_string())?;
        Ok(networks.white.iter().chain(&networks.black).map(IpNet::to_string).collect())
    }

    #[test]
    fn each_network_has_one_form() {
        let white = ["10.1.2.3/8", "10.0.0.0/8", "2001:DB8:0::1/32", "192.0.2.7", "::1", "::ffff:10.9.0.0/112"];
        let expected = words(&["10.0.0.0/8", "2001:db8::/32", "192.0.2.7/32", "::1/128", "10.9.0.0/16"]);
        assert_eq!(parsed(&white, &[]), Ok(expected));
    }

    #[test]
    fn what_is_no_network_is_named() {
        for bad in ["", "10.0.0.0/33", "10.0.0/8", "house", "2001:db8::/129", "10.0.0.0/8 ", "010.0.0.0/8"] {
            let refused = parsed(&[], &[bad]).expect_err("no network");
            assert!(refused.starts_with(&format!("black_cidrs: '{bad}' is not a network")), "{refused}");
        }
        assert_eq!(parsed(&["10.0.0.0/8"; 101], &[]), Err("white_cidrs: there are more than 100".into()));
    }

    #[test]
    fn no_network_is_let_in_and_kept_out() {
        let refused = parsed(&["10.0.0.0/8"], &["10.1.2.3/8"]);
        assert_eq!(refused, Err("black_cidrs: '10.0.0.0/8' is in white_cidrs, too".into()));
        assert!(parsed(&["10.0.0.0/8"], &["10.1.0.0/16"]).is_ok());
    }
}
