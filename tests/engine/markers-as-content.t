# lines of the file that look like markers do not hide the markers of a conflict
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f [hex] --
746f700a
3c3c3c3c3c3c3c20610a3e3e3e3e3e3e3e20620a
6d69640a6d69640a6d69640a6d69640a656e640a
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/a/modify/f --
top
mid
mid
mid
mid
end of the skill
== run ==
$ nanoclaw -q init
$ sed -i 's/^end/my end/' f
$ nanoclaw -q skill apply --on-drift continue a
? 3
> ...
$ nanoclaw continue
? 3
> ...
2> warning: 'f' still has conflict markers
$ printf 'top\nmid\nmid\nmid\nmid\nboth\n' > f
$ nanoclaw -q continue
> a 1.0.0 applied
== after ==
-- f --
top
mid
mid
mid
mid
both
