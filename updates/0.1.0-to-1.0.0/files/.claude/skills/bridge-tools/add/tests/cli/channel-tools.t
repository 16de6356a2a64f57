# 'channel new' and 'channel check' name what is wrong with their arguments, and complete them
ignore: .nanoclaw store data groups container
-- bridges/demo.json --
{"command": ["python3", "bridges/demo/bridge.py"], "env": []}
== run ==
$ nanoclaw channel check
? 2
2> error: 'channel check' needs <name> | -- <command>...
2> hint: see 'nanoclaw channel check --help'
$ nanoclaw channel check x
? 2
2> error: there is no bridge 'x'
2> hint: 'nanoclaw channel list' lists them; docs/bridge-protocol.md explains how to write one
$ nanoclaw channel check ./x --wait soon
? 2
2> error: '--wait' takes a number from 0 to 3600, not 'soon'
$ nanoclaw channel check ./x --chat 'a b'
? 2
2> error: 'a b' is not a JID
2> hint: a JID is like 'slack:C1234567890' or '12036@g.us'
$ nanoclaw channel new
? 2
2> error: 'channel new' needs <name>
2> hint: see 'nanoclaw channel new --help'
$ nanoclaw channel new x
? 2
2> error: the language of the bridge is missing
2> hint: add '--language python', 'node' or 'sh'
$ nanoclaw channel new x --language cobol
? 2
2> error: there is no template in 'cobol'
2> hint: '--language' takes python, node or sh; docs/bridge-protocol.md explains the protocol
$ nanoclaw channel new ../x --language sh
? 2
2> error: '../x' cannot be the name of a bridge
2> hint: use up to 64 letters, digits, '-' and '_', and neither 'local' nor 'global'
$ nanoclaw channel new local --language sh
? 2
2> error: 'local' cannot be the name of a bridge
2> hint: use up to 64 letters, digits, '-' and '_', and neither 'local' nor 'global'
$ nanoclaw channel add x
? 2
2> error: 'channel add' is not a nanoclaw command
2> hint: did you mean 'nanoclaw channel new'?
$ nanoclaw channel test x
? 2
2> error: 'channel test' is not a nanoclaw command
2> hint: did you mean 'nanoclaw channel check'?
$ nanoclaw complete -- channel check d
> demo	python3
$ nanoclaw complete -- channel new x --language p
> python
