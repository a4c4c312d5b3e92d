//! The licences that a package may name.

/// A licence of the contract's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct License {
    /// The value in the `licenses` of a package.
    pub name: &'static str,
    /// Its full name.
    pub long_name: &'static str,
    /// The URL of its text.
    pub url: &'static str,
}

/// Returns the licence with this name; letter case matters.
pub fn find(name: &str) -> Option<&'static License> {
    LICENSES.iter().find(|license| license.name == name)
}

const fn license(name: &'static str, long_name: &'static str, url: &'static str) -> License {
    License { name, long_name, url }
}

/// Every licence, in the contract's order.
pub const LICENSES: [License; 88] = [
    license("AFL-3.0", "Academic Free License 3.0", "https://opensource.org/license/afl-3-0-php"),
    license("AGPL-V3", "GNU Affero General Public License v3", "https://www.gnu.org/licenses/agpl-3.0.html"),
    license("APL-1.0", "Adaptive Public License 1.0", "https://opensource.org/license/apl1-0-php"),
    license("Apache-1.0", "Apache License 1.0", "https://www.apache.org/licenses/LICENSE-1.0"),
    license("Apache-1.1", "Apache License 1.1", "https://www.apache.org/licenses/LICENSE-1.1"),
    license("APSL-2.0", "Apple Public Source License 2.0", "https://opensource.org/license/apsl2-0-php"),
    license("Artistic-License-2.0", "Artistic License 2.0", "https://opensource.org/license/artistic-2-0"),
    license("Attribution", "Attribution Assurance License", "https://opensource.org/license/attribution-php"),
    license("BSL-1.0", "Boost Software License 1.0", "https://www.boost.org/LICENSE_1_0.txt"),
    license(
        "CA-TOSL-1.1",
        "Computer Associates Trusted Open Source License 1.1",
        "https://opensource.org/license/ca-tosl1-1-php",
    ),
    license("CPAL-1.0", "Common Public Attribution License 1.0", "https://opensource.org/license/cpal-1-0"),
    license("CPOL-1.02", "Code Project Open License 1.02", "https://www.codeproject.com/info/cpol10.aspx"),
    license("CUAOFFICE-1.0", "CUA Office Public License 1.0", "https://opensource.org/license/cuaoffice-php"),
    license(
        "Day-Addendum",
        "Day Specification License with Addendum",
        "https://www.day.com/content/dam/day/downloads/jsr283/LICENSE.txt",
    ),
    license("EUDATAGRID", "EU DataGrid Software License", "https://opensource.org/license/eudatagrid-php"),
    license(
        "Historical",
        "Historical Permission Notice and Disclaimer",
        "https://opensource.org/license/historical-php",
    ),
    license("IBMPL-1.0", "IBM Public License 1.0", "https://opensource.org/license/ibmpl-php"),
    license("IPAFont-1.0", "IPA Font License 1.0", "https://opensource.org/license/ipafont-html"),
    license("ISC", "ISC License", "https://opensource.org/license/isc-license-txt"),
    license("Lucent-1.02", "Lucent Public License 1.02", "https://opensource.org/license/lucent1-02-php"),
    license("MirOS", "MirOS Licence", "https://opensource.org/license/miros"),
    license("MS-PL", "Microsoft Public License", "https://opensource.org/license/ms-pl-html"),
    license("MS-RL", "Microsoft Reciprocal License", "https://opensource.org/license/ms-rl-html"),
    license("MIT", "MIT License", "https://opensource.org/license/mit"),
    license("BSD", "BSD License", "https://opensource.org/license/bsd-license-php"),
    license("GPL-2.0", "GNU General Public License v2", "https://www.gnu.org/licenses/old-licenses/gpl-2.0.html"),
    license("JTidy", "JTidy License", "https://jtidy.sourceforge.net/license.html"),
    license("CPL-1.0", "Common Public License 1.0", "https://opensource.org/license/cpl1-0-txt"),
    license("JA-SIG", "JA-SIG License", "https://www.ja-sig.org/jasig_license_v2.txt"),
    license("JSON", "JSON License", "https://www.json.org/license.html"),
    license("Motosoto-0.9.1", "Motosoto Open Source License 0.9.1", "https://opensource.org/license/motosoto-php"),
    license("ECL2", "Educational Community License 2.0", "https://opensource.org/license/ecl-2-0"),
    license("Eiffel-2.0", "Eiffel Forum License 2.0", "https://opensource.org/license/ver2_eiffel-php"),
    license("Entessa-1.0", "Entessa Public License 1.0", "https://opensource.org/license/entessa-php"),
    license("EUPL-1.1", "European Union Public Licence 1.1", "https://opensource.org/license/eupl-1-1"),
    license("Fair", "Fair License", "https://opensource.org/license/fair-php"),
    license("Frameworx-1.0", "Frameworx License 1.0", "https://opensource.org/license/frameworx-php"),
    license(
        "GPL-2.0+CE",
        "GNU General Public License v2 with Classpath Exception",
        "https://openjdk.org/legal/gplv2+ce.html",
    ),
    license("Multics", "Multics License", "https://opensource.org/license/multics-txt"),
    license("NASA-1.3", "NASA Open Source Agreement 1.3", "https://opensource.org/license/nasa1-3-php"),
    license("NTP", "NTP License", "https://opensource.org/license/ntp-license-php"),
    license("NAUMEN", "NAUMEN Public License", "https://opensource.org/license/naumen-php"),
    license("Nethack", "NetHack General Public License", "https://opensource.org/license/nethack-php"),
    license("Nokia-1.0a", "Nokia Open Source License 1.0a", "https://opensource.org/license/nokia-php"),
    license("NOSL-3.0", "Non-Profit Open Software License 3.0", "https://opensource.org/license/nposl-3-0"),
    license("OCLC-2.0", "OCLC Research Public License 2.0", "https://opensource.org/license/oclc2-php"),
    license("Openfont-1.1", "SIL Open Font License 1.1", "https://opensource.org/license/ofl-1-1"),
    license("Opengroup", "Open Group Test Suite License", "https://opensource.org/license/opengroup-php"),
    license("OSL-3.0", "Open Software License 3.0", "https://opensource.org/license/osl-3-0-php"),
    license("PHP-3.0", "PHP License 3.0", "https://opensource.org/license/php-3-0"),
    license("PostgreSQL", "PostgreSQL License", "https://opensource.org/license/postgresql"),
    license("Public Domain - SUN", "Public Domain (SUN)", "https://creativecommons.org/licenses/publicdomain/"),
    license("PythonPL", "Python License", "https://opensource.org/license/python-2-0"),
    license("PythonSoftFoundation", "Python Software Foundation License", "https://docs.python.org/3/license.html"),
    license("QTPL-1.0", "Q Public License 1.0", "https://opensource.org/license/qtpl-php"),
    license("Real-1.0", "RealNetworks Public Source License 1.0", "https://opensource.org/license/real-php"),
    license("RPL-1.5", "Reciprocal Public License 1.5", "https://opensource.org/license/rpl-1-5"),
    license("RicohPL", "Ricoh Source Code Public License", "https://opensource.org/license/ricohpl-php"),
    license("SimPL-2.0", "Simple Public License 2.0", "https://opensource.org/license/simpl-2-0-html"),
    license("Sleepycat", "Sleepycat License", "https://opensource.org/license/sleepycat-php"),
    license("SUNPublic-1.0", "Sun Public License 1.0", "https://opensource.org/license/sunpublic-php"),
    license("Sybase-1.0", "Sybase Open Watcom Public License 1.0", "https://opensource.org/license/sybase-php"),
    license(
        "UoI-NCSA",
        "University of Illinois/NCSA Open Source License",
        "https://opensource.org/license/uoi-ncsa-php",
    ),
    license(
        "IU-Extreme-1.1.1",
        "Indiana University Extreme! Lab Software License 1.1.1",
        "https://enterprise.dejacode.com/licenses/public/indiana-extreme/",
    ),
    license("VovidaPL-1.0", "Vovida Software License 1.0", "https://opensource.org/license/vovidapl-php"),
    license("wxWindows", "wxWindows Library License", "https://opensource.org/license/wxwindows-php"),
    license("Xnet", "X.Net License", "https://opensource.org/license/xnet-php"),
    license("ZPL-2.0", "Zope Public License 2.0", "https://opensource.org/license/zpl-2-0-php"),
    license("ZLIB", "zlib License", "https://www.zlib.net/zlib_license.html"),
    license(
        "Codehaus",
        "Codehaus License",
        "https://web.archive.org/web/2015/http://classworlds.codehaus.org/license.html",
    ),
    license("TMate", "TMate Open Source License", "https://svnkit.com/license.html"),
    license("WTFPL", "Do What The F*ck You Want To Public License", "http://www.wtfpl.net/txt/copying/"),
    license("MPL-2.0", "Mozilla Public License 2.0", "https://www.mozilla.org/MPL/2.0/"),
    license("Public Domain", "Public Domain", "https://creativecommons.org/publicdomain/mark/1.0/"),
    license("Eclipse-1.0", "Eclipse Public License 1.0", "https://www.eclipse.org/legal/epl-v10.html"),
    license("Bouncy-Castle", "Bouncy Castle Licence", "https://www.bouncycastle.org/licence.html"),
    license("Apache-2.0", "Apache License 2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
    license("BSD Simplified", "BSD 2-Clause License", "https://opensource.org/license/bsd-2-clause"),
    license("BSD New", "BSD 3-Clause License", "https://opensource.org/license/bsd-3-clause"),
    license("LGPL-3.0", "GNU Lesser General Public License v3", "https://www.gnu.org/licenses/lgpl-3.0.html"),
    license("GPL-3.0", "GNU General Public License v3", "https://www.gnu.org/licenses/gpl-3.0.html"),
    license("CDDL-1.0", "Common Development and Distribution License 1.0", "https://opensource.org/license/cddl-1-0"),
    license("HSQLDB", "HSQLDB License", "https://hsqldb.org/web/hsqlLicense.html"),
    license("Day", "Day Specification License", "https://www.day.com/dam/day/downloads/jsr283/day-spec-license.htm"),
    license("Mozilla-1.1", "Mozilla Public License 1.1", "https://www.mozilla.org/MPL/1.1/"),
    license(
        "LGPL-2.1",
        "GNU Lesser General Public License v2.1",
        "https://www.gnu.org/licenses/old-licenses/lgpl-2.1.html",
    ),
    license(
        "W3C",
        "W3C Software Notice and License",
        "https://www.w3.org/Consortium/Legal/2015/copyright-software-and-document",
    ),
    license("Go", "Go License", "https://go.dev/LICENSE"),
];

/// A custom licence of a subject.
#[derive(Debug, Clone)]
pub struct CustomLicense {
    /// Its name.
    pub name: String,
    /// A short description.
    pub description: String,
    /// The URL of its text.
    pub url: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_no_value_twice() {
        let names: std::collections::HashSet<_> = LICENSES.iter().map(|license| license.name).collect();
        assert_eq!(names.len(), 88);
    }

    #[test]
    fn values_are_found_exactly() {
        assert_eq!(find("Public Domain - SUN").map(|license| license.long_name), Some("Public Domain (SUN)"));
        assert_eq!(find("mit"), None);
    }
}
