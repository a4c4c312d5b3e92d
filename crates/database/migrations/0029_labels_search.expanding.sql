-- Labels are searched with names and descriptions.
ALTER TABLE packages ADD COLUMN folded_labels ctext NOT NULL DEFAULT '';
UPDATE packages SET folded_labels = LOWER(labels) WHERE labels <> '';

-- The packages with the most downloads lately, for which everybody may see the numbers. A job counts them.
CREATE TABLE popular_packages (
    package_id BIGINT PRIMARY KEY REFERENCES packages (id) ON DELETE CASCADE,
    downloads BIGINT NOT NULL
);

CREATE INDEX popular_packages_by_downloads ON popular_packages (downloads, package_id);

CREATE INDEX packages_with_public_numbers ON packages (id) WHERE public_download_numbers;
