# Ctrl-C while a test runs: the test is ended, everything restored
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [n.txt]
test: "kill -INT $PPID; sleep 20; touch late"
-- skills/x/modify/a.txt --
ONE
-- skills/x/add/n.txt --
n
== run ==
$ ln -s /bin/false ~/unshare # without a sandbox, a command can kill us
$ PATH=~:$PATH nanoclaw skill apply x
? 1
2> warning: commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
2> error: 'kill -INT $PPID; sleep 20; touch late' was ended because we got SIGINT
2> hint: everything is as it was before
