-- Callbacks on new releases.

-- A hook is a package and an address. What proves a callback is sealed under the master key and bound to this row. One
-- delivery of a hook is on its way at a time: whoever has claimed the hook sends it, until the claim ends.
CREATE TABLE webhooks (
    id BIGINT PRIMARY KEY,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    url ctext NOT NULL,
    method ctext NOT NULL,
    sealed_mac ctext NOT NULL,
    sealed_secret ctext NOT NULL,
    failure_count BIGINT NOT NULL,
    is_active BOOLEAN NOT NULL,
    claim BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL,
    created BIGINT NOT NULL,
    UNIQUE (package_id, url)
);

CREATE INDEX webhooks_of_repo ON webhooks (repo_id);
CREATE INDEX webhooks_of_user ON webhooks (user_id, id);

-- Events that a hook has still to be told. A row goes when it has been, or was tried often enough.
CREATE TABLE webhook_deliveries (
    id BIGINT PRIMARY KEY,
    webhook_id BIGINT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    version ctext NOT NULL,
    payload ctext NOT NULL,
    attempts BIGINT NOT NULL,
    due BIGINT NOT NULL
);

CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (due, webhook_id);
CREATE INDEX webhook_deliveries_of_hook ON webhook_deliveries (webhook_id, due, id);

-- What came of callbacks. It outlives the hook.
CREATE TABLE webhook_attempts (
    id BIGINT PRIMARY KEY,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    delivery_id BIGINT NOT NULL,
    version ctext NOT NULL,
    status BIGINT,
    duration_ms BIGINT NOT NULL,
    error ctext,
    at BIGINT NOT NULL
);

CREATE INDEX webhook_attempts_of_package ON webhook_attempts (package_id, id);
