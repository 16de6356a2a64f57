-- The text of a file, as a reader has found it: what is said in a voice message, for example.
-- `reader` is the reader that takes the file. Until it has a text or an error, its message waits.

ALTER TABLE attachments ADD COLUMN reader TEXT;
ALTER TABLE attachments ADD COLUMN text TEXT;
ALTER TABLE attachments ADD COLUMN text_error TEXT;
CREATE INDEX attachments_unread ON attachments (id)
	WHERE reader IS NOT NULL AND text IS NULL AND text_error IS NULL;
CREATE INDEX attachments_text ON attachments (group_folder, id) WHERE text IS NOT NULL;
