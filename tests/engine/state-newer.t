# a state that a newer system wrote: exit 2, nothing touched
# ending: the state is of a newer version
-- VERSION --
1.0.0
-- a.txt --
one
-- .nanoclaw/state.yaml --
skills_system_version: 0.2.0
core_version: 1.0.0
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
2> error: .nanoclaw/state.yaml:1:24: this project was last changed by a newer NanoClaw (0.2.0, here is 0.1.0)
2> hint: update NanoClaw and type the command again
$ nanoclaw status
? 2
2> error: .nanoclaw/state.yaml:1:24: this project was last changed by a newer NanoClaw (0.2.0, here is 0.1.0)
2> hint: update NanoClaw and type the command again
$ nanoclaw --json skill apply x
? 2
> {
>   "error": ".nanoclaw/state.yaml:1:24: this project was last changed by a newer NanoClaw (0.2.0, here is 0.1.0)",
>   "hint": "update NanoClaw and type the command again",
>   "success": false
> }
2> error: .nanoclaw/state.yaml:1:24: this project was last changed by a newer NanoClaw (0.2.0, here is 0.1.0)
2> hint: update NanoClaw and type the command again
