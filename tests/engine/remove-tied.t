# a custom patch that is tied to a skill is removed with it, after a question; its file stays
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x
-- skills/x/modify/a.txt --
one
two
three
from x
== run ==
$ nanoclaw -q skill apply x --customize 'groups only'; echo mine >> x.txt; sed -i 1s/^/first/ a.txt; nanoclaw -q customize commit
> x 1.0.0 applied
> Now make your changes, then run 'nanoclaw customize commit'.
> recorded as x-groups-only
$ nanoclaw skill remove x
? 2
2> error: Removing x will also discard custom patch: "groups only". Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue (discard the custom patch)
$! nanoclaw --yes skill remove x
> x 1.0.0 removed
>   merged    a.txt
>   removed   x.txt
2> warning: custom patch 'x-groups-only' is discarded; its file stays in '.nanoclaw/custom'
$ ls .nanoclaw/custom; nanoclaw verify; nanoclaw status; nanoclaw customize list
> x-groups-only.md
> x-groups-only.patch
> 4 files checked: all as recorded
> core 1.0.0
> no custom patches are recorded here
