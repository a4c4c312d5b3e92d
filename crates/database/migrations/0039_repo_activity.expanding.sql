-- The number of downloads from a repository on a day, for lists of repositories. Days before this step have none.
ALTER TABLE download_days ADD COLUMN count BIGINT NOT NULL DEFAULT 0;

-- The newest change in a repository.
CREATE INDEX packages_by_update ON packages (repo_id, updated);

-- What a subject released and deleted, without the many events of its files.
CREATE INDEX released_events ON events (subject_id, id) WHERE kind = 'release' OR kind = 'delete';
