-- The staged files of a repository, for the list of versions that wait to be published.
CREATE INDEX staged_files_of_repo ON files (repo_id, version_id) WHERE staged_blob_id IS NOT NULL;
