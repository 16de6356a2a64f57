# the environment is the same everywhere
needs: env git
== run ==
$ env | sed 's/=.*//' | grep -vE '^(ASAN|GCOV|LLVM|LSAN|MALLOC|UBSAN)_' | sort
> GIT_AUTHOR_DATE
> GIT_AUTHOR_EMAIL
> GIT_AUTHOR_NAME
> GIT_COMMITTER_DATE
> GIT_COMMITTER_EMAIL
> GIT_COMMITTER_NAME
> GIT_CONFIG_GLOBAL
> GIT_CONFIG_NOSYSTEM
> HOME
> LC_ALL
> NANOCLAW_ALLOW_COMMANDS
> PATH
> PWD
> SOURCE_DATE_EPOCH
> TMPDIR
> TZ
$ ls -A "$HOME" "$TMPDIR" | grep -v :
>
$ touch "$HOME/x" "$TMPDIR/x"
$ command -v nanoclaw
> [..]/bin/nanoclaw
$ umask; readlink /proc/self/fd/0
> 0022
> /dev/null
$ git init -q r && cd r && git commit -q --allow-empty -m x && git log --format='%an %ct'
> Author 981173106
$ rm -rf r
