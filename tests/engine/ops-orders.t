# a rename by one skill, a change to the old path by another and one by the user: all three stay, in every order
# The user's change is in the file that is there at the time, under whatever name.
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- orders.sh --
# order.sh STEP...: does the steps in a copy of the project, and prints the file;
# DRIFT says what becomes of the user's change
set -eu
rm -rf copy && mkdir copy && cp -r VERSION core/src skills copy && cd copy
nanoclaw -q init
for step in "$@"; do
	case $step in
	user)
		file=src/server
		[ -e $file ] || file=lib/app
		sed -i 's/^9$/9 user/' $file ;;
	*) nanoclaw -q skill apply --on-drift $DRIFT $step ;;
	esac
done
[ ! -e src/server ]
[ "$(find . -name app -path './lib/*' | wc -l)" = 1 ]
grep -c . lib/app
grep -E 'other|user' lib/app
-- all.sh --
set -eu
first=
for order in "$1 $2 user" "$1 user $2" "user $1 $2" "$2 $1 user" "$2 user $1" "user $2 $1"; do
	sh orders.sh $order >out 2>&1 || { echo "$order failed"; cat out; }
	sum=$(sha256sum copy/lib/app)
	[ -n "$first" ] || { first=$sum; cat copy/lib/app; }
	[ "$sum" = "$first" ] && echo "the same: $order"
done
rm -rf copy out
-- core/src/server [755] --
1
2
3
4
5
6
7
8
9
-- skills/rename/manifest.yaml --
skill: rename
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: src/server, to: lib/app}]
-- skills/both/manifest.yaml --
skill: both
version: 1.0.0
core_version: 1.0.0
modifies: [lib/app]
file_ops: [{type: rename, from: src/server, to: lib/app}]
-- skills/both/modify/lib/app [755] --
1
2
3
4
5 both
6
7
8
9
-- skills/other/manifest.yaml --
skill: other
version: 1.0.0
core_version: 1.0.0
modifies: [src/server]
-- skills/other/modify/src/server [755] --
1 other
2
3
4
5
6
7
8
9
== run ==
$ DRIFT=continue sh all.sh rename other
> 1 other
> 2
> 3
> 4
> 5
> 6
> 7
> 8
> 9 user
> the same: rename other user
> the same: rename user other
> the same: user rename other
> the same: other rename user
> the same: other user rename
> the same: user other rename
$ DRIFT=continue sh all.sh both other
> 1 other
> 2
> 3
> 4
> 5 both
> 6
> 7
> 8
> 9 user
> the same: both other user
> the same: both user other
> the same: user both other
> the same: other both user
> the same: other user both
> the same: user other both
$ DRIFT=record sh all.sh rename other | grep same
> the same: rename other user
> the same: rename user other
> the same: user rename other
> the same: other rename user
> the same: other user rename
> the same: user other rename
$ DRIFT=record sh all.sh both other | grep same
> the same: both other user
> the same: both user other
> the same: user both other
> the same: other both user
> the same: other user both
> the same: user other both
