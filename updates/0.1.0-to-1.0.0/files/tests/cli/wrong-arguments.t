# missing and surplus arguments exit with 2 and say where the help is
== run ==
$ nanoclaw
? 2
> NanoClaw: a personal AI assistant whose features are skills that change its source
>
> usage: nanoclaw [global options] <command> [...]
>
>   start         start the assistant, and talk to it
>   setup         connect a model, or do without one
>   chat          talk to the assistant on the terminal
>   tour          see the commands at work on a sample project
>   status        show applied skills, unrecorded changes and paused operations
>   doctor        find broken and missing things, and how to fix them
>   skill list    list available and applied skills
>   skill apply   apply skills to this project, all or nothing
>   skill remove  remove an applied skill
>   undo          take back the last finished operation
>
> 'nanoclaw help --all' lists all commands, 'nanoclaw <command> --help' explains one.
$ nanoclaw --json
? 2
> {
>   "error": "no command given",
>   "hint": "'nanoclaw help' lists the commands",
>   "success": false
> }
2> error: no command given
2> hint: 'nanoclaw help' lists the commands
$ nanoclaw completion
? 2
2> error: 'completion' needs bash|[..]zsh
2> hint: see 'nanoclaw completion --help'
$ nanoclaw version now
? 2
2> error: 'version': unexpected argument 'now'
2> hint: see 'nanoclaw version --help'
$ nanoclaw -C nowhere version
? 2
2> error: cannot work in 'nowhere': no such file or directory
