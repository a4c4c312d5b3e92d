//! Names of licences that people know from SPDX, and what the contract's list calls them.

use crate::license::LICENSES;

/// The names of SPDX whose counterpart has another name.
const COUNTERPARTS: &[(&str, &str)] = &[
    ("AGPL-3.0", "AGPL-V3"),
    ("AGPL-3.0-only", "AGPL-V3"),
    ("AGPL-3.0-or-later", "AGPL-V3"),
    ("Artistic-2.0", "Artistic-License-2.0"),
    ("BSD-2-Clause", "BSD Simplified"),
    ("BSD-3-Clause", "BSD New"),
    ("ECL-2.0", "ECL2"),
    ("EPL-1.0", "Eclipse-1.0"),
    ("GPL-2.0-only", "GPL-2.0"),
    ("GPL-2.0-or-later", "GPL-2.0"),
    ("GPL-2.0-with-classpath-exception", "GPL-2.0+CE"),
    ("GPL-3.0-only", "GPL-3.0"),
    ("GPL-3.0-or-later", "GPL-3.0"),
    ("IPL-1.0", "IBMPL-1.0"),
    ("LGPL-2.1-only", "LGPL-2.1"),
    ("LGPL-2.1-or-later", "LGPL-2.1"),
    ("LGPL-3.0-only", "LGPL-3.0"),
    ("LGPL-3.0-or-later", "LGPL-3.0"),
    ("MPL-1.1", "Mozilla-1.1"),
    ("NCSA", "UoI-NCSA"),
    ("OFL-1.1", "Openfont-1.1"),
    ("PSF-2.0", "PythonSoftFoundation"),
    ("Python-2.0", "PythonPL"),
    ("QPL-1.0", "QTPL-1.0"),
    ("SPL-1.0", "SUNPublic-1.0"),
];

/// The SPDX names of a listed licence that differ from its name there.
pub fn names_of(listed: &str) -> impl Iterator<Item = &'static str> {
    COUNTERPARTS.iter().filter(move |(_, known)| *known == listed).map(|(spdx, _)| *spdx)
}

/// Returns what the contract's list calls a licence; `None` if it does not have it. Letter case does not matter.
pub fn counterpart(name: &str) -> Option<&'static str> {
    let listed = LICENSES.iter().map(|license| license.name).find(|known| known.eq_ignore_ascii_case(name));
    let other = || COUNTERPARTS.iter().find(|(spdx, _)| spdx.eq_ignore_ascii_case(name)).map(|(_, known)| *known);
    listed.or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::license;

    #[test]
    fn every_counterpart_is_in_the_list() {
        for (spdx, known) in COUNTERPARTS {
            assert!(license::find(known).is_some(), "{spdx}: {known}");
        }
        assert_eq!(counterpart("bsd-3-clause"), Some("BSD New"));
        assert_eq!(counterpart("mit"), Some("MIT"));
        assert_eq!(counterpart("SSPL-1.0"), None);
    }
}
