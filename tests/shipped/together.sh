#!/bin/sh
# together.sh NANOCLAW SOURCE [ORDERS]: all packages in SOURCE/.claude/skills in a copy of that tree, in
# ORDERS random orders of a fixed seed, 2 unless told. Each gives the same tree; with more than 2,
# without one of them it is as if that had never been applied; and an update of the core goes through with all of them, and
# gives the tree of the new core to which they are applied. Prints TAP.
set -u

nanoclaw=$(realpath "$1")
source=$(realpath "$2")
orders=${3:-2}
here=$(mktemp -d "${TMPDIR:-/tmp}/nanoclaw-together.XXXXXX")
trap 'rm -rf "$here"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$here/home"

count=0
failed=0
report() { # CODE CLAIM
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		head -40 "$here/output" | sed 's/^/# /'
		failed=1
	fi
}

if grep -q applied_skills: "$source/.nanoclaw/state.yaml" 2>/dev/null; then
	echo "1..0 # SKIP skills are applied to this tree"
	exit 0
fi
mkdir "$here/home" "$here/core"
tar -C "$source" --exclude='./build*' --exclude=./.git --exclude=./.nanoclaw --exclude=./data \
	--exclude=./groups --exclude=./logs --exclude=./store --exclude=./.env -cf - . |
	tar -C "$here/core" -xf -
cd "$here" || exit 1

run() { # FOLDER ARGUMENT...
	folder=$1
	shift
	"$nanoclaw" -C "$here/$folder" "$@" >"$here/output" 2>&1
}
start() { # FOLDER: a new project
	rm -rf "${here:?}/$1"
	cp -a "$here/core" "$here/$1"
	run "$1" init
}
apply() { # FOLDER SKILL...
	folder=$1
	shift
	run "$folder" skill apply "$@" --no-test --no-rebuild --no-install --allow-commands
}
update() { # FOLDER
	run "$1" update ../new --to 99.0.0 --no-test --no-rebuild --no-install --yes
}
same() { # FOLDER FOLDER
	diff -r --no-dereference -x .nanoclaw "$here/$1" "$here/$2" >"$here/output" 2>&1
}
depends() { # SKILL
	awk '/^[a-z]/ { on = $1 == "depends:" } on && $1 == "-" { print $2 }' \
		"$(grep -lx "skill: $1" core/.claude/skills/*/manifest.yaml)"
}
dependents() { # SKILL
	for other in $skills; do
		depends "$other" | grep -qx "$1" && echo "$other"
	done
}
# shellcheck disable=SC2086
shuffled() { # SEED: all skills, each behind those that it depends on
	printf '%s\n' $skills | awk -v seed="$1" 'BEGIN { srand(seed) } { print rand(), $1 }' | sort |
		while read -r _ skill; do
			depends "$skill"
			echo "$skill"
		done | awk '!seen[$0]++'
}

skills=$(sed -n 's/^skill: //p' core/.claude/skills/*/manifest.yaml)
# Names of skills are words.
# shellcheck disable=SC2046,SC2086
{
	start all && apply all $skills
	report $? "all packages apply together"
	order=1
	while [ "$order" -le "$orders" ]; do
		start other
		for skill in $(shuffled "$order"); do
			apply other "$skill" || break
		done
		same all other
		report $? "in order $order, they give the same tree: $(shuffled "$order" | tr '\n' ' ')"
		order=$((order + 1))
	done
	for skill in $([ "$orders" -le 2 ] || echo $skills); do
		gone=" $skill $(dependents "$skill" | tr '\n' ' ')"
		rest=
		for other in $skills; do
			case $gone in *" $other "*) ;; *) rest="$rest $other" ;; esac
		done
		rm -rf less
		cp -a all less
		start other && apply other $rest &&
			run less skill remove "$skill" --with-dependents --no-test --no-rebuild --yes &&
			run less verify && same less other
		report $? "without '$skill', it is as if that had never been applied"
	done

	# A new core: other lines in files that packages change, a new file, one less, a variable.
	cp -a core new
	echo 99.0.0 >new/VERSION
	sed -i '1a <!-- of the new core -->' new/container/CLAUDE.md
	echo "/* of the new core */" >>new/src/channels/channel.c
	echo "/* new */" >new/src/channels/new_in_core.c
	rm new/docs/undo.md
	printf '# of the new core\nNEW_IN_CORE=1\n' >new/.env.example
	update all && run all verify && [ -e all/src/channels/new_in_core.c ] &&
		grep -q NEW_IN_CORE all/.env.example && grep -q "of the new core" all/container/CLAUDE.md &&
		grep -q "has heard the text" all/container/CLAUDE.md &&
		grep -q "pdftotext -f" all/container/CLAUDE.md
	report $? "an update of the core goes through with all of them"
	# Of the two that change the same place in one file, the resolution is for the old file.
	most=$(printf '%s\n' $skills | grep -vx pdf-reader)
	start all && apply all $most && update all && start other && update other &&
		apply other $most && same all other
	report $? "and gives the tree of the new core to which they are applied"
}
echo "1..$count"
exit $failed
