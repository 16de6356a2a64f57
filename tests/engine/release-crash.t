# a crash while a release is written leaves the update package as it was, or the whole new one
ignore: data data/** .nanoclaw/matrix .nanoclaw/matrix/**
unlisted: .nanoclaw .nanoclaw/**
-- VERSION --
0.2.0
-- a.txt --
new
-- .nanoclaw-meta/migration.md --
It is new.
-- data/old/VERSION --
0.1.0
-- data/old/a.txt --
old
-- .nanoclaw/matrix/ --
-- updates/0.1.0-to-0.2.0/files/b.txt --
stale
== run ==
$! nanoclaw -q release --from data/old
== after ==
-- updates/0.1.0-to-0.2.0/files/.nanoclaw-meta/migration.md --
It is new.
-- updates/0.1.0-to-0.2.0/files/VERSION --
0.2.0
-- updates/0.1.0-to-0.2.0/files/a.txt --
new
-- updates/0.1.0-to-0.2.0/migration.md --
It is new.
-- !updates/0.1.0-to-0.2.0/files/b.txt --
