# where no sandbox can be made, a command of a package cannot read our environment, either
needs: setpriv
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
test: cat /proc/$PPID/environ > ../environ 2>/dev/null || echo hidden > ../environ
-- run --
mkdir ../few
for p in cat sh; do ln -s "$(command -v $p)" ../few; done
# Root could read it with some of its rights.
[ "$(id -u)" != 0 ] || lesser='setpriv --bounding-set -all'
export API_KEY=secret
program=$(command -v nanoclaw) lesser=$(command -v ${lesser%% *})${lesser#setpriv}
PATH=$PWD/../few $lesser "$program" skill apply x --yes
tr '\0' '\n' < ../environ | grep -e hidden -e secret
== run ==
$ sh run
> x 1.0.0 applied
> 1 test passed
> hidden
2> warning: commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
