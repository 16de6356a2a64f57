# the version is printed in one line, and with --json as a document
== run ==
$ nanoclaw --version
> nanoclaw 1.1.0
$ nanoclaw version
> nanoclaw 1.1.0
$ nanoclaw version -v
> nanoclaw 1.1.0
> skills system   0.1.0
> compiler        [..]c[..]
> jansson         2.[..]
> libgit2         1.[..]
> libyaml         0.2.[..]
> nettle          3.[..]
$ nanoclaw --json --version | grep '"version"'
>   "version": "1.1.0"
