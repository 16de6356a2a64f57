# a custom patch that was discarded with its skill is no damage, and does not come back
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- b.txt --
plain
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
two
three
from x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
-- skills/y/add/y.txt --
y
== run ==
$ nanoclaw -q skill apply x y; nanoclaw -q customize start 'with x' --skill x; echo mine >> b.txt; nanoclaw -q customize commit; nanoclaw -q customize start 'with y' --skill y; echo mine >> y.txt; nanoclaw -q customize commit
> x 1.0.0 applied
> y 1.0.0 applied
> recorded as x-with-x
> recorded as y-with-y
$ nanoclaw -q --yes skill remove x; tail -n 1 .nanoclaw/custom/x-with-x.md | sed 's/ 2.*Z/ [time]/'
> x 1.0.0 removed
> Discarded [time], with the skill `x`.
$ nanoclaw -q doctor; nanoclaw verify
> 11 files checked: all as recorded
# Nor without the state, whether or not the skill is back.
$ rm .nanoclaw/state.yaml; nanoclaw -q doctor --fix; nanoclaw customize list; nanoclaw status; cat b.txt
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: an older state is in the history; its entries are used for layers that are still the same
> y-with-y  2001-02-03   1 file   with y (y)
>   y.txt
> core 1.0.0
>   y 1.0.0
>   y-with-y (custom patch)
> plain
$ nanoclaw -q skill apply x; nanoclaw -q doctor; rm .nanoclaw/state.yaml; nanoclaw -q doctor --fix; nanoclaw customize list; nanoclaw status; nanoclaw -q doctor
> x 1.0.0 applied
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: an older state is in the history; its entries are used for layers that are still the same
> warning  recovery     guess: the order of the skills: from the older state and the history
> y-with-y  2001-02-03   1 file   with y (y)
>   y.txt
> core 1.0.0
>   y 1.0.0
>   x 1.0.0
>   y-with-y (custom patch)
$ ls .nanoclaw/custom
> x-with-x.md
> x-with-x.patch
> y-with-y.md
> y-with-y.patch
