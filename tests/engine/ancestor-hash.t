# base_hashes that name the present base: the skill may take lines out, whatever its core_version
unlisted: .nanoclaw
-- VERSION --
2.0.0
-- a.txt --
one
two
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
base_hashes: {a.txt: c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8}
-- skills/x/modify/a.txt --
one
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   merged    a.txt
== after ==
-- a.txt --
one
