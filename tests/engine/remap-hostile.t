# a remap that leads out of the project, into what is not ours, or round in a circle: exit 2, with its place
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
a
-- real/file --
r
-- link -> real --
-- set.sh --
sed -i /^path_remap/d .nanoclaw/state.yaml
printf 'path_remap: %s\n' "$1" >> .nanoclaw/state.yaml
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a]
-- skills/x/modify/a --
a
x
== run ==
$ nanoclaw -q init
$ sh set.sh '{a: /etc/passwd}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:17: 'path_remap': path '/etc/passwd' is absolute
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{a: ../x}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:17: 'path_remap': path '../x' has the component '..'
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{a: .git/config}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:17: 'path_remap': '.git/config' is not a path that a skill may touch
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{a: .nanoclaw/state.yaml}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:17: 'path_remap': '.nanoclaw/state.yaml' is not a path that a skill may touch
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{a: .env}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:17: 'path_remap': '.env' is not a path that a skill may touch
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{../x: a}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:14: 'path_remap': path '../x' has the component '..'
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{.git/config: a}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:14: 'path_remap': '.git/config' is not a path that a skill may touch
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{a: a}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:14: 'path_remap' has a cycle at 'a'
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{a: b, b: c, c: a}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:14: 'path_remap' has a cycle at 'a'
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '[a]'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:13: 'path_remap' must be a mapping, not a sequence
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sh set.sh '{a: [b]}'; nanoclaw skill apply x
? 2
2> error: .nanoclaw/state.yaml:7:17: a new path in 'path_remap' must be a string, not a sequence
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
# Through a link: found when the file is opened.
$ sh set.sh '{a: link/file}'; nanoclaw skill apply x
? 2
2> error: cannot access 'link/file': a symbolic link is in the way
2> hint: everything is as it was before
$ sh set.sh '{a: real}'; nanoclaw skill apply x
? 2
2> error: skill 'x' needs a file at 'real', but a folder is there
2> hint: move it away first
