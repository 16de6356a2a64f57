# a state that cannot be read: exit 2 with line and column, nothing touched
# ending: the state is damaged
-- VERSION --
1.0.0
-- a.txt --
one
-- .nanoclaw/state.yaml --
core_version: 1.0.0
applied_skills:
  - name: [x
-- .nanoclaw/base/VERSION --
1.0.0
-- .nanoclaw/base/a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:4:1: did not find expected ',' or ']' while parsing a flow sequence
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ nanoclaw status
? 2
2> error: .nanoclaw/state.yaml:4:1: did not find expected ',' or ']' while parsing a flow sequence
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ nanoclaw skill list
? 2
2> error: .nanoclaw/state.yaml:4:1: did not find expected ',' or ']' while parsing a flow sequence
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
