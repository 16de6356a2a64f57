-- The audit log also has what agents do inside their sandboxes, as they tell. Such a row counts as
-- of the kind 'agent' with the outcome 'asked', whatever stands in these columns: a program that
-- does not know it takes it for a tool.

ALTER TABLE audit ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
