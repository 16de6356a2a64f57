#!/bin/sh
# Random damage to a project with skills, patches and edits; then `doctor --fix`.
#
#	damage.sh NANOCLAW SOURCE SEED ROUNDS
#
# After each: the tree is as the damage left it, to the byte; status, verify and doctor
# are content; another skill can be applied. A round is seen again by its own seed.
set -u

nanoclaw=$(realpath "$1")
source=$(realpath "$2")
seed=$3
rounds=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" LC_ALL=C.UTF-8 GIT_CONFIG_NOSYSTEM=1

# 0 to $1 - 1, in $random
draw() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	random=$((seed / 65536 % $1))
}

quietly() {
	"$@" >"$work/log" 2>&1 || {
		echo "# failed: $*"
		sed 's/^/# /' "$work/log"
		return 1
	}
}

git_commit() {
	git init -q . && git add -A . && git -c user.name=a -c user.email=a@b commit -qm "$1"
}

# One project, with git ($1 is 1) or without, and all kinds of things in it.
make_project() {
	cp -R "$source/examples/postbox" "$work/project$1" && cd "$work/project$1" || return 1
	if [ "$1" = 1 ]; then git_commit core || return 1; fi
	quietly "$nanoclaw" --yes skill apply brief diary --no-test || return 1
	quietly "$nanoclaw" customize start "a longer diary" || return 1
	echo "# a line of a patch" >>postbox
	quietly "$nanoclaw" customize commit || return 1
	quietly "$nanoclaw" --yes skill apply smile diary-search --no-test || return 1
	quietly "$nanoclaw" customize start "tied to diary" --skill diary || return 1
	sed -i '1a # a line of a tied patch' lib/diary.sh
	quietly "$nanoclaw" customize commit || return 1
	if [ "$1" = 1 ]; then git_commit skills || return 1; fi
	echo "# a line of mine" >>lib/answers.sh
	echo "Mine, too." >>README.md
	echo "# new" >lib/mine.sh
}

# One random thing, of what is in the list in $work/names.
hurt() {
	count=$(wc -l <"$work/names")
	draw "$count"
	name=$(sed -n "$((random + 1))p" "$work/names")
	[ -e "$name" ] || return 0
	draw 5
	case "$name-$random" in
	.nanoclaw/*-0) rm -rf "$name" ;;
	.nanoclaw/*-1) [ -f "$name" ] && chmod u+w "$name" && : >"$name" ;;
	.nanoclaw/*-2) [ -f "$name" ] && chmod u+w "$name" && truncate -s 50 "$name" ;;
	.nanoclaw/*-3) [ -f "$name" ] && chmod u+w "$name" && echo "garbage $seed" >>"$name" ;;
	.nanoclaw/*-4) rm -rf "$name" && echo "garbage $seed" >"$name" ;;
	*-0 | *-1) rm -rf "$name" ;;
	*) [ -f "$name" ] && echo "# garbage $seed" >>"$name" ;;
	esac
	echo "# $random $name" >>"$work/done"
}

damage() {
	find . -path ./.git -prune -o -path ./skills -prune -o -print |
		sed 's|^\./||' | grep -v -e '^\.$' -e '^\.nanoclaw$' -e '^\.nanoclaw/index$' |
		sort >"$work/names"
	: >"$work/done"
	draw 6
	for _ in $(seq 0 "$random"); do hurt; done
	# The whole record of something, now and then.
	draw 8
	case $random in
	0) rm -rf .nanoclaw/state.yaml ;;
	1) rm -rf .nanoclaw/base ;;
	2) rm -rf .nanoclaw/base .nanoclaw/base.sha256 .nanoclaw/state.yaml ;;
	3) rm -rf .nanoclaw/objects .nanoclaw/applied ;;
	esac
	echo "# whole: $random" >>"$work/done"
}

same_tree() {
	quietly diff -r --no-dereference -x .nanoclaw -x .git "$work/before" .
}

whole() {
	quietly "$nanoclaw" doctor --fix || return 1
	same_tree || return 1
	quietly "$nanoclaw" status || return 1
	"$nanoclaw" --json verify >"$work/log" 2>&1
	if grep -q '"damage": *true' "$work/log"; then
		sed 's/^/# verify: /' "$work/log"
		return 1
	fi
	quietly "$nanoclaw" doctor || return 1
	# Missing files are restored on request, and nothing else changes.
	quietly "$nanoclaw" --yes doctor --fix || return 1
	if diff -r --no-dereference -x .nanoclaw -x .git "$work/before" . |
		grep -v '^Only in \.' >"$work/log"; then
		sed 's/^/# changed: /' "$work/log"
		return 1
	fi
	rm -rf "$work/before"
	cp -Rp . "$work/before"
	"$nanoclaw" --yes skill apply shout --no-test >"$work/log" 2>&1
	case $? in
	0) return 0 ;;
	3) quietly "$nanoclaw" abort && same_tree ;;
	*) sed "s/^/# shout: /" "$work/log"; return 1 ;;
	esac
}

(make_project 0) || exit 1
git=0
if command -v git >/dev/null; then (make_project 1) && git=1; fi

echo "1..$rounds"
failed=0
for round in $(seq 1 "$rounds"); do
	start=$seed
	draw $((git + 1))
	rm -rf "$work/now" "$work/before"
	cp -Rp "$work/project$random" "$work/now"
	cd "$work/now" || exit 1
	damage
	cp -Rp "$work/now" "$work/before"
	if whole; then
		echo "ok $round - seed $start"
	else
		failed=$((failed + 1))
		cat "$work/done"
		echo "not ok $round - seed $start"
	fi
	seed=$((start + 7919))
done
[ "$failed" = 0 ]
