# help lists the commands and explains each
== run ==
$ nanoclaw help
> NanoClaw: a personal AI assistant whose features are skills that change its source
>
> usage: nanoclaw [global options] <command> [...]
>
>   start         start the assistant, and talk to it
>   chat          talk to the assistant at the terminal
>   tour          see the commands at work on a sample project
>   status        show applied skills, unrecorded changes and what is paused
>   doctor        look for what is broken or missing, and how to mend it
>   skill list    list the skills that are available and applied
>   skill apply   apply skills to this project, all or nothing
>   skill remove  take an applied skill out again
>   undo          take back the last finished operation
>   update        update the core
>
> 'nanoclaw help --all' lists all commands, 'nanoclaw <command> --help' explains one.
$ nanoclaw --help | head -n 1
> NanoClaw: a personal AI assistant whose features are skills that change its source
$ nanoclaw merge-file --help
> nanoclaw merge-file: merge three versions of a file, as git merge-file does
>
> usage: nanoclaw merge-file [options] <current> <base> <other>
>
> Brings the changes that lead from <base> to <other> into <current>. Where both
> sides changed the same lines, the result holds both between conflict markers.
>
> Arguments, result and exit codes are those of git 2.39's merge-file. The exit code
> is the number of conflicts (at most 127), 255 if the files cannot be read, merged
> or written, and 129 for wrong usage and for '-h'. Three things differ: git's
> configuration is not read and no repository is needed; the result takes the place
> of <current> in one step where that is possible; and a pipe is read to its end,
> where git takes it for an empty file.
>
> Conflict markers of more than 1048576 signs are refused.
>
> Options
>   -p, --stdout     print the result instead of writing it to <current>
>   -q, --quiet      taken as git takes it; there are no warnings here
>   --diff3          show the base in conflicts too
>   --zdiff3         likewise, without the lines on which both sides agree
>   --ours           settle conflicts with the lines of <current>
>   --theirs         settle conflicts with the lines of <other>
>   --union          settle conflicts with the lines of both
>   --marker-size=N  length of the conflict markers (7)
>   -L LABEL         name of a side at the markers; up to three times
>
> Examples
>   nanoclaw merge-file mine original yours
>       bring the changes of yours into mine
>   nanoclaw merge-file -p --diff3 mine original yours
>       only show the result
>
> 'nanoclaw help --all' lists the global options.
$ nanoclaw help version
> nanoclaw version: show versions and build facts
>
> usage: nanoclaw version
>
> With -v, and with --json, also the compiler and the versions of the libraries
> that are really loaded.
>
> 'nanoclaw help --all' lists the global options.
