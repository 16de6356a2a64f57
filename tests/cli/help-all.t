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
>   skill check [..]show every fault in skill packages, with its position
> ...
> Assistant
> ...
>   run [..]run the assistant's host in the foreground
> ...
> For scripts
> ...
>   merge-file [..]merge three versions of a file, like git merge-file
>
> Global options
>   -C DIR         work in DIR
>   --json         print one JSON document on standard output
>   -q, --quiet    print less
>   -v, --verbose  print more
>   --yes          answer every question as recommended
>   --no-color     no colors; the variable NO_COLOR does the same
>   -h, --help     show help for a command
>   --version      show the version
>
> 'nanoclaw <command> --help' explains a command, 'nanoclaw tour' shows them at work.
