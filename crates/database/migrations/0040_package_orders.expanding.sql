-- The downloads of packages in the last thirty days, for lists in their order. A job counts them; packages without any
-- have no row.
CREATE TABLE recent_downloads (
    package_id BIGINT PRIMARY KEY REFERENCES packages (id) ON DELETE CASCADE,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    downloads BIGINT NOT NULL
);

CREATE INDEX recent_downloads_of_repo ON recent_downloads (repo_id, downloads, package_id);

-- The packages of a repository by licence; those without one come last.
CREATE INDEX packages_by_license
ON packages (repo_id, COALESCE(NULLIF(SUBSTR(licenses || custom_licenses, 1, 60), ''), '~'), id);
