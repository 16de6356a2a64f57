# help is JSON too when that is asked for
== run ==
$ nanoclaw --json help completion
> {
>   "description": "'make install' installs them. Use this command if you do not use 'make install'.",
>   "examples": [
>     {
>       "command": "source <(nanoclaw completion bash)",
>       "says": "for this bash session"
>     },
>     {
>       "command": "nanoclaw completion zsh > /usr/local/share/zsh/site-functions/_nanoclaw",
>       "says": "for every zsh session"
>     }
>   ],
>   "name": "completion",
>   "options": [],
>   "success": true,
>   "summary": "print completions for a shell",
>   "usage": "bash|zsh"
> }
$ nanoclaw --json help help
> {
>   "description": "",
>   "examples": [],
>   "name": "help",
>   "options": [
>     {
>       "help": "list every command, and the global options",
>       "name": "all"
>     },
>     {
>       "help": "print the man page in roff format",
>       "name": "man"
>     }
>   ],
>   "success": true,
>   "summary": "list the commands, or explain one",
>   "usage": "[options] [<command>]"
> }
$ nanoclaw help --man --json | head -c 40
> {
>   "manPage": ".TH NANOCLAW 1 \"\" \"na[no-newline]
$ nanoclaw tour --version
> nanoclaw [..]
$ nanoclaw tour --help --json | grep '"name"'
>   "name": "tour",
