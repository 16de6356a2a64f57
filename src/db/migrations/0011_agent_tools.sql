-- The audit log also has what agents do inside their sandboxes, as they say: kind 'agent',
-- outcome 'asked'.

DROP INDEX audit_group;
DROP INDEX audit_what;
ALTER TABLE audit RENAME TO first_audit;

CREATE TABLE audit (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	at TEXT NOT NULL,
	group_folder TEXT NOT NULL,
	turn INTEGER,
	kind TEXT NOT NULL CHECK (kind IN ('tool', 'egress', 'budget', 'agent')),
	what TEXT NOT NULL,
	outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused', 'failed', 'asked')),
	detail TEXT
) STRICT;

INSERT INTO audit SELECT * FROM first_audit;

CREATE INDEX audit_group ON audit (group_folder, kind, id);
CREATE INDEX audit_what ON audit (group_folder, kind, what, id);

DROP TABLE first_audit;
