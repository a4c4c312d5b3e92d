-- Changes of published files and of marks are noted for each repository with indexes that shows them.

CREATE TRIGGER files_note_inserted AFTER INSERT ON files WHEN new.published_blob_id IS NOT NULL BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, new.id FROM index_heads h WHERE h.repo_id = new.repo_id
    UNION ALL
    SELECT random() & 9223372036854775807, h.repo_id, new.id
    FROM links l JOIN index_heads h ON h.repo_id = l.repo_id
    WHERE l.package_id = new.package_id;
END;

CREATE TRIGGER files_note_updated AFTER UPDATE OF published_blob_id, published_facts ON files
WHEN old.published_blob_id IS NOT new.published_blob_id OR old.published_facts IS NOT new.published_facts BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, new.id FROM index_heads h WHERE h.repo_id = new.repo_id
    UNION ALL
    SELECT random() & 9223372036854775807, h.repo_id, new.id
    FROM links l JOIN index_heads h ON h.repo_id = l.repo_id
    WHERE l.package_id = new.package_id;
END;

CREATE TRIGGER files_note_deleted AFTER DELETE ON files WHEN old.published_blob_id IS NOT NULL BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, old.id FROM index_heads h WHERE h.repo_id = old.repo_id
    UNION ALL
    SELECT random() & 9223372036854775807, s.repo_id, old.id
    FROM index_entries e JOIN index_streams s ON s.id = e.stream_id
    WHERE e.file_id = old.id AND s.repo_id <> old.repo_id;
END;

CREATE TRIGGER marks_note_inserted AFTER INSERT ON marks BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, f.id
    FROM files f JOIN index_heads h ON h.repo_id = f.repo_id
    WHERE f.version_id = new.version_id AND f.published_blob_id IS NOT NULL;
END;

CREATE TRIGGER marks_note_updated AFTER UPDATE ON marks BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, f.id
    FROM files f JOIN index_heads h ON h.repo_id = f.repo_id
    WHERE f.version_id = new.version_id AND f.published_blob_id IS NOT NULL;
END;

CREATE TRIGGER marks_note_deleted AFTER DELETE ON marks BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, f.id
    FROM files f JOIN index_heads h ON h.repo_id = f.repo_id
    WHERE f.version_id = old.version_id AND f.published_blob_id IS NOT NULL;
END;

-- A link shows the files of its package, and no longer when it goes. So does the visibility of their repository.

CREATE TRIGGER links_note_inserted AFTER INSERT ON links BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, f.id
    FROM index_heads h JOIN files f ON f.package_id = new.package_id
    WHERE h.repo_id = new.repo_id AND f.published_blob_id IS NOT NULL;
END;

CREATE TRIGGER links_note_deleted AFTER DELETE ON links BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, f.id
    FROM index_heads h JOIN files f ON f.package_id = old.package_id
    WHERE h.repo_id = old.repo_id AND f.published_blob_id IS NOT NULL;
END;

CREATE TRIGGER repos_note_hidden AFTER UPDATE OF is_private ON repos WHEN old.is_private IS NOT new.is_private BEGIN
    INSERT INTO index_changes (id, repo_id, file_id)
    SELECT random() & 9223372036854775807, h.repo_id, f.id
    FROM packages p
    JOIN links l ON l.package_id = p.id
    JOIN index_heads h ON h.repo_id = l.repo_id
    JOIN files f ON f.package_id = p.id
    WHERE p.repo_id = new.id AND f.published_blob_id IS NOT NULL;
END;
