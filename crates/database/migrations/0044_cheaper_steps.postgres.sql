-- The visibility of a repository matters to those that its packages are linked into and that have indexes. The links of
-- these are few; the packages of the repository may be very many, so they are looked up one by one.
CREATE OR REPLACE FUNCTION repos_note_hidden() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT new_change_id(), linked.repo_id, f.id
    FROM (SELECT l.repo_id, l.package_id
        FROM index_heads h JOIN links l ON l.repo_id = h.repo_id
        OFFSET 0) linked
    JOIN files f ON f.package_id = linked.package_id
    WHERE (SELECT p.repo_id FROM packages p WHERE p.id = linked.package_id) = NEW.id
        AND f.published_blob_id IS NOT NULL;
    RETURN NULL;
END $$;
