-- The visibility of a repository matters to those that its packages are linked into and that have indexes. The links of
-- these are few; the packages of the repository may be very many.
DROP TRIGGER repos_note_hidden;

CREATE TRIGGER repos_note_hidden AFTER UPDATE OF is_private ON repos WHEN old.is_private IS NOT new.is_private BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, f.id
    FROM index_heads h
    CROSS JOIN links l ON l.repo_id = h.repo_id
    CROSS JOIN packages p ON p.id = l.package_id
    CROSS JOIN files f ON f.package_id = p.id
    WHERE p.repo_id = new.id AND f.published_blob_id IS NOT NULL;
END;
