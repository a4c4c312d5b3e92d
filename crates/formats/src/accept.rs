//! Reads an `Accept` header.

/// The weight that a header gives to a media type by its name, from 0 to 1; 0 if the header does not name it. Ranges
/// with `*` do not ask for a particular type.
pub fn weight(accept: &str, media_type: &str) -> f32 {
    accept.split(',').filter_map(|range| weight_of(range, media_type)).fold(0.0, f32::max)
}

fn weight_of(range: &str, media_type: &str) -> Option<f32> {
    let mut parts = range.split(';').map(str::trim);
    if !parts.next()?.eq_ignore_ascii_case(media_type) {
        return None;
    }
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    weight.map_or(Some(1.0), |weight| weight.parse().ok().filter(|weight| (0.0..=1.0).contains(weight)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read() {
        let accept = "a/b; q=0.5, A/C;x=y;Q=1.0,d/e, f/g;q=7, h/i;q=x, */*";
        for (media_type, expected) in
            [("a/b", 0.5), ("a/c", 1.0), ("d/e", 1.0), ("f/g", 0.0), ("h/i", 0.0), ("j/k", 0.0)]
        {
            assert!((weight(accept, media_type) - expected).abs() < f32::EPSILON, "{media_type}");
        }
    }
}
