-- Webhooks subscribe to events: names, separated by commas.
ALTER TABLE webhooks ADD COLUMN events ctext NOT NULL DEFAULT 'release';

-- The event that a delivery reports, and its state. `pending`: due at `due`. `parked`: its webhook is off. `settled`: it
-- succeeded or was given up. Until now, two dates that never come stood for the last two.
ALTER TABLE webhook_deliveries ADD COLUMN event ctext NOT NULL DEFAULT 'release';
ALTER TABLE webhook_deliveries ADD COLUMN state ctext NOT NULL DEFAULT 'pending';
UPDATE webhook_deliveries SET state = 'parked', due = 0 WHERE due = 9223372036854775807;
UPDATE webhook_deliveries SET state = 'settled', due = 0 WHERE due = 9223372036854775806;

DROP INDEX webhook_deliveries_by_due;
DROP INDEX webhook_deliveries_of_hook;
CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (state, due, webhook_id);
CREATE INDEX webhook_deliveries_of_hook ON webhook_deliveries (webhook_id, state, due, id);
