# The result of an engine scenario must be consistent, also for later operations: saved data is
# complete, a replay into another folder gives the same files, and each skill can be removed.
#
#	sh ending.sh SCENARIO		in its folder; `scenario --ending` calls it
#
# All of it happens in a copy. A scenario that cannot end so says why: "# ending: REASON".
set -u

[ -f .nanoclaw/state.yaml ] || exit 0
if grep -q '^# ending: ' "$1"; then
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -a . "$work/project" && cd "$work/project" || exit 1

fail() {
	echo "$1"
	cat "$work/log"
	exit 1
}
must() { # COMMAND...
	"$@" >"$work/log" 2>&1 </dev/null || fail "exit code $?: $*"
}
# Not with Python: starting it for each scenario would take longer than the rest.
is_empty() { # MEMBER of the status
	nanoclaw status --json >"$work/status"
	grep -qE "^  \"$1\": (null|\\[\\])" "$work/status"
}
skills() {
	sed -n '/^  "skills": \[$/,/^  ]/s/^      "name": "\(.*\)",*$/\1/p' "$work/status"
}

# Paused, or customizing: going back must lead to something that holds together.
if ! is_empty pending; then
	nanoclaw abort >"$work/log" 2>&1 || must nanoclaw customize abort
fi
[ -f .nanoclaw/state.yaml ] || exit 0
# Edits that are not recorded are the person's; what follows is about the record.
if ! is_empty drift; then
	exit 0
fi
must nanoclaw verify
must nanoclaw replay --into "$work/again" --no-test --no-install
is_empty skills || [ -n "$(skills)" ] || fail 'the names of the skills cannot be read'
for skill in $(skills); do
	rm -rf "$work/without"
	cp -a . "$work/without"
	set -- nanoclaw -C "$work/without" --yes skill remove "$skill" --with-dependents --no-test \
		--no-install
	"$@" >"$work/log" 2>&1 </dev/null
	code=$?
	# After a rebase a skill is merged out, and may be too entangled for that.
	if [ $code = 2 ] && grep -q flattened "$work/log"; then
		"$@" --flattened >"$work/log" 2>&1 </dev/null
		code=$?
		[ $code != 1 ] || continue
	fi
	case $code in
	0) must nanoclaw -C "$work/without" verify ;;
	3) must nanoclaw -C "$work/without" abort ;;
	*) fail "exit code $code: skill remove $skill" ;;
	esac
done
