# an update to the core that is there does nothing, and says so if it cannot clean up
unlisted: .nanoclaw
-- VERSION --
0.5.0
-- a.txt --
a
-- updates/same/VERSION --
0.5.0
-- updates/same/a.txt --
a
== run ==
$ nanoclaw -q init
$! nanoclaw update updates/same
> nothing to do: the core is already 0.5.0
