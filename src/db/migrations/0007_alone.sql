-- A message that has a turn to itself, such as a slash command.

ALTER TABLE messages ADD COLUMN alone INTEGER NOT NULL DEFAULT 0;
