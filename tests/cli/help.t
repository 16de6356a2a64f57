# help lists the commands and explains each
== run ==
$ nanoclaw help
> NanoClaw: a personal AI assistant whose features are skills that change its source
>
> usage: nanoclaw [global options] <command> [...]
>
> Getting started
>   completion [..]print completions for a shell
> ...
> Skills
> ...
>   skill check [..]show every fault of skill packages, with its place
> ...
> Assistant
> ...
>   run [..]run the assistant's host, in the foreground
> ...
> For scripts
> ...
>   merge-file [..]merge three versions of a file, as git merge-file does
>
> Global options
>   -C DIR         work in DIR
>   --json         print one JSON document on standard output
>   -q, --quiet    say less
>   -v, --verbose  say more
>   --yes          take the recommended answer wherever one would be asked
>   --no-color     no colour; the variable NO_COLOR does the same
>   -h, --help     show help for a command
>   --version      show the version
>
> 'nanoclaw <command> --help' tells more about one, 'nanoclaw tour' shows them at work.
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
> Global options are listed by 'nanoclaw help'.
$ nanoclaw help version
> nanoclaw version: show versions and build facts
>
> usage: nanoclaw version
>
> With -v, and with --json, also the compiler and the versions of the libraries
> that are really loaded.
>
> Global options are listed by 'nanoclaw help'.
