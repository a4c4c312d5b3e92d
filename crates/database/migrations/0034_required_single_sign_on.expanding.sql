-- The users who sign in with the provider only: they have an identity there, and no password.
CREATE VIEW single_sign_on_users AS
SELECT i.user_id AS user_id
FROM identities i
JOIN subjects s ON s.id = i.user_id
WHERE s.password_hash IS NULL;

ALTER TABLE subjects ADD COLUMN requires_single_sign_on BOOLEAN NOT NULL DEFAULT FALSE;

-- What members lack of what their organizations require.
CREATE VIEW unmet_requirements AS
SELECT m.org_id AS org_id, m.user_id AS user_id,
    (o.requires_second_factor
        AND NOT EXISTS (SELECT 1 FROM protected_users p WHERE p.user_id = m.user_id)) AS lacks_second_factor,
    (o.requires_single_sign_on
        AND NOT EXISTS (SELECT 1 FROM single_sign_on_users u WHERE u.user_id = m.user_id)) AS lacks_single_sign_on
FROM members m
JOIN subjects o ON o.id = m.org_id;
