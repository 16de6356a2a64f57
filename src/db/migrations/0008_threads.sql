-- Where in a chat a message stands, and what it refers to: a reply, an edit, a reaction.

ALTER TABLE messages ADD COLUMN thread TEXT;
ALTER TABLE messages ADD COLUMN reference TEXT;
ALTER TABLE messages ADD COLUMN refers_to TEXT;
ALTER TABLE outbox ADD COLUMN thread TEXT;
ALTER TABLE outbox ADD COLUMN reply_to TEXT;
CREATE INDEX outbox_receipt ON outbox (chat_jid, receipt) WHERE receipt IS NOT NULL;
