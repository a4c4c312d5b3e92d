//! The body of a push.

/// Checks that one of the parts of a multipart body is a file: the package.
pub fn package_part(parts_with_files: usize) -> Result<(), String> {
    match parts_with_files {
        0 => Err("the request holds no package".to_owned()),
        1 => Ok(()),
        _ => Err("the request holds more than one package; push them one by one".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_one_package() {
        assert_eq!(package_part(1), Ok(()));
        assert!(package_part(0).is_err() && package_part(2).is_err());
    }
}
