//! Versions of each ecosystem, made by choices.

use super::random::Text;

/// Adds a prerelease by the rules of semantic versioning.
fn add_prerelease(text: &mut Text<'_>) {
    if !text.once_in(3) {
        text.add("-");
        let count = 1 + text.below(3);
        for at in 0..count {
            if at > 0 {
                text.add(".");
            }
            text.one_of(&["alpha", "beta", "rc", "0", "1", "2", "10", "a-b", "rc1", "rc10", "x", "B", "-", "0a"]);
        }
    }
}

/// Adds a prerelease and build metadata.
fn add_labels(text: &mut Text<'_>) {
    add_prerelease(text);
    if text.once_in(5) {
        text.one_of(&["+build", "+1", "+2.x"]);
    }
}

pub(super) fn semantic(text: &mut Text<'_>) {
    text.numbers(3, 3);
    add_labels(text);
}

pub(super) fn go(text: &mut Text<'_>) {
    text.add("v");
    text.numbers(3, 3);
    if text.once_in(4) {
        text.one_of(&["-0.20240131120000-abcdefabcdef", "-pre.0.20240131120000-abcdefabcdef", "+incompatible"]);
    } else {
        add_prerelease(text);
    }
}

pub(super) fn nuget(text: &mut Text<'_>) {
    text.numbers(1, 4);
    add_labels(text);
}

pub(super) fn pypi(text: &mut Text<'_>) {
    text.one_of(&["", "", "", "v", "1!", "2!"]);
    text.numbers(1, 4);
    text.one_of(&["", "", "a1", "b2", "rc1", "rc10", ".alpha1", "-beta.2", "_c3", "RC2", ".pre"]);
    text.one_of(&["", "", "", ".post1", "-2", ".rev10", "post"]);
    text.one_of(&["", "", "", ".dev1", ".dev10", "dev"]);
    text.one_of(&["", "", "", "", "+local", "+1", "+ubuntu.2", "+ubuntu.10", "+Ubuntu-2"]);
}

/// Runs of letters, digits and signs, as Debian, RPM and Arch have them.
fn add_runs(text: &mut Text<'_>, signs: &[&str]) {
    text.number();
    let count = text.below(5);
    for _ in 0..count {
        text.one_of(signs);
        text.one_of(&["0", "1", "00", "01", "10", "a", "b", "rc", "beta", "A", "1a", "a1", "git20240131"]);
    }
}

pub(super) fn debian(text: &mut Text<'_>) {
    text.one_of(&["", "", "", "0:", "1:", "10:"]);
    add_runs(text, &[".", "+", "~", "-", "", "~~"]);
    if text.once_in(2) {
        text.add("-");
        text.one_of(&["0", "1", "10", "1ubuntu1", "1~bpo1", "0.1", "1+b1", "a"]);
    }
}

pub(super) fn rpm(text: &mut Text<'_>) {
    text.one_of(&["", "", "", "0:", "1:", "10:"]);
    add_runs(text, &[".", "_", "~", "^", "", "+"]);
    if text.once_in(2) {
        text.add("-");
        text.one_of(&["0", "1", "10", "1.fc40", "1~rc1", "1^git2", "0.1", "a"]);
    }
}

pub(super) fn arch(text: &mut Text<'_>) {
    text.one_of(&["", "", "", "0:", "1:", "10:"]);
    add_runs(text, &[".", "_", "", "+", ".."]);
    if text.once_in(2) {
        text.one_of(&["-1", "-2", "-10", "-1.1"]);
    }
}

/// Versions without a platform, which follows a `-` in the names of gems.
pub(super) fn rubygems(text: &mut Text<'_>) {
    text.numbers(1, 4);
    let count = text.below(3);
    for _ in 0..count {
        text.add(".");
        text.one_of(&["0", "00", "a", "b1", "rc", "rc10", "1a2", "pre", "B"]);
    }
}

pub(super) fn composer(text: &mut Text<'_>) {
    if text.once_in(8) {
        return text.one_of(&["dev-main", "dev-feature", "dev-a.b", "1.x-dev", "2.1.x-dev", "20240131", "2024.01.31"]);
    }
    text.one_of(&["", "", "v", "V"]);
    // Longer numbers are dates, which have other rules.
    text.one_of(&["0", "1", "2", "3", "9", "10", "11", "100"]);
    if !text.once_in(4) {
        text.add(".");
        text.numbers(1, 3);
    }
    text.one_of(&[
        "", "", "", "-alpha", "-alpha1", "-a2", "-beta.2", "b3", "-RC1", "-rc10", "-p1", "-patch2", "-stable",
    ]);
    text.one_of(&["", "", "", "", "-dev", "+build"]);
}

/// Conan compares a number with a word that begins with a digit by their characters, which is no order, so there are none.
pub(super) fn conan(text: &mut Text<'_>) {
    if text.once_in(8) {
        return text.one_of(&["cci.20200203", "cci.20240131", "system", "main", "1.a", "1.2.rc1", "a.1"]);
    }
    text.numbers(1, 4);
    text.one_of(&["", "", "", ".a", ".b2"]);
    text.one_of(&["", "", "", "-alpha", "-beta.1", "-beta.10", "-1", "-rc.a"]);
    text.one_of(&["", "", "", "+1", "+2", "+build.1", "+build.10"]);
}

pub(super) fn conda(text: &mut Text<'_>) {
    text.one_of(&["", "", "", "1!", "2!"]);
    text.numbers(1, 4);
    text.one_of(&["", "", "a1", "b", "rc1", ".rc10", "dev", ".dev1", "post1", ".post", "_1", "alpha", "c"]);
    text.one_of(&["", "", "", "", "+1", "+2.a", "+local"]);
}

/// R has no larger integers.
pub(super) fn cran(text: &mut Text<'_>) {
    text.number();
    let count = 1 + text.below(4);
    for _ in 0..count {
        text.one_of(&[".", ".", "-"]);
        text.one_of(&["0", "1", "2", "9", "10", "11", "00", "01", "010", "100", "20240131"]);
    }
}

/// Without build metadata: helm lists versions that differ only there in any order.
pub(super) fn helm(text: &mut Text<'_>) {
    text.numbers(3, 3);
    add_prerelease(text);
}
