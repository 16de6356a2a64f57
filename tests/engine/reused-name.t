# a skill that does not build on another means the core's file, and not the other's of the same name
ignore: *
-- VERSION --
1.0.0
-- a.txt --
1
2
3
-- skills/r/manifest.yaml --
skill: r
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a.txt, to: t.txt}]
-- skills/q/manifest.yaml --
skill: q
version: 1.0.0
core_version: 1.0.0
adds: [a.txt, n.txt]
-- skills/q/add/a.txt --
fresh 1
fresh 2
-- skills/q/add/n.txt --
fresh 1
fresh 2
-- skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/m/modify/a.txt --
1
2 M
3
-- skills/d/manifest.yaml --
skill: d
version: 1.0.0
core_version: 1.0.0
depends: [q]
modifies: [a.txt]
-- skills/d/modify/a.txt --
fresh 1
fresh 2 D
-- skills/n/manifest.yaml --
skill: n
version: 1.0.0
core_version: 1.0.0
modifies: [n.txt]
-- skills/n/modify/n.txt --
other 1
other 2
== run ==
$ nanoclaw -q skill apply r q m; cat a.txt t.txt
> r 1.0.0 applied
> q 1.0.0 applied
> m 1.0.0 applied
> fresh 1
> fresh 2
> 1
> 2 M
> 3
$ nanoclaw -q skill apply d; cat a.txt; nanoclaw -q status; nanoclaw verify
> d 1.0.0 applied
> fresh 1
> fresh 2 D
> core 1.0.0
>   r 1.0.0
>   q 1.0.0
>   m 1.0.0
>   d 1.0.0
> 10 files checked: all as recorded
$ nanoclaw skill apply n; cat n.txt
> fresh 1
> fresh 2
2> error: skill 'n' changes 'n.txt', which skill 'q' has added, but does not depend on it; it would remove:
2>     fresh 1
2>     fresh 2
2> hint: its author should list 'q' under 'depends'; or accept it with '--ancestor base'
# The user's recorded rename stays when the skill that had renamed the file is updated.
$ nanoclaw -q customize start back; mv t.txt back.txt; nanoclaw -q customize commit; sed -i 's/^version: 1/version: 2/' skills/r/manifest.yaml; nanoclaw skill apply r; nanoclaw -q status; ls *.txt
> recorded as 001-back
> r 2.0.0 (before: 1.0.0) applied
>   as it is  t.txt
> core 1.0.0
>   r 2.0.0
>   q 1.0.0
>   m 1.0.0
>   d 1.0.0
>   001-back (custom patch)
> a.txt
> back.txt
> n.txt
# One that is already applied can be customized in the same way.
$ nanoclaw skill apply m --customize more; echo more >>back.txt; nanoclaw customize commit; nanoclaw abort; nanoclaw -q customize start again; nanoclaw abort
? 2
> m 1.0.0 is already applied
> Now make your changes, then run 'nanoclaw customize commit'.
> recorded as m-more
>   back.txt
> The patch is .nanoclaw/custom/m-more.patch
2> error: no operation is paused
2> error: no operation is paused
2> hint: record your changes first: 'nanoclaw customize commit'; or end it with 'nanoclaw customize abort', which leaves them in place
