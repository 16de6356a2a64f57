-- The audit log: what agents have asked for, and what became of it. A folder here may be
-- that of a group that is gone.

CREATE TABLE audit (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	at TEXT NOT NULL,
	group_folder TEXT NOT NULL,
	turn INTEGER,
	kind TEXT NOT NULL CHECK (kind IN ('tool', 'egress', 'budget')),
	what TEXT NOT NULL,
	outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused', 'failed')),
	detail TEXT
) STRICT;

CREATE INDEX audit_group ON audit (group_folder, kind, id);
CREATE INDEX audit_what ON audit (group_folder, kind, what, id);
