-- What happens to subjects, as they follow it, and what they use.

-- What the client said it is, and what else there is to tell: the threshold that was crossed, or the downloads of a
-- second, which share a row.
ALTER TABLE events ADD COLUMN agent ctext;
ALTER TABLE events ADD COLUMN detail ctext;

-- Events that are written while somebody follows them, and forgotten soon.
CREATE INDEX passing_events ON events (at) WHERE kind IN ('download', 'login_success', 'login_failure');

-- Connections that follow a subject. One is open until its server no longer renews it; downloads and logins are written
-- down some minutes longer, for those who come back.
CREATE TABLE stream_connections (
    id BIGINT PRIMARY KEY,
    subject_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    open_until BIGINT NOT NULL,
    followed_until BIGINT NOT NULL
);

CREATE INDEX stream_connections_of_subject ON stream_connections (subject_id);
CREATE INDEX stream_connections_by_end ON stream_connections (followed_until);

-- Bytes that were downloaded from a repository on a day. They stay when versions go.
CREATE TABLE download_days (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (repo_id, day)
);

INSERT INTO download_days (repo_id, day, bytes)
SELECT p.repo_id, c.day, CAST(SUM(c.bytes) AS BIGINT)
FROM download_counts c
JOIN versions v ON v.id = c.version_id
JOIN packages p ON p.id = v.package_id
GROUP BY p.repo_id, c.day;

-- Bytes that a repository stored at the end of a day, for days on which that changed.
CREATE TABLE storage_days (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (repo_id, day)
);

-- How much a subject, or one of its repositories, may use before somebody is told.
CREATE TABLE usage_thresholds (
    id BIGINT PRIMARY KEY,
    subject_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    repo_id BIGINT REFERENCES repos (id) ON DELETE CASCADE,
    monthly_storage_bytes BIGINT,
    monthly_download_bytes BIGINT,
    daily_download_bytes BIGINT
);

CREATE UNIQUE INDEX usage_thresholds_of_repo ON usage_thresholds (repo_id) WHERE repo_id IS NOT NULL;
CREATE UNIQUE INDEX usage_thresholds_of_whole ON usage_thresholds (subject_id) WHERE repo_id IS NULL;
CREATE INDEX usage_thresholds_of_subject ON usage_thresholds (subject_id);

-- What was told, once a period, which is the number of its first day.
CREATE TABLE usage_crossings (
    threshold_id BIGINT NOT NULL REFERENCES usage_thresholds (id) ON DELETE CASCADE,
    measure ctext NOT NULL,
    period BIGINT NOT NULL,
    PRIMARY KEY (threshold_id, measure, period)
);
