DROP VIEW package_updates;

CREATE VIEW package_updates AS SELECT id AS package_id, repo_id, updated, name FROM packages;
