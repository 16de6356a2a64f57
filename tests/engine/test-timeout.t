# a test that takes too long is ended with all that it started
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
test: "echo begun; (sleep 2; touch late) & sleep 60"
-- skills/x/add/n.txt --
new
== run ==
$ nanoclaw skill apply x --test-timeout 1
? 5
2> error: the test of skill 'x' took more than 1 seconds: echo begun; (sleep 2; touch late) & sleep 60
2> begun
2> hint: everything is as it was before
$ sleep 2; ls late
? 2
2> ls: cannot access 'late': No such file or directory
$ nanoclaw skill apply x --test-timeout 0
? 2
2> error: the time limit for a test must be 1 to 86400 seconds, not '0'
$ nanoclaw skill apply x --test-timeout 1x
? 2
2> error: the time limit for a test must be 1 to 86400 seconds, not '1x'
