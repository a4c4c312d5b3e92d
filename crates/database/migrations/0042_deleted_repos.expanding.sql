-- Repositories that were deleted, until a job has deleted their rows. They belong to the subject 0, which no name finds.
-- Paths of versions that were first published before `closed_before` keep their content under the former names, as
-- tombstones do, which a file gets when its row is deleted.
CREATE TABLE deleted_repos (
    repo_id BIGINT PRIMARY KEY REFERENCES repos (id) ON DELETE CASCADE,
    folded_owner ctext NOT NULL,
    folded_repo ctext NOT NULL,
    type ctext NOT NULL,
    closed_before BIGINT NOT NULL,
    deleted BIGINT NOT NULL
);

CREATE INDEX deleted_repos_by_name ON deleted_repos (folded_owner, folded_repo);
