-- Requests whose tokens are estimated, because the server did not say how many it took.

ALTER TABLE usage ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_days ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
