//! The numbers of header tags.

pub(super) const HEADER_SIGNATURES: u32 = 62;
pub(super) const HEADER_IMMUTABLE: u32 = 63;

/// In the signature header.
pub(super) const SIGNATURE_PAYLOAD_SIZE: u32 = 1007;
/// In the signature header.
pub(super) const SIGNATURE_LONG_PAYLOAD_SIZE: u32 = 271;

pub(super) const NAME: u32 = 1000;
pub(super) const VERSION: u32 = 1001;
pub(super) const RELEASE: u32 = 1002;
pub(super) const EPOCH: u32 = 1003;
pub(super) const SUMMARY: u32 = 1004;
pub(super) const DESCRIPTION: u32 = 1005;
pub(super) const BUILD_TIME: u32 = 1006;
pub(super) const BUILD_HOST: u32 = 1007;
pub(super) const SIZE: u32 = 1009;
pub(super) const VENDOR: u32 = 1011;
pub(super) const LICENSE: u32 = 1014;
pub(super) const PACKAGER: u32 = 1015;
pub(super) const GROUP: u32 = 1016;
pub(super) const URL: u32 = 1020;
pub(super) const ARCH: u32 = 1022;
pub(super) const OLD_FILE_NAMES: u32 = 1027;
pub(super) const FILE_MODES: u32 = 1030;
pub(super) const FILE_FLAGS: u32 = 1037;
pub(super) const SOURCE_RPM: u32 = 1044;
pub(super) const ARCHIVE_SIZE: u32 = 1046;
pub(super) const CHANGELOG_TIME: u32 = 1080;
pub(super) const CHANGELOG_NAME: u32 = 1081;
pub(super) const CHANGELOG_TEXT: u32 = 1082;
pub(super) const DIR_INDEXES: u32 = 1116;
pub(super) const BASE_NAMES: u32 = 1117;
pub(super) const DIR_NAMES: u32 = 1118;
pub(super) const LONG_SIZE: u32 = 5009;

/// The element of a kind of dependencies, and the tags of their names, versions and flags.
pub(super) const DEPENDENCIES: &[(&str, u32, u32, u32)] = &[
    ("provides", 1047, 1113, 1112),
    ("requires", 1049, 1050, 1048),
    ("conflicts", 1054, 1055, 1053),
    ("obsoletes", 1090, 1115, 1114),
    ("suggests", 5049, 5050, 5051),
    ("enhances", 5055, 5056, 5057),
    ("recommends", 5046, 5047, 5048),
    ("supplements", 5052, 5053, 5054),
];
