-- Downloads are added to a package's number as they are counted. The day on which the number was counted from scratch
-- tells which numbers still include days that are too long ago.
ALTER TABLE recent_downloads ADD COLUMN counted_day BIGINT NOT NULL DEFAULT 0;

CREATE INDEX recent_downloads_by_day ON recent_downloads (counted_day, package_id);

CREATE INDEX recent_downloads_by_number ON recent_downloads (downloads, package_id);

-- Packages without a number get one that is counted from scratch by the next run of the job.
INSERT INTO recent_downloads (package_id, repo_id, downloads)
SELECT p.id, p.repo_id, 1
FROM packages p
WHERE EXISTS (SELECT 1 FROM versions v JOIN download_counts c ON c.version_id = v.id WHERE v.package_id = p.id)
ON CONFLICT (package_id) DO NOTHING;
