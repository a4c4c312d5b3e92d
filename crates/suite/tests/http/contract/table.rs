//! Every call that the contract (service-api.md) and the decisions (decisions.md) name: one row a method and a path, in
//! the contract's syntax, under the section it comes from. Optional parts of a path are rows of their own; queries,
//! headers and matrix parameters are not part of a row.

use std::fmt;

/// Whether the server has a call yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Built,
    Later,
}

/// A method and a path.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) state: State,
    pub(super) method: &'static str,
    pub(super) path: &'static str,
}

const fn built(method: &'static str, path: &'static str) -> Row {
    Row { state: State::Built, method, path }
}

const fn later(method: &'static str, path: &'static str) -> Row {
    Row { state: State::Later, method, path }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// Addresses outside the API: what every host serves, the download host, and the pages of decisions.md section 12.
pub(super) const PAGES: &[Row] = &[
    built("GET", "/livez"),
    built("GET", "/readyz"),
    built("GET", "/metrics"),
    built("GET", "/api/openapi.json"),
    built("GET", "/api/docs"),
    built("GET", "/"),
    built("GET", "/dl/:subject/:repo/:file_path"),
    built("GET", "/:subject"),
    built("GET", "/:subject/:repo"),
    built("GET", "/:subject/:repo/:package"),
    built("GET", "/:subject/:repo/:package/:version"),
    built("GET", "/eula/:subject/:product/:version"),
    built("GET", "/login"),
    built("GET", "/search"),
];

/// The calls of the API, section by section.
pub(super) const TABLE: &[(&str, &[Row])] = &[
    (
        "service-api, Repositories",
        &[
            built("GET", "/repos/:subject"),
            built("GET", "/repos/:subject/:repo"),
            built("GET", "/search/repos"),
            built("PUT", "/repository/:subject/:repo/links/:source_subject/:source_repo/:source_package"),
            built("DELETE", "/repository/:subject/:repo/links/:source_subject/:source_repo/:source_package"),
        ],
    ),
    (
        "service-api, Packages",
        &[
            built("GET", "/repos/:subject/:repo/packages"),
            built("GET", "/packages/:subject/:repo/:package"),
            built("POST", "/packages/:subject/:repo"),
            built("PATCH", "/packages/:subject/:repo/:package"),
            built("DELETE", "/packages/:subject/:repo/:package"),
            built("GET", "/search/packages/"),
        ],
    ),
    (
        "service-api, Versions",
        &[
            built("GET", "/packages/:subject/:repo/:package/versions/:version"),
            built("GET", "/packages/:subject/:repo/:package/versions/_latest"),
            built("POST", "/packages/:subject/:repo/:package/versions"),
            built("PATCH", "/packages/:subject/:repo/:package/versions/:version"),
            built("DELETE", "/packages/:subject/:repo/:package/versions/:version"),
        ],
    ),
    (
        "service-api, Attributes",
        &[
            built("GET", "/packages/:subject/:repo/:package/attributes"),
            built("POST", "/packages/:subject/:repo/:package/attributes"),
            built("PATCH", "/packages/:subject/:repo/:package/attributes"),
            built("DELETE", "/packages/:subject/:repo/:package/attributes"),
            built("GET", "/packages/:subject/:repo/:package/versions/:version/attributes"),
            built("POST", "/packages/:subject/:repo/:package/versions/:version/attributes"),
            built("PATCH", "/packages/:subject/:repo/:package/versions/:version/attributes"),
            built("DELETE", "/packages/:subject/:repo/:package/versions/:version/attributes"),
            built("POST", "/search/attributes/:subject/:repo"),
            built("POST", "/search/attributes/:subject/:repo/:package/versions"),
        ],
    ),
    (
        "service-api, Users",
        &[built("GET", "/users/:user"), built("GET", "/users/:user/followers"), built("GET", "/search/users")],
    ),
    (
        "service-api, Upload and publish",
        &[
            built("PUT", "/content/:subject/:repo/:package/:version/:file_path"),
            built("PUT", "/content/:subject/:repo/:file_path"),
            built("POST", "/content/:subject/:repo/:package/:version/publish"),
            built("GET", "/maven/:subject/:repo/:package/:file_path"),
            built("PUT", "/maven/:subject/:repo/:package/:file_path"),
        ],
    ),
    ("service-api, File search", &[built("GET", "/search/file")]),
    (
        "service-api, Signing",
        &[
            built("POST", "/gpg/:subject/:repo/:package/versions/:version"),
            built("POST", "/gpg/:subject/:repo/:file_path"),
        ],
    ),
    (
        "service-api, Logs",
        &[
            built("GET", "/packages/:subject/:repo/:package/logs"),
            built("GET", "/packages/:subject/:repo/:package/logs/:log_name"),
        ],
    ),
    ("service-api, Statistics", &[built("GET", "/packages/:subject/:repo/:package/stats/time_range_downloads")]),
    ("service-api, Signed URLs", &[built("POST", "/signed_url/:subject/:repo/:file_path")]),
    (
        "service-api, Webhooks",
        &[
            built("GET", "/webhooks/:subject"),
            built("GET", "/webhooks/:subject/:repo"),
            built("POST", "/webhooks/:subject/:repo/:package"),
            built("POST", "/webhooks/:subject/:repo/:package/:version"),
            built("DELETE", "/webhooks/:subject/:repo/:package"),
        ],
    ),
    (
        "service-api, Public staging sync",
        &[built("POST", "/maven_public_sync/:subject/:repo/:package/versions/:version")],
    ),
    (
        "decisions 4, Accounts",
        &[
            built("POST", "/users"),
            built("PATCH", "/users/:user"),
            built("DELETE", "/users/:user"),
            built("POST", "/users/:user/api_key"),
            built("POST", "/orgs"),
            built("GET", "/orgs/:org"),
            built("PATCH", "/orgs/:org"),
            built("DELETE", "/orgs/:org"),
            built("PUT", "/orgs/:org/members/:user"),
            built("DELETE", "/orgs/:org/members/:user"),
            built("PUT", "/subjects/:subject/plan"),
            built("POST", "/subjects/:subject/keypair"),
        ],
    ),
    (
        "decisions 4, Following and rating",
        &[
            built("PUT", "/users/:user/follow"),
            built("DELETE", "/users/:user/follow"),
            built("PUT", "/packages/:subject/:repo/:package/follow"),
            built("DELETE", "/packages/:subject/:repo/:package/follow"),
            built("PUT", "/packages/:subject/:repo/:package/rating"),
        ],
    ),
    (
        "decisions 4, Teams and permissions",
        &[
            built("GET", "/orgs/:org/teams"),
            built("POST", "/orgs/:org/teams"),
            built("GET", "/orgs/:org/teams/:team"),
            built("PATCH", "/orgs/:org/teams/:team"),
            built("DELETE", "/orgs/:org/teams/:team"),
            built("GET", "/repos/:subject/:repo/permissions"),
            built("PUT", "/repos/:subject/:repo/permissions"),
            built("GET", "/repos/:subject/:repo/permissions/:team"),
            built("DELETE", "/repos/:subject/:repo/permissions/:team"),
        ],
    ),
    (
        "decisions 5, Repositories",
        &[
            built("POST", "/repos/:subject/:repo"),
            built("PATCH", "/repos/:subject/:repo"),
            built("DELETE", "/repos/:subject/:repo"),
            built("GET", "/repos/:subject/:repo/geo_restrictions"),
            built("PUT", "/repos/:subject/:repo/geo_restrictions"),
            built("DELETE", "/repos/:subject/:repo/geo_restrictions"),
            built("GET", "/repos/:subject/:repo/ip_restrictions"),
            built("PUT", "/repos/:subject/:repo/ip_restrictions"),
            built("PATCH", "/repos/:subject/:repo/ip_restrictions"),
            built("DELETE", "/repos/:subject/:repo/ip_restrictions"),
            built("POST", "/calc_metadata/:subject/:repo"),
            built("POST", "/calc_metadata/:subject/:repo/:file_path"),
        ],
    ),
    (
        "decisions 6, Files",
        &[
            built("GET", "/packages/:subject/:repo/:package/files"),
            built("GET", "/packages/:subject/:repo/:package/versions/:version/files"),
            built("GET", "/file_package/:subject/:repo/:file_path"),
            built("GET", "/file_version/:subject/:repo/:file_path"),
            built("PUT", "/file_metadata/:subject/:repo/:file_path"),
        ],
    ),
    (
        "decisions 6, Readme and release notes",
        &[
            built("GET", "/packages/:subject/:repo/:package/readme"),
            built("POST", "/packages/:subject/:repo/:package/readme"),
            built("DELETE", "/packages/:subject/:repo/:package/readme"),
            built("GET", "/packages/:subject/:repo/:package/release_notes"),
            built("POST", "/packages/:subject/:repo/:package/release_notes"),
            built("DELETE", "/packages/:subject/:repo/:package/release_notes"),
            built("GET", "/packages/:subject/:repo/:package/versions/:version/release_notes"),
            built("POST", "/packages/:subject/:repo/:package/versions/:version/release_notes"),
            built("DELETE", "/packages/:subject/:repo/:package/versions/:version/release_notes"),
        ],
    ),
    (
        "decisions 6 and 12, Licences",
        &[
            built("GET", "/licenses/oss_licenses"),
            built("GET", "/orgs/:org/licenses"),
            built("POST", "/orgs/:org/licenses"),
            built("PATCH", "/orgs/:org/licenses/:license"),
            built("DELETE", "/orgs/:org/licenses/:license"),
            built("GET", "/users/:user/licenses"),
            built("POST", "/users/:user/licenses"),
            built("PATCH", "/users/:user/licenses/:license"),
            built("DELETE", "/users/:user/licenses/:license"),
        ],
    ),
    (
        "decisions 7, Download",
        &[built("GET", "/content/:subject/:repo/:file_path"), built("DELETE", "/content/:subject/:repo/:file_path")],
    ),
    (
        "decisions 8 and 12, Signing keys",
        &[
            // Where the end of a key is told.
            built("GET", "/users/:user/keys/gpg"),
            built("GET", "/orgs/:org/keys/gpg"),
            built("PUT", "/users/:user/keys/gpg"),
            built("DELETE", "/users/:user/keys/gpg"),
            built("POST", "/users/:user/keys/gpg/generate"),
            built("GET", "/users/:user/keys/gpg/public.key"),
            built("PUT", "/orgs/:org/keys/gpg"),
            built("DELETE", "/orgs/:org/keys/gpg"),
            built("POST", "/orgs/:org/keys/gpg/generate"),
            built("GET", "/orgs/:org/keys/gpg/public.key"),
            built("GET", "/keys/gpg/public.key"),
        ],
    ),
    (
        "decisions 9, Webhooks and events",
        &[built("GET", "/webhooks/:subject/:repo/:package/deliveries"), built("GET", "/stream/:subject")],
    ),
    (
        "decisions 9, Statistics",
        &[
            built("POST", "/packages/:subject/:repo/:package/stats/time_range_downloads"),
            built("GET", "/packages/:subject/:repo/:package/stats/total_downloads"),
            built("POST", "/packages/:subject/:repo/:package/stats/total_downloads"),
            built("GET", "/packages/:subject/:repo/:package/stats/country_downloads"),
            built("POST", "/packages/:subject/:repo/:package/stats/country_downloads"),
            built("GET", "/packages/:subject/:repo/:package/versions/:version/stats/total_downloads"),
            built("POST", "/packages/:subject/:repo/:package/versions/:version/stats/total_downloads"),
            built("GET", "/packages/:subject/:repo/:package/versions/:version/stats/country_downloads"),
            built("POST", "/packages/:subject/:repo/:package/versions/:version/stats/country_downloads"),
            built("GET", "/packages/:subject/:repo/:package/versions/:version/stats/time_range_downloads"),
            built("POST", "/packages/:subject/:repo/:package/versions/:version/stats/time_range_downloads"),
        ],
    ),
    (
        "decisions 9 and 12, Usage",
        &[
            built("POST", "/usage/:subject"),
            built("POST", "/usage/:subject/:repo"),
            built("POST", "/usage/package_usage/:subject/:repo"),
            built("POST", "/usage/package_usage/:subject/:repo/:package"),
            built("GET", "/usage_threshold/organization/:org"),
            built("POST", "/usage_threshold/organization/:org"),
            built("PATCH", "/usage_threshold/organization/:org"),
            built("DELETE", "/usage_threshold/organization/:org"),
            built("GET", "/usage_threshold/repo/:org/:repo"),
            built("POST", "/usage_threshold/repo/:org/:repo"),
            built("PATCH", "/usage_threshold/repo/:org/:repo"),
            built("DELETE", "/usage_threshold/repo/:org/:repo"),
        ],
    ),
    (
        "decisions 10, Access keys (alias download_keys)",
        &[
            built("GET", "/orgs/:org/access_keys"),
            built("POST", "/orgs/:org/access_keys"),
            built("GET", "/orgs/:org/access_keys/:access_key"),
            built("PATCH", "/orgs/:org/access_keys/:access_key"),
            built("DELETE", "/orgs/:org/access_keys/:access_key"),
            built("GET", "/users/:user/access_keys"),
            built("POST", "/users/:user/access_keys"),
            built("GET", "/users/:user/access_keys/:access_key"),
            built("PATCH", "/users/:user/access_keys/:access_key"),
            built("DELETE", "/users/:user/access_keys/:access_key"),
        ],
    ),
    (
        "decision 0010, Access keys: a new password, and what they were used for",
        &[
            built("POST", "/orgs/:org/access_keys/:access_key/password"),
            built("GET", "/orgs/:org/access_keys/:access_key/usage"),
            built("POST", "/users/:user/access_keys/:access_key/password"),
            built("GET", "/users/:user/access_keys/:access_key/usage"),
        ],
    ),
    (
        "decisions 10, Entitlements",
        &[
            built("GET", "/repos/:subject/:repo/entitlements"),
            built("POST", "/repos/:subject/:repo/entitlements"),
            built("GET", "/repos/:subject/:repo/entitlements/:entitlement"),
            built("PATCH", "/repos/:subject/:repo/entitlements/:entitlement"),
            built("DELETE", "/repos/:subject/:repo/entitlements/:entitlement"),
            built("GET", "/packages/:subject/:repo/:package/entitlements"),
            built("POST", "/packages/:subject/:repo/:package/entitlements"),
            built("GET", "/packages/:subject/:repo/:package/entitlements/:entitlement"),
            built("PATCH", "/packages/:subject/:repo/:package/entitlements/:entitlement"),
            built("DELETE", "/packages/:subject/:repo/:package/entitlements/:entitlement"),
            built("GET", "/packages/:subject/:repo/:package/versions/:version/entitlements"),
            built("POST", "/packages/:subject/:repo/:package/versions/:version/entitlements"),
            built("GET", "/packages/:subject/:repo/:package/versions/:version/entitlements/:entitlement"),
            built("PATCH", "/packages/:subject/:repo/:package/versions/:version/entitlements/:entitlement"),
            built("DELETE", "/packages/:subject/:repo/:package/versions/:version/entitlements/:entitlement"),
            built("GET", "/products/:subject/:product/entitlements"),
            built("POST", "/products/:subject/:product/entitlements"),
            built("GET", "/products/:subject/:product/entitlements/:entitlement"),
            built("PATCH", "/products/:subject/:product/entitlements/:entitlement"),
            built("DELETE", "/products/:subject/:product/entitlements/:entitlement"),
            built("GET", "/search/entitlements"),
        ],
    ),
    (
        "decisions 10 and 12, Products and EULAs",
        &[
            built("GET", "/products/:subject"),
            built("POST", "/products/:subject"),
            built("GET", "/products/:subject/:product"),
            built("PATCH", "/products/:subject/:product"),
            built("DELETE", "/products/:subject/:product"),
            built("GET", "/products/:subject/:product/eulas"),
            built("POST", "/products/:subject/:product/eulas"),
            built("GET", "/products/:subject/:product/eulas/:eula"),
            built("PATCH", "/products/:subject/:product/eulas/:eula"),
            built("DELETE", "/products/:subject/:product/eulas/:eula"),
            built("POST", "/products/:subject/:product/eulas/:eula/accept"),
            built("GET", "/products/:subject/:product/signed_eulas"),
            built("GET", "/file_eula/:subject/:repo/:file_path"),
        ],
    ),
    ("issue 2, Audit", &[built("GET", "/audit")]),
];
