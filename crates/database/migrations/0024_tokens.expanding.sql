-- Tokens of users and organisations. `cap` is the highest right in repositories that the scopes allow. A token that
-- is limited is for its resources only, and for nothing when it has none. Lists are lines of one text.
CREATE TABLE tokens (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    scopes ctext NOT NULL,
    cap BIGINT NOT NULL,
    is_limited BOOLEAN NOT NULL,
    expiry BIGINT,
    cidrs ctext NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT,
    used_from ctext,
    used_by ctext,
    UNIQUE (owner_id, name)
);

-- The keyed hashes of the secrets of tokens: one, and for a while after a rotation the one before it.
CREATE TABLE token_hashes (
    hash ctext PRIMARY KEY,
    token_id BIGINT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
    until BIGINT
);

CREATE INDEX token_hashes_of_token ON token_hashes (token_id);

CREATE TABLE token_resources (
    token_id BIGINT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
    subject_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    repo_id BIGINT REFERENCES repos (id) ON DELETE CASCADE,
    package_id BIGINT REFERENCES packages (id) ON DELETE CASCADE
);

CREATE INDEX token_resources_of_token ON token_resources (token_id);
CREATE INDEX token_resources_of_subject ON token_resources (subject_id);
CREATE INDEX token_resources_of_repo ON token_resources (repo_id) WHERE repo_id IS NOT NULL;
CREATE INDEX token_resources_of_package ON token_resources (package_id) WHERE package_id IS NOT NULL;

-- What users and keys may do in a whole repository, and what tokens may do that are for some resources: what their
-- owners may as owner, as administrator of an organisation, in a team or as administrator of the site, up to the cap.
-- The columns are as before.
DROP VIEW repo_grants;

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
WHERE e.package_id IS NULL AND e.path IS NULL
UNION ALL
SELECT r.id AS repo_id, x.token_id AS grantee_id, t.cap AS granted
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN repos r ON r.owner_id = x.subject_id
WHERE x.subject_id = t.owner_id AND x.package_id IS NULL AND (x.repo_id IS NULL OR x.repo_id = r.id)
UNION ALL
SELECT r.id AS repo_id, x.token_id AS grantee_id, t.cap AS granted
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN repos r ON r.owner_id = x.subject_id
JOIN members m ON m.org_id = x.subject_id AND m.user_id = t.owner_id
WHERE m.role IN ('owner', 'admin') AND x.package_id IS NULL AND (x.repo_id IS NULL OR x.repo_id = r.id)
UNION ALL
SELECT r.id AS repo_id, x.token_id AS grantee_id,
    CAST(CASE WHEN p.granted < t.cap THEN p.granted ELSE t.cap END AS BIGINT) AS granted
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN repos r ON r.owner_id = x.subject_id
JOIN team_permissions p ON p.repo_id = r.id
JOIN team_members u ON u.team_id = p.team_id AND u.user_id = t.owner_id
WHERE x.package_id IS NULL AND (x.repo_id IS NULL OR x.repo_id = r.id)
UNION ALL
SELECT r.id AS repo_id, x.token_id AS grantee_id, t.cap AS granted
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN repos r ON r.owner_id = x.subject_id
JOIN subjects a ON a.id = t.owner_id
WHERE a.is_site_admin AND x.package_id IS NULL AND (x.repo_id IS NULL OR x.repo_id = r.id);

-- What keys and tokens may do in a part of a repository.
DROP VIEW partial_grants;

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
JOIN packages p ON p.id = o.package_id
UNION ALL
SELECT x.repo_id AS repo_id, x.token_id AS key_id, t.cap AS granted, x.package_id AS package_id,
    CAST(NULL AS BIGINT) AS version_id, CAST(NULL AS ctext) AS path
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
WHERE x.subject_id = t.owner_id AND x.package_id IS NOT NULL
UNION ALL
SELECT x.repo_id AS repo_id, x.token_id AS key_id, t.cap AS granted, x.package_id AS package_id,
    CAST(NULL AS BIGINT) AS version_id, CAST(NULL AS ctext) AS path
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN members m ON m.org_id = x.subject_id AND m.user_id = t.owner_id
WHERE m.role IN ('owner', 'admin') AND x.package_id IS NOT NULL
UNION ALL
SELECT x.repo_id AS repo_id, x.token_id AS key_id,
    CAST(CASE WHEN p.granted < t.cap THEN p.granted ELSE t.cap END AS BIGINT) AS granted, x.package_id AS package_id,
    CAST(NULL AS BIGINT) AS version_id, CAST(NULL AS ctext) AS path
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN team_permissions p ON p.repo_id = x.repo_id
JOIN team_members u ON u.team_id = p.team_id AND u.user_id = t.owner_id
WHERE x.package_id IS NOT NULL
UNION ALL
SELECT x.repo_id AS repo_id, x.token_id AS key_id, t.cap AS granted, x.package_id AS package_id,
    CAST(NULL AS BIGINT) AS version_id, CAST(NULL AS ctext) AS path
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN subjects a ON a.id = t.owner_id
WHERE a.is_site_admin AND x.package_id IS NOT NULL;
