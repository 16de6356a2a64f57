# help lists the commands and explains each
== run ==
$ nanoclaw help
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
$ nanoclaw --help | head -n 1
> NanoClaw: a personal AI assistant whose features are skills that change its source
$ nanoclaw merge-file --help
> nanoclaw merge-file: merge three versions of a file, like git merge-file
>
> usage: nanoclaw merge-file [options] <current> <base> <other>
>
> Applies the changes between <base> and <other> to <current>. If both sides changed
> the same lines, the result has both between conflict markers.
>
> Arguments, result and exit codes are those of git 2.39's merge-file. The exit code
> is the number of conflicts (at most 127), 255 if a file cannot be read, merged or
> written, and 129 for wrong usage and for '-h'. There are three differences: git's
> configuration is not read and no repository is needed; the result replaces
> <current> in one step if possible; and a pipe is read to its end, where git treats
> it as an empty file.
>
> Conflict markers of more than 1048576 characters are refused.
>
> Options
>   -p, --stdout     print the result instead of writing it to <current>
>   -q, --quiet      accepted as in git; there are no warnings
>   --diff3          also show the base in conflicts
>   --zdiff3         the same, without lines on which both sides agree
>   --ours           resolve conflicts with the lines of <current>
>   --theirs         resolve conflicts with the lines of <other>
>   --union          resolve conflicts with the lines of both
>   --marker-size=N  length of conflict markers (7)
>   -L LABEL         label of a side at the markers; up to three times
>
> Examples
>   nanoclaw merge-file mine original yours
>       apply the changes in yours to mine
>   nanoclaw merge-file -p --diff3 mine original yours
>       only show the result
>
> 'nanoclaw help --all' lists the global options.
$ nanoclaw help version
> nanoclaw version: show versions and build information
>
> usage: nanoclaw version
>
> With -v or --json, also shows the compiler and the versions of the loaded
> libraries.
>
> 'nanoclaw help --all' lists the global options.
