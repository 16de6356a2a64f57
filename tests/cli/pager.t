# long output goes through a pager on a terminal, and through none elsewhere
needs: script
== run ==
$ TERM=xterm PAGER='sed s/^/[/' script -qec 'nanoclaw version --help --no-color' /dev/null | head -n 1
> [nanoclaw version: show versions and build information[0d]
# less shows what we write, whatever the locale is.
$ TERM=xterm PAGER='echo $LESSCHARSET; cat >/dev/null' script -qec 'nanoclaw version --help' /dev/null
> utf-8[0d]
$ TERM=xterm PAGER=no-such-pager script -qec 'nanoclaw version --help' /dev/null | sed -n 2p
> nanoclaw version: show versions and build information[0d]
$ TERM=xterm PAGER=cat script -qec 'nanoclaw version --help' /dev/null | head -n 1
> nanoclaw version: show versions and build information[0d]
$ TERM=xterm PAGER='sed s/^/[/' nanoclaw version --help | head -n 1
> nanoclaw version: show versions and build information
$ TERM=xterm PAGER='sed s/^/[/' script -qec 'nanoclaw --json help version' /dev/null | head -n 1
> {[0d]
