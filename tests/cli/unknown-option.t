# a mistyped option exits with 2 and suggests the right one
== run ==
$ nanoclaw version --jsn
? 2
2> error: unknown option '--jsn'
2> hint: did you mean '--json'?
$ nanoclaw version -x
? 2
2> error: unknown option '-x'
2> hint: 'nanoclaw version --help' shows the options
$ nanoclaw version --json=yes
? 2
2> error: option '--json' takes no value
2> hint: 'nanoclaw version --help' shows the options
$ nanoclaw -C
? 2
2> error: option '-C' needs a value: DIR
2> hint: 'nanoclaw --help' shows the options
$ nanoclaw --ver
? 2
2> error: option '--ver' could be '--verbose' or '--version'
2> hint: 'nanoclaw --help' shows the options
