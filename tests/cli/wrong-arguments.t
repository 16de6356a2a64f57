# missing and surplus arguments exit with 2 and say where the help is
== run ==
$ nanoclaw
? 2
2> error: no command given
2> hint: 'nanoclaw help' lists the commands, 'nanoclaw tour' shows them at work
$ nanoclaw --json
? 2
> {
>   "error": "no command given",
>   "hint": "'nanoclaw help' lists the commands, 'nanoclaw tour' shows them at work",
>   "success": false
> }
2> error: no command given
2> hint: 'nanoclaw help' lists the commands, 'nanoclaw tour' shows them at work
$ nanoclaw completion
? 2
2> error: 'completion' needs bash|fish|zsh
2> hint: 'nanoclaw completion --help' shows how it is used
$ nanoclaw version now
? 2
2> error: 'version' does not know what to do with 'now'
2> hint: 'nanoclaw version --help' shows how it is used
$ nanoclaw -C nowhere version
? 2
2> error: cannot work in 'nowhere': no such file or directory
