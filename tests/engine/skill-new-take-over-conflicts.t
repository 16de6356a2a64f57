# a package created from edits takes them over even if it conflicts with an applied skill
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- b.txt --
b
-- skills/other/manifest.yaml --
skill: other
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
-- skills/other/modify/b.txt --
b other
== run ==
$ nanoclaw -q skill apply other; sed -i 's/two/2/' a.txt; nanoclaw -q skill new mine --from-changes; echo 'conflicts: [other]' >> .claude/skills/mine/manifest.yaml
> other 1.0.0 applied
$ nanoclaw -q skill apply mine --allow-conflicts; nanoclaw diff --by a.txt; nanoclaw verify
> mine 1.0.0 applied
> a.txt
> core  1  one
> mine  2  2
> core  3  three
>   2 core, 1 skill mine
> 8 files checked: all as recorded
== after ==
-- a.txt --
one
2
three
-- b.txt --
b other
