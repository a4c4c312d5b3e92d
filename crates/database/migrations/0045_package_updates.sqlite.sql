CREATE VIEW package_updates AS SELECT id AS package_id, repo_id, updated FROM packages;
