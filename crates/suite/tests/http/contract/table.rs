//! Every call of the contract and of the decisions: one row per method and path, in the contract's syntax, under its
//! section. Optional parts of a path have their own rows; queries, headers and matrix parameters are not part of a row.

use std::fmt;

/// A method and a path.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
}

const fn row(method: &'static str, path: &'static str) -> Row {
    Row { method, path }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// Paths outside the API: those that every host serves, the download host, and the pages.
pub(super) const PAGES: &[Row] = &[
    row("GET", "/livez"),
    row("GET", "/readyz"),
    row("GET", "/metrics"),
    row("GET", "/api"),
    row("GET", "/api/openapi.json"),
    row("GET", "/api/docs"),
    row("GET", "/"),
    row("GET", "/dl/:subject/:repo/:file_path"),
    row("GET", "/:subject"),
    row("GET", "/:subject/:repo"),
    row("GET", "/:subject/:repo/:package"),
    row("GET", "/:subject/:repo/:package/:version"),
    row("GET", "/eula/:subject/:product/:version"),
    row("GET", "/login"),
    row("GET", "/search"),
];

/// The calls of the API, section by section.
pub(super) const TABLE: &[(&str, &[Row])] = &[
    (
        "service-api, Repositories",
        &[
            row("GET", "/repos/:subject"),
            row("GET", "/repos/:subject/:repo"),
            row("GET", "/search/repos"),
            row("PUT", "/repository/:subject/:repo/links/:source_subject/:source_repo/:source_package"),
            row("DELETE", "/repository/:subject/:repo/links/:source_subject/:source_repo/:source_package"),
        ],
    ),
    (
        "service-api, Packages",
        &[
            row("GET", "/repos/:subject/:repo/packages"),
            row("GET", "/packages/:subject/:repo/:package"),
            row("POST", "/packages/:subject/:repo"),
            row("PATCH", "/packages/:subject/:repo/:package"),
            row("DELETE", "/packages/:subject/:repo/:package"),
            row("GET", "/search/packages/"),
        ],
    ),
    (
        "service-api, Versions",
        &[
            row("GET", "/packages/:subject/:repo/:package/versions/:version"),
            row("GET", "/packages/:subject/:repo/:package/versions/_latest"),
            row("POST", "/packages/:subject/:repo/:package/versions"),
            row("PATCH", "/packages/:subject/:repo/:package/versions/:version"),
            row("DELETE", "/packages/:subject/:repo/:package/versions/:version"),
        ],
    ),
    (
        "service-api, Attributes",
        &[
            row("GET", "/packages/:subject/:repo/:package/attributes"),
            row("POST", "/packages/:subject/:repo/:package/attributes"),
            row("PATCH", "/packages/:subject/:repo/:package/attributes"),
            row("DELETE", "/packages/:subject/:repo/:package/attributes"),
            row("GET", "/packages/:subject/:repo/:package/versions/:version/attributes"),
            row("POST", "/packages/:subject/:repo/:package/versions/:version/attributes"),
            row("PATCH", "/packages/:subject/:repo/:package/versions/:version/attributes"),
            row("DELETE", "/packages/:subject/:repo/:package/versions/:version/attributes"),
            row("POST", "/search/attributes/:subject/:repo"),
            row("POST", "/search/attributes/:subject/:repo/:package/versions"),
        ],
    ),
    (
        "service-api, Users",
        &[row("GET", "/users/:user"), row("GET", "/users/:user/followers"), row("GET", "/search/users")],
    ),
    (
        "service-api, Upload and publish",
        &[
            row("PUT", "/content/:subject/:repo/:package/:version/:file_path"),
            row("PUT", "/content/:subject/:repo/:file_path"),
            row("POST", "/content/:subject/:repo/:package/:version/publish"),
            row("GET", "/maven/:subject/:repo/:package/:file_path"),
            row("PUT", "/maven/:subject/:repo/:package/:file_path"),
        ],
    ),
    ("service-api, File search", &[row("GET", "/search/file")]),
    (
        "service-api, Signing",
        &[row("POST", "/gpg/:subject/:repo/:package/versions/:version"), row("POST", "/gpg/:subject/:repo/:file_path")],
    ),
    (
        "service-api, Logs",
        &[
            row("GET", "/packages/:subject/:repo/:package/logs"),
            row("GET", "/packages/:subject/:repo/:package/logs/:log_name"),
        ],
    ),
    ("service-api, Statistics", &[row("GET", "/packages/:subject/:repo/:package/stats/time_range_downloads")]),
    ("service-api, Signed URLs", &[row("POST", "/signed_url/:subject/:repo/:file_path")]),
    (
        "service-api, Webhooks",
        &[
            row("GET", "/webhooks/:subject"),
            row("GET", "/webhooks/:subject/:repo"),
            row("POST", "/webhooks/:subject/:repo/:package"),
            row("POST", "/webhooks/:subject/:repo/:package/:version"),
            row("DELETE", "/webhooks/:subject/:repo/:package"),
        ],
    ),
    (
        "service-api, Public staging sync",
        &[row("POST", "/maven_public_sync/:subject/:repo/:package/versions/:version")],
    ),
    (
        "decisions 4, Accounts",
        &[
            row("POST", "/users"),
            row("PATCH", "/users/:user"),
            row("DELETE", "/users/:user"),
            row("POST", "/users/:user/api_key"),
            row("GET", "/token"),
            row("GET", "/users/:user/tokens"),
            row("POST", "/users/:user/tokens"),
            row("PATCH", "/users/:user/tokens/:token"),
            row("DELETE", "/users/:user/tokens/:token"),
            row("POST", "/users/:user/tokens/:token/rotate"),
            row("GET", "/users/:user/sessions"),
            row("DELETE", "/users/:user/sessions"),
            row("DELETE", "/users/:user/sessions/:session"),
            row("GET", "/orgs/:org/tokens"),
            row("POST", "/orgs/:org/tokens"),
            row("PATCH", "/orgs/:org/tokens/:token"),
            row("DELETE", "/orgs/:org/tokens/:token"),
            row("POST", "/orgs/:org/tokens/:token/rotate"),
            row("POST", "/device_codes"),
            row("POST", "/device_codes/token"),
            row("POST", "/oidc/token"),
            row("GET", "/users/:user/trusted_publishers"),
            row("POST", "/users/:user/trusted_publishers"),
            row("DELETE", "/users/:user/trusted_publishers/:publisher"),
            row("GET", "/orgs/:org/trusted_publishers"),
            row("POST", "/orgs/:org/trusted_publishers"),
            row("DELETE", "/orgs/:org/trusted_publishers/:publisher"),
            row("POST", "/orgs"),
            row("GET", "/orgs/:org"),
            row("PATCH", "/orgs/:org"),
            row("DELETE", "/orgs/:org"),
            row("PUT", "/orgs/:org/members/:user"),
            row("DELETE", "/orgs/:org/members/:user"),
            row("GET", "/orgs/:org/invitations"),
            row("POST", "/orgs/:org/invitations"),
            row("DELETE", "/orgs/:org/invitations/:invitation"),
            row("POST", "/invitations/accept"),
            row("PUT", "/subjects/:subject/plan"),
            row("POST", "/subjects/:subject/keypair"),
        ],
    ),
    (
        "decision 0038, Site administration",
        &[
            row("GET", "/subjects"),
            row("POST", "/subjects/:subject/rename"),
            row("PUT", "/users/:user/suspension"),
            row("DELETE", "/users/:user/suspension"),
            row("POST", "/users/:user/password"),
            row("GET", "/users/:user/second_factor"),
            row("DELETE", "/users/:user/second_factor"),
        ],
    ),
    (
        "decision 0016, Storage quotas",
        &[
            row("GET", "/subjects/:subject/quota"),
            row("PUT", "/subjects/:subject/quota"),
            row("GET", "/repos/:subject/:repo/quota"),
            row("PUT", "/repos/:subject/:repo/quota"),
        ],
    ),
    (
        "decisions 4, Following and rating",
        &[
            row("PUT", "/users/:user/follow"),
            row("DELETE", "/users/:user/follow"),
            row("PUT", "/packages/:subject/:repo/:package/follow"),
            row("DELETE", "/packages/:subject/:repo/:package/follow"),
            row("PUT", "/packages/:subject/:repo/:package/rating"),
        ],
    ),
    (
        "decisions 4, Teams and permissions",
        &[
            row("GET", "/orgs/:org/teams"),
            row("POST", "/orgs/:org/teams"),
            row("GET", "/orgs/:org/teams/:team"),
            row("PATCH", "/orgs/:org/teams/:team"),
            row("DELETE", "/orgs/:org/teams/:team"),
            row("GET", "/repos/:subject/:repo/permissions"),
            row("PUT", "/repos/:subject/:repo/permissions"),
            row("GET", "/repos/:subject/:repo/permissions/:team"),
            row("DELETE", "/repos/:subject/:repo/permissions/:team"),
        ],
    ),
    (
        "decisions 5, Repositories",
        &[
            row("POST", "/repos/:subject/:repo"),
            row("PATCH", "/repos/:subject/:repo"),
            row("DELETE", "/repos/:subject/:repo"),
            row("GET", "/repos/:subject/:repo/geo_restrictions"),
            row("PUT", "/repos/:subject/:repo/geo_restrictions"),
            row("DELETE", "/repos/:subject/:repo/geo_restrictions"),
            row("GET", "/repos/:subject/:repo/ip_restrictions"),
            row("PUT", "/repos/:subject/:repo/ip_restrictions"),
            row("PATCH", "/repos/:subject/:repo/ip_restrictions"),
            row("DELETE", "/repos/:subject/:repo/ip_restrictions"),
            row("POST", "/calc_metadata/:subject/:repo"),
            row("POST", "/calc_metadata/:subject/:repo/:file_path"),
        ],
    ),
    (
        "docs/decisions/0032, Tags",
        &[
            row("PUT", "/packages/:subject/:repo/:package/tags/:tag"),
            row("DELETE", "/packages/:subject/:repo/:package/tags/:tag"),
        ],
    ),
    (
        "decisions 6, Files",
        &[
            row("GET", "/packages/:subject/:repo/:package/files"),
            row("GET", "/packages/:subject/:repo/:package/versions/:version/files"),
            row("GET", "/file_package/:subject/:repo/:file_path"),
            row("GET", "/file_version/:subject/:repo/:file_path"),
            row("PUT", "/file_metadata/:subject/:repo/:file_path"),
        ],
    ),
    (
        "decisions 6, Readme and release notes",
        &[
            row("GET", "/packages/:subject/:repo/:package/readme"),
            row("POST", "/packages/:subject/:repo/:package/readme"),
            row("DELETE", "/packages/:subject/:repo/:package/readme"),
            row("GET", "/packages/:subject/:repo/:package/release_notes"),
            row("POST", "/packages/:subject/:repo/:package/release_notes"),
            row("DELETE", "/packages/:subject/:repo/:package/release_notes"),
            row("GET", "/packages/:subject/:repo/:package/versions/:version/release_notes"),
            row("POST", "/packages/:subject/:repo/:package/versions/:version/release_notes"),
            row("DELETE", "/packages/:subject/:repo/:package/versions/:version/release_notes"),
        ],
    ),
    (
        "decisions 6 and 12, Licences",
        &[
            row("GET", "/licenses/oss_licenses"),
            row("GET", "/orgs/:org/licenses"),
            row("POST", "/orgs/:org/licenses"),
            row("PATCH", "/orgs/:org/licenses/:license"),
            row("DELETE", "/orgs/:org/licenses/:license"),
            row("GET", "/users/:user/licenses"),
            row("POST", "/users/:user/licenses"),
            row("PATCH", "/users/:user/licenses/:license"),
            row("DELETE", "/users/:user/licenses/:license"),
        ],
    ),
    (
        "decisions 7, Download",
        &[row("GET", "/content/:subject/:repo/:file_path"), row("DELETE", "/content/:subject/:repo/:file_path")],
    ),
    (
        "decisions 8 and 12, Signing keys",
        &[
            // The expiry of a key.
            row("GET", "/users/:user/keys/gpg"),
            row("GET", "/orgs/:org/keys/gpg"),
            row("PUT", "/users/:user/keys/gpg"),
            row("DELETE", "/users/:user/keys/gpg"),
            row("POST", "/users/:user/keys/gpg/generate"),
            row("GET", "/users/:user/keys/gpg/public.key"),
            row("PUT", "/orgs/:org/keys/gpg"),
            row("DELETE", "/orgs/:org/keys/gpg"),
            row("POST", "/orgs/:org/keys/gpg/generate"),
            row("GET", "/orgs/:org/keys/gpg/public.key"),
            row("GET", "/keys/gpg/public.key"),
        ],
    ),
    (
        "Repository indexes, Keys",
        &[
            row("GET", "/users/:user/keyring"),
            row("GET", "/users/:user/keyring.gpg"),
            row("GET", "/users/:user/keyring/:key_file"),
            row("GET", "/orgs/:org/keyring"),
            row("GET", "/orgs/:org/keyring.gpg"),
            row("GET", "/orgs/:org/keyring/:key_file"),
        ],
    ),
    (
        "decisions 9, Webhooks and events",
        &[
            row("GET", "/webhooks/:subject/:repo/:package/deliveries"),
            // Sends a delivery again.
            row("POST", "/webhooks/:subject/:repo/:package/replay/:event"),
            row("GET", "/stream/:subject"),
        ],
    ),
    (
        "decisions 9, Statistics",
        &[
            row("POST", "/packages/:subject/:repo/:package/stats/time_range_downloads"),
            row("GET", "/packages/:subject/:repo/:package/stats/total_downloads"),
            row("POST", "/packages/:subject/:repo/:package/stats/total_downloads"),
            row("GET", "/packages/:subject/:repo/:package/stats/country_downloads"),
            row("POST", "/packages/:subject/:repo/:package/stats/country_downloads"),
            row("GET", "/packages/:subject/:repo/:package/versions/:version/stats/total_downloads"),
            row("POST", "/packages/:subject/:repo/:package/versions/:version/stats/total_downloads"),
            row("GET", "/packages/:subject/:repo/:package/versions/:version/stats/country_downloads"),
            row("POST", "/packages/:subject/:repo/:package/versions/:version/stats/country_downloads"),
            row("GET", "/packages/:subject/:repo/:package/versions/:version/stats/time_range_downloads"),
            row("POST", "/packages/:subject/:repo/:package/versions/:version/stats/time_range_downloads"),
        ],
    ),
    (
        "decisions 9 and 12, Usage",
        &[
            row("POST", "/usage/:subject"),
            row("POST", "/usage/:subject/:repo"),
            row("POST", "/usage/package_usage/:subject/:repo"),
            row("POST", "/usage/package_usage/:subject/:repo/:package"),
            row("GET", "/usage_threshold/organization/:org"),
            row("POST", "/usage_threshold/organization/:org"),
            row("PATCH", "/usage_threshold/organization/:org"),
            row("DELETE", "/usage_threshold/organization/:org"),
            row("GET", "/usage_threshold/repo/:org/:repo"),
            row("POST", "/usage_threshold/repo/:org/:repo"),
            row("PATCH", "/usage_threshold/repo/:org/:repo"),
            row("DELETE", "/usage_threshold/repo/:org/:repo"),
        ],
    ),
    (
        "decisions 10, Access keys (alias download_keys)",
        &[
            row("GET", "/orgs/:org/access_keys"),
            row("POST", "/orgs/:org/access_keys"),
            row("GET", "/orgs/:org/access_keys/:access_key"),
            row("PATCH", "/orgs/:org/access_keys/:access_key"),
            row("DELETE", "/orgs/:org/access_keys/:access_key"),
            row("GET", "/users/:user/access_keys"),
            row("POST", "/users/:user/access_keys"),
            row("GET", "/users/:user/access_keys/:access_key"),
            row("PATCH", "/users/:user/access_keys/:access_key"),
            row("DELETE", "/users/:user/access_keys/:access_key"),
        ],
    ),
    (
        "decision 0010, Access keys: a new password, and what they were used for",
        &[
            row("POST", "/orgs/:org/access_keys/:access_key/password"),
            row("GET", "/orgs/:org/access_keys/:access_key/usage"),
            row("POST", "/users/:user/access_keys/:access_key/password"),
            row("GET", "/users/:user/access_keys/:access_key/usage"),
        ],
    ),
    (
        "decisions 10, Entitlements",
        &[
            row("GET", "/repos/:subject/:repo/entitlements"),
            row("POST", "/repos/:subject/:repo/entitlements"),
            row("GET", "/repos/:subject/:repo/entitlements/:entitlement"),
            row("PATCH", "/repos/:subject/:repo/entitlements/:entitlement"),
            row("DELETE", "/repos/:subject/:repo/entitlements/:entitlement"),
            row("GET", "/packages/:subject/:repo/:package/entitlements"),
            row("POST", "/packages/:subject/:repo/:package/entitlements"),
            row("GET", "/packages/:subject/:repo/:package/entitlements/:entitlement"),
            row("PATCH", "/packages/:subject/:repo/:package/entitlements/:entitlement"),
            row("DELETE", "/packages/:subject/:repo/:package/entitlements/:entitlement"),
            row("GET", "/packages/:subject/:repo/:package/versions/:version/entitlements"),
            row("POST", "/packages/:subject/:repo/:package/versions/:version/entitlements"),
            row("GET", "/packages/:subject/:repo/:package/versions/:version/entitlements/:entitlement"),
            row("PATCH", "/packages/:subject/:repo/:package/versions/:version/entitlements/:entitlement"),
            row("DELETE", "/packages/:subject/:repo/:package/versions/:version/entitlements/:entitlement"),
            row("GET", "/products/:subject/:product/entitlements"),
            row("POST", "/products/:subject/:product/entitlements"),
            row("GET", "/products/:subject/:product/entitlements/:entitlement"),
            row("PATCH", "/products/:subject/:product/entitlements/:entitlement"),
            row("DELETE", "/products/:subject/:product/entitlements/:entitlement"),
            row("GET", "/search/entitlements"),
        ],
    ),
    (
        "decisions 10 and 12, Products and EULAs",
        &[
            row("GET", "/products/:subject"),
            row("POST", "/products/:subject"),
            row("GET", "/products/:subject/:product"),
            row("PATCH", "/products/:subject/:product"),
            row("DELETE", "/products/:subject/:product"),
            row("GET", "/products/:subject/:product/eulas"),
            row("POST", "/products/:subject/:product/eulas"),
            row("GET", "/products/:subject/:product/eulas/:eula"),
            row("PATCH", "/products/:subject/:product/eulas/:eula"),
            row("DELETE", "/products/:subject/:product/eulas/:eula"),
            row("POST", "/products/:subject/:product/eulas/:eula/accept"),
            row("GET", "/products/:subject/:product/signed_eulas"),
            row("GET", "/file_eula/:subject/:repo/:file_path"),
        ],
    ),
    ("issue 2, Audit", &[row("GET", "/audit")]),
];
