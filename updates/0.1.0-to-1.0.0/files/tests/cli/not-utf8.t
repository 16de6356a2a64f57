# names that are not UTF-8, or that are commands to a terminal, are shown harmlessly
-- base --
-- theirs --
x
== run ==
$ nanoclaw --json "$(printf '\377')"
? 2
> {
>   "error": "'\\377' is not a nanoclaw command",
>   "hint": "'nanoclaw help --all' lists the commands",
>   "success": false
> }
2> error: '\377' is not a nanoclaw command
2> hint: 'nanoclaw help --all' lists the commands
$ nanoclaw "$(printf 'a\033[31mb')"
? 2
2> error: 'a\033[31mb' is not a nanoclaw command
2> hint: 'nanoclaw help --all' lists the commands
$ nanoclaw help "$(printf '\033[2J')"
? 2
2> error: '\033[2J' is not a nanoclaw command
2> hint: 'nanoclaw help --all' lists the commands
$ nanoclaw version "$(printf '\033[2J')"
? 2
2> error: 'version': unexpected argument '\033[2J'
2> hint: see 'nanoclaw version --help'
$ nanoclaw version "$(printf -- '--\033[2J')"
? 2
2> error: unknown option '--\033[2J'
2> hint: 'nanoclaw version --help' shows the options
$ nanoclaw version "$(printf -- '-\033')"
? 2
2> error: unknown option '-\033'
2> hint: 'nanoclaw version --help' shows the options
$ nanoclaw -C "$(printf '\033[2J')" version
? 2
2> error: cannot work in '\033[2J': no such file or directory
$ nanoclaw completion "$(printf '\377')"
? 2
2> error: no completions for the shell '\377'
2> hint: there are completions for bash[..]zsh
$ nanoclaw merge-file --marker-size="$(printf '\377')" base base theirs
? 129
2> error: option '--marker-size' expects a number, not '\377'
$ cp base "$(printf 'b\377')"; nanoclaw --json merge-file "$(printf 'b\377')" base theirs; \
  rm "$(printf 'b\377')"
> {
>   "conflicts": 0,
>   "file": "b�",
>   "success": true
> }
