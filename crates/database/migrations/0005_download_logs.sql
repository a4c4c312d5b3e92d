-- Logs of downloads.

-- The second in which lines were delivered: nodes write theirs one after the other, and a log is in the order of time.
ALTER TABLE download_lines ADD COLUMN second BIGINT NOT NULL DEFAULT 0;

DROP INDEX download_lines_of_day;

CREATE INDEX download_lines_in_order ON download_lines (package_id, day, second, id);
CREATE INDEX download_lines_by_day ON download_lines (day, package_id);

-- Lines that lie compressed in the store: the log of a package's day is these, in the order of their keys, and then the
-- lines that are still rows.
CREATE TABLE download_log_parts (
    id BIGINT PRIMARY KEY,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    blob_id BIGINT NOT NULL REFERENCES blobs (id),
    last_second BIGINT NOT NULL
);

CREATE INDEX download_log_parts_of_day ON download_log_parts (package_id, day, id);
CREATE INDEX download_log_parts_by_day ON download_log_parts (day);
CREATE INDEX download_log_parts_of_blob ON download_log_parts (blob_id);
