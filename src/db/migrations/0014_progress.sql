-- What a turn that takes long shows of itself in its chat: the text that is to be shown, until when it
-- waits, how many were sent, how often the present one was tried, the platform's id of the message, and
-- the last row of the outbox before it.

ALTER TABLE turns ADD COLUMN progress TEXT;
ALTER TABLE turns ADD COLUMN progress_not_before TEXT;
ALTER TABLE turns ADD COLUMN progress_sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN progress_attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN progress_receipt TEXT;
ALTER TABLE turns ADD COLUMN progress_after INTEGER;
