-- The second factor of a user: the secret of the codes, sealed, and the last time step whose code was used. It counts
-- once the user has confirmed it with a code.
CREATE TABLE second_factors (
    user_id BIGINT PRIMARY KEY REFERENCES subjects (id) ON DELETE CASCADE,
    sealed_secret ctext NOT NULL,
    last_step BIGINT NOT NULL,
    created BIGINT NOT NULL,
    confirmed BIGINT
);

-- The keyed hashes of recovery codes. A code that was used has no row.
CREATE TABLE recovery_codes (
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    hash ctext NOT NULL,
    PRIMARY KEY (user_id, hash)
);

-- The users who meet the requirement of organizations that ask for a second factor.
CREATE VIEW protected_users AS
SELECT f.user_id AS user_id
FROM second_factors f
WHERE f.confirmed IS NOT NULL;

ALTER TABLE subjects ADD COLUMN requires_second_factor BOOLEAN NOT NULL DEFAULT FALSE;
-- A member who lacks what the organization requires has none of its rights.
ALTER TABLE members ADD COLUMN is_waiting BOOLEAN NOT NULL DEFAULT FALSE;

CREATE VIEW active_members AS
SELECT m.org_id AS org_id, m.user_id AS user_id, m.role AS role
FROM members m
WHERE NOT m.is_waiting;

-- A suspended user cannot use any credentials.
ALTER TABLE subjects ADD COLUMN suspended BIGINT;

-- The earlier names of subjects that were renamed. Only the same subject gets one again.
CREATE TABLE former_names (
    folded_name ctext PRIMARY KEY,
    name ctext NOT NULL,
    subject_id BIGINT NOT NULL,
    renamed BIGINT NOT NULL
);

-- Where a session was opened, and how. Sessions of earlier releases do not have it.
ALTER TABLE sessions ADD COLUMN address ctext;
ALTER TABLE sessions ADD COLUMN country ctext;
ALTER TABLE sessions ADD COLUMN agent ctext;
ALTER TABLE sessions ADD COLUMN method ctext;

-- The views of 0024, with the members who have what their organization requires.
DROP VIEW repo_grants;
CREATE VIEW repo_grants AS
SELECT r.id AS repo_id, r.owner_id AS grantee_id, CAST(3 AS BIGINT) AS granted
FROM repos r
UNION ALL
SELECT r.id AS repo_id, m.user_id AS grantee_id, CAST(3 AS BIGINT) AS granted
FROM repos r
JOIN active_members m ON m.org_id = r.owner_id
WHERE m.role IN ('owner', 'admin')
UNION ALL
SELECT p.repo_id AS repo_id, t.user_id AS grantee_id, p.granted AS granted
FROM team_permissions p
JOIN team_members t ON t.team_id = p.team_id
JOIN active_members m ON m.org_id = t.org_id AND m.user_id = t.user_id
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
JOIN active_members m ON m.org_id = x.subject_id AND m.user_id = t.owner_id
WHERE m.role IN ('owner', 'admin') AND x.package_id IS NULL AND (x.repo_id IS NULL OR x.repo_id = r.id)
UNION ALL
SELECT r.id AS repo_id, x.token_id AS grantee_id,
    CAST(CASE WHEN p.granted < t.cap THEN p.granted ELSE t.cap END AS BIGINT) AS granted
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN repos r ON r.owner_id = x.subject_id
JOIN team_permissions p ON p.repo_id = r.id
JOIN team_members u ON u.team_id = p.team_id AND u.user_id = t.owner_id
JOIN active_members m ON m.org_id = u.org_id AND m.user_id = u.user_id
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
JOIN active_members m ON m.org_id = x.subject_id AND m.user_id = t.owner_id
WHERE m.role IN ('owner', 'admin') AND x.package_id IS NOT NULL
UNION ALL
SELECT x.repo_id AS repo_id, x.token_id AS key_id,
    CAST(CASE WHEN p.granted < t.cap THEN p.granted ELSE t.cap END AS BIGINT) AS granted, x.package_id AS package_id,
    CAST(NULL AS BIGINT) AS version_id, CAST(NULL AS ctext) AS path
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN team_permissions p ON p.repo_id = x.repo_id
JOIN team_members u ON u.team_id = p.team_id AND u.user_id = t.owner_id
JOIN active_members m ON m.org_id = u.org_id AND m.user_id = u.user_id
WHERE x.package_id IS NOT NULL
UNION ALL
SELECT x.repo_id AS repo_id, x.token_id AS key_id, t.cap AS granted, x.package_id AS package_id,
    CAST(NULL AS BIGINT) AS version_id, CAST(NULL AS ctext) AS path
FROM token_resources x
JOIN tokens t ON t.id = x.token_id
JOIN subjects a ON a.id = t.owner_id
WHERE a.is_site_admin AND x.package_id IS NOT NULL;
