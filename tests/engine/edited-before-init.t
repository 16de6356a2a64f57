# edits from before the core was kept are not taken out by the first skill
needs: git
ignore: .git
-- VERSION --
1.0.0
-- f --
1
2
3
4
-- other --
x
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/a/modify/f --
1
2
3
4 skill
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [other]
-- skills/b/modify/other --
y
== run ==
$ git init -q; git add .; git commit -qm core
$ sed -i '2a MY LINE' f
$ nanoclaw skill apply a
? 2
2> error: 'f' was edited before the core was saved (git has another version of it), so your lines cannot be told apart from lines that skill 'a' removes:
2>     MY LINE
2>     4
2> hint: save the core first: 'git stash', 'nanoclaw init', 'git stash pop'; or accept it with '--ancestor base'
# As the hint says:
$ git stash -q; nanoclaw -q init; git stash pop -q
$ nanoclaw -q skill apply --on-drift continue a
> a 1.0.0 applied
$ rm -r .nanoclaw
== after ==
-- f --
1
2
MY LINE
3
4 skill
