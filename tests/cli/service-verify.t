# systemd itself finds nothing wrong with the units, whatever the folder is called
needs: systemd-analyze
-- a 100% $odd 'fol"der'\n/keep --
== run ==
$ cd a* && nanoclaw service install --user --print >nanoclaw.service && XDG_RUNTIME_DIR=$HOME systemd-analyze verify --user --man=no ./nanoclaw.service
$ cd a* && nanoclaw service install --system --print >nanoclaw.service && systemd-analyze verify --system --man=no ./nanoclaw.service
# It finds the error.
$ cd a* && sed 's/strict/strictly/' nanoclaw.service >other.service && systemd-analyze verify --system --man=no ./other.service 2>&1 | grep -q strictly && echo seen; rm other.service
> seen
$ grep -e ^Wor -e ^ReadWritePaths -e ^Des a*/nanoclaw.service; rm a*/nanoclaw.service
> Description=NanoClaw in [dir]/a 100%% $odd 'fol"der'\n
> WorkingDirectory=[dir]/a 100%% $odd 'fol"der'\n
> ReadWritePaths="[dir]/a 100%% $odd 'fol\"der'\\n"[..]
> ...
