-- The packages of all repositories by name: the best matches of a search whose words match very many packages.
CREATE INDEX packages_by_folded_name ON packages (folded_name);

-- The organizations by name.
CREATE INDEX orgs_by_name ON subjects (name) WHERE kind = 'org';

-- The sign keeps the engines from starting with all packages of a repository to find those of a product that a key opens.
DROP VIEW partial_grants;

CREATE VIEW partial_grants AS
SELECT e.repo_id AS repo_id, k.key_id AS key_id, e.granted AS granted, e.package_id AS package_id,
    e.version_id AS version_id, e.path AS path
FROM entitlements e
JOIN entitlement_keys k ON k.entitlement_id = e.id
WHERE e.package_id IS NOT NULL OR e.path IS NOT NULL
UNION ALL
SELECT +p.repo_id AS repo_id, k.key_id AS key_id, e.granted AS granted, o.package_id AS package_id,
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
