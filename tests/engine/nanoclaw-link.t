# a .nanoclaw that is a link, or a file, is refused
-- VERSION --
1.0.0
-- .nanoclaw -> elsewhere --
-- elsewhere/ --
-- other/.nanoclaw --
x
-- other/VERSION --
1
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/x/add/n.txt --
n
== run ==
$ nanoclaw skill apply x
? 2
2> error: '[dir]/.nanoclaw' is not a folder
2> hint: nothing was changed; move it away first
$ nanoclaw init
? 2
2> error: '[dir]/.nanoclaw' is not a folder
2> hint: nothing was changed; move it away first
$ nanoclaw status
? 2
2> error: '[dir]/.nanoclaw' is not a folder
2> hint: nothing was changed; move it away first
$ nanoclaw -C other init
? 2
2> error: '[dir]/other/.nanoclaw' is not a folder
2> hint: nothing was changed; move it away first
$ nanoclaw -C other skill apply ../skills/x
? 2
2> error: '[dir]/other/.nanoclaw' is not a folder
2> hint: nothing was changed; move it away first
