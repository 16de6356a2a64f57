# lines that resolved a conflict stay the person's when a skill below is updated
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
1
2
3
4
5
-- skills/p/manifest.yaml --
skill: p
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/p/modify/a.txt --
1
2
p
4
5
-- skills/q/manifest.yaml --
skill: q
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/q/modify/a.txt --
1
2
q
4
5
== run ==
$ nanoclaw -q skill apply p q >/dev/null
? 3
$ printf '%s\n' 1 2 p q 4 5 mine >a.txt; nanoclaw -q continue
> p 1.0.0 applied
> q 1.0.0 applied
$ sed -i 's/^version: 1/version: 2/' skills/p/manifest.yaml; sed -i 's/^1/p, too/' skills/p/modify/a.txt
# Without a learned resolution, the record is carried over.
$ rm -r .nanoclaw/rr-cache; nanoclaw -q skill update p
> p 2.0.0 (before: 1.0.0) applied
$ nanoclaw diff --by
> a.txt
> p               1  p, too
> core            2  2
> p               3  p
> q               4  q
> core            5  4
>                 6  5
> you (resolved)  7  mine
>   3 core, 2 skill p, 1 skill q, 1 you (resolved)
