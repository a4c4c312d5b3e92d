-- Who may do what without owning it: teams of an organisation, and keys for outsiders. Rights are numbers that hold those
-- below them: 1 read, 2 publish, 3 own.

CREATE TABLE teams (
    id BIGINT PRIMARY KEY,
    org_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    folded_name ctext NOT NULL,
    may_create_repos BOOLEAN NOT NULL,
    created BIGINT NOT NULL,
    UNIQUE (org_id, name),
    UNIQUE (org_id, folded_name)
);

-- Only members of the organisation are in its teams: who leaves it leaves them.
CREATE TABLE team_members (
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    org_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (team_id, user_id),
    FOREIGN KEY (org_id, user_id) REFERENCES members (org_id, user_id) ON DELETE CASCADE
);

CREATE INDEX teams_of_member ON team_members (org_id, user_id);
CREATE INDEX teams_of_user ON team_members (user_id);

CREATE TABLE team_permissions (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    team_id BIGINT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    granted BIGINT NOT NULL CHECK (granted BETWEEN 1 AND 3),
    PRIMARY KEY (repo_id, team_id)
);

CREATE INDEX permissions_of_team ON team_permissions (team_id);

-- Keys that a subject gives to outsiders. The networks are lines of one text.
CREATE TABLE access_keys (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    folded_name ctext NOT NULL,
    password_hash ctext NOT NULL,
    expiry BIGINT,
    white_cidrs ctext NOT NULL,
    black_cidrs ctext NOT NULL,
    check_url ctext,
    check_secs BIGINT,
    is_api_only BOOLEAN NOT NULL,
    max_downloads BIGINT,
    spent_downloads BIGINT NOT NULL,
    created BIGINT NOT NULL,
    UNIQUE (owner_id, name),
    UNIQUE (owner_id, folded_name)
);

-- What was done with a key; written apart from the key, by downloads.
CREATE TABLE access_key_usage (
    key_id BIGINT PRIMARY KEY REFERENCES access_keys (id) ON DELETE CASCADE,
    downloads BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    last_used BIGINT NOT NULL,
    last_address ctext NOT NULL
);

-- Packages that are sold together.
CREATE TABLE products (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    folded_name ctext NOT NULL,
    display_name ctext NOT NULL,
    description ctext NOT NULL,
    website_url ctext,
    vcs_url ctext,
    sign_url_expiry BIGINT,
    created BIGINT NOT NULL,
    UNIQUE (owner_id, name),
    UNIQUE (owner_id, folded_name)
);

CREATE TABLE product_packages (
    product_id BIGINT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    PRIMARY KEY (product_id, package_id)
);

CREATE INDEX products_of_package ON product_packages (package_id);

-- What one has to agree to before one downloads. The default holds for versions that no other one names.
CREATE TABLE eulas (
    id BIGINT PRIMARY KEY,
    product_id BIGINT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    syntax ctext NOT NULL,
    content ctext NOT NULL,
    is_default BOOLEAN NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    UNIQUE (product_id, name)
);

CREATE TABLE eula_versions (
    product_id BIGINT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    version ctext NOT NULL,
    eula_id BIGINT NOT NULL REFERENCES eulas (id) ON DELETE CASCADE,
    PRIMARY KEY (product_id, version)
);

CREATE INDEX versions_of_eula ON eula_versions (eula_id);

-- Who has agreed to what, when and from where. It outlives the key: it is what one shows to a court.
CREATE TABLE signed_eulas (
    product_id BIGINT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    key_id BIGINT NOT NULL,
    version ctext NOT NULL,
    eula ctext NOT NULL,
    eula_id BIGINT NOT NULL,
    eula_sha256 ctext NOT NULL,
    key_name ctext NOT NULL,
    at BIGINT NOT NULL,
    address ctext NOT NULL,
    PRIMARY KEY (product_id, key_id, version, eula_sha256)
);

CREATE INDEX signed_eulas_by_time ON signed_eulas (product_id, at DESC, key_id, version, eula_sha256);

