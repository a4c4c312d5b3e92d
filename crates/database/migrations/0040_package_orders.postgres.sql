-- The packages of a repository by their last change, where many may have changed at once. On SQLite, the index without
-- the id has it at its end.
CREATE INDEX packages_by_update_and_id ON packages (repo_id, updated, id);
