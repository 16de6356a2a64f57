# a test whose shell is killed has failed
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
test: "sh -c 'kill -9 $PPID'; true"
-- skills/x/add/n.txt --
new
== run ==
$ nanoclaw skill apply x
? 5
2> error: the test of skill 'x' failed with exit code 137, as after signal 9 (Killed): sh -c 'kill -9 $PPID'; true
2> hint: everything is as it was before
