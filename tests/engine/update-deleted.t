# an update of a file that the user deleted is a question
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt, m.txt]
-- skills/x/add/n.txt --
1
-- skills/x/add/m.txt --
1
-- new/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [n.txt]
-- new/x/add/n.txt --
2
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ rm n.txt m.txt
$ nanoclaw skill apply --on-drift continue new/x
? 2
2> error: You deleted 'n.txt', and skill 'x' changes it. Nobody is here to say what to do
2> hint: run it on a terminal, or with '--yes' to bring it back, with the skill's changes
$ nanoclaw --yes skill apply new/x
> your changes are recorded as 001-changes-to-m-txt-and-1-more-file
> x 2.0.0 (before: 1.0.0) applied
>   restored  n.txt
== after ==
-- n.txt --
2
