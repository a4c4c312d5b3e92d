-- Every upload writes the indexes of its file and of its events, so each of them has to earn its keep.

-- Whether a file is published stands in the index of all files: those that are not are passed over there.
DROP INDEX published_files_of_package;
DROP INDEX published_files_of_version;
DROP INDEX files_of_package;
DROP INDEX files_of_version;
CREATE INDEX files_of_package ON files (package_id, path, published_blob_id);
CREATE INDEX files_of_version ON files (version_id, path, published_blob_id);

-- The keys of events grow with time.
DROP INDEX events_by_time;

-- The same rows, in words that SQLite need not build a table to check for every event.
DROP INDEX passing_events;
CREATE INDEX passing_events ON events (at)
WHERE kind = 'download' OR kind = 'login_success' OR kind = 'login_failure';
