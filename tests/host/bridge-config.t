# a faulty file of a bridge is named, and nothing is started
needs: bwrap
ignore: logs store data groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- bridges/chat.json --
{"command": "node chat.mjs"}
== run ==
$ nanoclaw run
? 2
2> error: 'bridges/chat.json': 'command' must be an array of strings
2> hint: docs/bridge-protocol.md shows such a file
$ nanoclaw channel list
? 2
2> error: 'bridges/chat.json': 'command' must be an array of strings
2> hint: docs/bridge-protocol.md shows such a file
$ mv bridges/chat.json bridges/local.json
$ nanoclaw run
? 2
2> error: 'bridges/local.json': a bridge cannot be called 'local'
2> hint: docs/bridge-protocol.md shows such a file
$ rm bridges/local.json; printf '{"command":\n  [1' >bridges/broken.json
$ nanoclaw run
? 2
2> error: bridge 'broken': bridges/broken.json:2:[..]
== after ==
-- !bridges/chat.json --
-- bridges/broken.json [no-newline] --
{"command":
  [1
