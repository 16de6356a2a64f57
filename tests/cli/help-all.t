# help --all lists every command in sections, with the global options
== run ==
$ nanoclaw help --all
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
> 'nanoclaw <command> --help' explains one, 'nanoclaw tour' shows them at work.
