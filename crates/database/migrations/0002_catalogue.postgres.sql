-- How many packages of a repository have names from the first of a block on, up to the next block of that level. The
-- first block of a level begins with the empty name and is always there.
CREATE TABLE package_blocks (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    level BIGINT NOT NULL,
    first_name ctext NOT NULL,
    count BIGINT NOT NULL CHECK (count >= 0),
    PRIMARY KEY (repo_id, level, first_name)
);

-- What name searches look into: every three characters in a row of the folded texts. New rows are sorted in at once,
-- so that no search has to read a list of those that are not.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE INDEX repos_search_name ON repos USING gin (folded_name gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX repos_search_description ON repos USING gin (folded_description gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX packages_search_name ON packages USING gin (folded_name gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX packages_search_description ON packages USING gin (folded_description gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX subjects_search_name ON subjects USING gin (folded_name gin_trgm_ops) WITH (fastupdate = off);