-- What keys may do, and where: in a repository or below a path of it, in a package, in a version, or in the packages of a
-- product. A row of a version has its package, too.
CREATE TABLE entitlements (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    repo_id BIGINT REFERENCES repos (id) ON DELETE CASCADE,
    package_id BIGINT REFERENCES packages (id) ON DELETE CASCADE,
    version_id BIGINT REFERENCES versions (id) ON DELETE CASCADE,
    product_id BIGINT REFERENCES products (id) ON DELETE CASCADE,
    path ctext,
    granted BIGINT NOT NULL CHECK (granted BETWEEN 1 AND 2),
    created BIGINT NOT NULL,
    CHECK ((repo_id IS NULL) <> (product_id IS NULL)),
    CHECK (path IS NULL OR (repo_id IS NOT NULL AND package_id IS NULL)),
    CHECK (version_id IS NULL OR package_id IS NOT NULL),
    CHECK (package_id IS NULL OR repo_id IS NOT NULL)
);

CREATE INDEX entitlements_of_owner ON entitlements (owner_id, id);
CREATE INDEX entitlements_of_repo ON entitlements (repo_id, id);
CREATE INDEX entitlements_of_package ON entitlements (package_id, id);
CREATE INDEX entitlements_of_version ON entitlements (version_id, id);
CREATE INDEX entitlements_of_product ON entitlements (product_id, id);

CREATE TABLE entitlement_keys (
    entitlement_id BIGINT NOT NULL REFERENCES entitlements (id) ON DELETE CASCADE,
    key_id BIGINT NOT NULL REFERENCES access_keys (id) ON DELETE CASCADE,
    PRIMARY KEY (entitlement_id, key_id)
);

CREATE INDEX entitlements_of_key ON entitlement_keys (key_id);

CREATE TABLE entitlement_tags (
    entitlement_id BIGINT NOT NULL REFERENCES entitlements (id) ON DELETE CASCADE,
    tag ctext NOT NULL,
    PRIMARY KEY (entitlement_id, tag)
);

CREATE INDEX entitlements_by_tag ON entitlement_tags (tag);

-- From where files may be downloaded. Lists are lines of one text.
CREATE TABLE geo_restrictions (
    repo_id BIGINT PRIMARY KEY REFERENCES repos (id) ON DELETE CASCADE,
    is_white BOOLEAN NOT NULL,
    countries ctext NOT NULL
);

CREATE TABLE ip_restrictions (
    repo_id BIGINT PRIMARY KEY REFERENCES repos (id) ON DELETE CASCADE,
    white_cidrs ctext NOT NULL,
    black_cidrs ctext NOT NULL
);

-- What users and keys may do in a whole repository.
DROP VIEW private_readers;

CREATE VIEW repo_grants AS
SELECT r.id AS repo_id, r.owner_id AS grantee_id, CAST(3 AS BIGINT) AS granted
FROM repos r
UNION ALL
SELECT r.id AS repo_id, m.user_id AS grantee_id, CAST(3 AS BIGINT) AS granted
FROM repos r
JOIN members m ON m.org_id = r.owner_id
WHERE m.role IN ('owner', 'admin')
UNION ALL
SELECT p.repo_id AS repo_id, t.user_id AS grantee_id, p.granted AS granted
FROM team_permissions p
JOIN team_members t ON t.team_id = p.team_id
UNION ALL
SELECT e.repo_id AS repo_id, k.key_id AS grantee_id, e.granted AS granted
FROM entitlements e
JOIN entitlement_keys k ON k.entitlement_id = e.id
WHERE e.package_id IS NULL AND e.path IS NULL;

-- What keys may do in a part of a repository.
CREATE VIEW partial_grants AS
SELECT e.repo_id AS repo_id, k.key_id AS key_id, e.granted AS granted, e.package_id AS package_id,
    e.version_id AS version_id, e.path AS path
FROM entitlements e
JOIN entitlement_keys k ON k.entitlement_id = e.id
WHERE e.package_id IS NOT NULL OR e.path IS NOT NULL
UNION ALL
SELECT p.repo_id AS repo_id, k.key_id AS key_id, e.granted AS granted, o.package_id AS package_id,
    CAST(NULL AS BIGINT) AS version_id, CAST(NULL AS ctext) AS path
FROM entitlement_keys k
JOIN entitlements e ON e.id = k.entitlement_id
JOIN product_packages o ON o.product_id = e.product_id
JOIN packages p ON p.id = o.package_id;
