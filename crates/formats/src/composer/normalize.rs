//! The normal form of versions, as `Composer\Semver\VersionParser` has it.

use super::modifier::Modifier;

/// The words behind `@`.
const FLAGS: [&str; 5] = ["@stable", "@rc", "@beta", "@alpha", "@dev"];

/// Returns the normal form; `None` if the text is not a version.
pub(super) fn normalize(text: &str) -> Option<String> {
    let flagged = |flag: &&str| text.len() >= flag.len() && ends_with(text, flag);
    let text = FLAGS.iter().find(|flag| flagged(flag)).map_or(text, |flag| &text[..text.len() - flag.len()]);
    let branch = match text {
        "master" | "trunk" | "default" => Some(text),
        _ => text.get(..4).filter(|head| head.eq_ignore_ascii_case("dev-")).map(|_| &text[4..]),
    };
    if let Some(branch) = branch {
        return Some(format!("dev-{branch}"));
    }
    if text.contains(char::is_whitespace) {
        return None;
    }
    let text = match text.split_once('+') {
        Some((plain, build)) if !plain.is_empty() && !plain.contains(',') && !build.is_empty() => plain,
        _ => text,
    };
    classical(text).or_else(|| date(text)).or_else(|| numeric_branch(text))
}

fn ends_with(text: &str, end: &str) -> bool {
    text.get(text.len() - end.len()..).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

fn without_v(text: &str) -> &str {
    text.strip_prefix(['v', 'V']).unwrap_or(text)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// One to four numbers, the first with at most five digits.
fn classical(text: &str) -> Option<String> {
    let text = without_v(text);
    let mut length = digits(text);
    if !(1..=5).contains(&length) {
        return None;
    }
    let mut numbers = 1;
    while numbers < 4 {
        let more = text[length..].strip_prefix('.').map_or(0, digits);
        if more == 0 {
            break;
        }
        length += 1 + more;
        numbers += 1;
    }
    let (plain, rest) = text.split_at(length);
    Some(with_modifier(plain.to_owned() + &".0".repeat(4 - numbers), Modifier::parse(rest)?))
}

/// A date: four digits, one to six pairs of digits, and up to three more digits.
fn date(text: &str) -> Option<String> {
    let text = without_v(text);
    let separator = |text: &str| usize::from(text.starts_with(['.', ':', '-']));
    if digits(text) < 4 {
        return None;
    }
    let mut ends = vec![4];
    while ends.len() <= 6 {
        let end = ends[ends.len() - 1];
        let start = end + separator(&text[end..]);
        if digits(&text[start..]) < 2 {
            break;
        }
        ends.push(start + 2);
    }
    ends.iter().skip(1).rev().find_map(|end| {
        let start = end + separator(&text[*end..]);
        let most = digits(&text[start..]).min(3);
        let lengths = (1..=most).rev().map(|more| start + more).chain([*end]);
        lengths.into_iter().find_map(|length| {
            let (plain, rest) = text.split_at(length);
            let modifier = Modifier::parse(rest)?;
            Some(with_modifier(plain.replace([':', '-'], "."), modifier))
        })
    })
}

fn with_modifier(mut version: String, modifier: Modifier<'_>) -> String {
    if modifier.word == "stable" {
        return version;
    }
    if !modifier.word.is_empty() {
        version.push('-');
        version.push_str(&modifier.stability_word());
        version.push_str(modifier.digits.trim_start_matches(['.', '-']));
    }
    if modifier.is_dev {
        version.push_str("-dev");
    }
    version
}

/// A branch of numbers: `1.x-dev` is `1.9999999.9999999.9999999-dev`.
fn numeric_branch(text: &str) -> Option<String> {
    let head = text.len().checked_sub(3).filter(|_| ends_with(text, "dev"))?;
    let name = &text[..head];
    let name = without_v(name.strip_suffix(['.', '-']).unwrap_or(name));
    let mut parts: Vec<&str> = name.split('.').collect();
    let is_number = |part: &str| !part.is_empty() && digits(part) == part.len();
    let is_part = |part: &&str| is_number(part) || matches!(*part, "x" | "X" | "*");
    if parts.len() > 4 || !is_number(parts[0]) || !parts.iter().all(is_part) {
        return None;
    }
    parts.resize(4, "x");
    let parts: Vec<&str> = parts.into_iter().map(|part| if is_number(part) { part } else { "9999999" }).collect();
    Some(parts.join(".") + "-dev")
}
