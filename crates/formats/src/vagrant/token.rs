//! The token that Vagrant sends in the query.

/// Returns the only value of `access_token`. Two of them are refused, even if they are equal.
pub fn access_token<'a>(values: &[&'a str]) -> Result<Option<&'a str>, String> {
    match values {
        [] | [""] => Ok(None),
        [token] => Ok(Some(token)),
        _ => Err("access_token stands in the URL twice".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_one_token() {
        assert_eq!((access_token(&[]), access_token(&["t"])), (Ok(None), Ok(Some("t"))));
        assert!(access_token(&["a", "a"]).is_err());
    }
}
