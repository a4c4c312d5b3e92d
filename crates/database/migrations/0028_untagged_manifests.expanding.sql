-- The number of days after which manifests that no tag and no index uses are removed; without it they stay.
ALTER TABLE repos ADD COLUMN untagged_days BIGINT;

CREATE INDEX repos_with_untagged_days ON repos (id) WHERE untagged_days IS NOT NULL;
