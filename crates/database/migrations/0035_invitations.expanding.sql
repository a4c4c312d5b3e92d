-- Trusted publishers are found by their issuer and the values that their provider requires. Rows of before have an empty
-- selector, which every token is compared with.
ALTER TABLE trusted_publishers ADD COLUMN selector ctext NOT NULL DEFAULT '';
CREATE INDEX trusted_publishers_selected ON trusted_publishers (issuer, selector, id);

-- Invitations to organizations, by the keyed hash of the secret in their link. An accepted one has no row. A revoked one
-- keeps its row until it expires, because the number of invitations in that time is limited.
CREATE TABLE invitations (
    id BIGINT PRIMARY KEY,
    hash ctext NOT NULL UNIQUE,
    org_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    inviter_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    email ctext NOT NULL,
    role ctext NOT NULL,
    created BIGINT NOT NULL,
    expiry BIGINT NOT NULL,
    revoked BIGINT
);

CREATE INDEX invitations_of_org ON invitations (org_id, expiry);
CREATE INDEX invitations_of_inviter ON invitations (inviter_id, expiry);
CREATE INDEX invitations_by_expiry ON invitations (expiry);
