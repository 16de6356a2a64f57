-- When an agent removed the group. It is in the bin then, for a person to take back, and is deleted
-- later. NULL: it is not.

ALTER TABLE registered_groups ADD COLUMN removed_at TEXT;
