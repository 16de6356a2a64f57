# whatever the order in which skills that fit are applied, the files are the same
tree: examples/postbox
ignore: build
-- build/orders --
# WORD...: all orders of the words, one per line.
orders() { # PLACED, then the words that are left
	placed=$1
	shift
	[ $# -gt 0 ] || echo "$placed"
	for word; do
		case " $placed " in *" $word "*) continue ;; esac
		left=
		for other; do
			[ "$other" = "$word" ] || left="$left $other"
		done
		# shellcheck disable=SC2086
		(orders "$placed $word" $left)
	done
}
orders '' "$@"
-- build/try --
# SKILL...: apply them in every order that has 'diary' before 'diary-search', each
# order in a copy, a command per skill; say how many orders, and how many results.
# With --some it is every fourth order, and an order is one command.
set -eu
some=
[ "$1" != --some ] || some=$1
[ -z "$some" ] || shift
sum() { find . -path ./.nanoclaw -prune -o -type f -exec sha256sum {} + | sort | sha256sum; }
apply() { nanoclaw -q skill apply "$@" >/dev/null || echo "$order: $*: exit code $?" >&2; }
sh build/orders "$@" | grep -v 'diary-search.*diary' |
	awk -v step="${some:+4}" '!step || NR % step == 1' | while read -r order; do
	copy=$(mktemp -d)
	cp -R lib postbox skills VERSION "$copy"
	(
		cd "$copy"
		if [ "$some" ]; then
			apply $order
		else
			for skill in $order; do apply "$skill"; done
		fi
		sum
	)
	rm -rf "$copy"
done >"$TMPDIR/sums"
echo "$*: $(wc -l <"$TMPDIR/sums") orders, $(sort -u "$TMPDIR/sums" | wc -l) result"
== run ==
# All pairs.
$ for pair in 'brief diary' 'brief shout' 'brief smile' 'diary polite'; do sh build/try $pair; done
> brief diary: 2 orders, 1 result
> brief shout: 2 orders, 1 result
> brief smile: 2 orders, 1 result
> diary polite: 2 orders, 1 result
$ for pair in 'diary shout' 'diary smile' 'polite smile' 'shout smile'; do sh build/try $pair; done
> diary shout: 2 orders, 1 result
> diary smile: 2 orders, 1 result
> polite smile: 2 orders, 1 result
> shout smile: 2 orders, 1 result
# The layer before and after each of the others.
$ sh build/try diary diary-search brief
> diary diary-search brief: 3 orders, 1 result
$ sh build/try diary diary-search polite
> diary diary-search polite: 3 orders, 1 result
$ sh build/try diary diary-search shout
> diary diary-search shout: 3 orders, 1 result
$ sh build/try diary diary-search smile
> diary diary-search smile: 3 orders, 1 result
# All that go together.
$ sh build/try diary diary-search polite smile
> diary diary-search polite smile: 12 orders, 1 result
$ sh build/try --some brief diary diary-search shout smile
> brief diary diary-search shout smile: 15 orders, 1 result
