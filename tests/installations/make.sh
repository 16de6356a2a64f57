#!/bin/sh
# Makes the installations that installations.py tests: one NAME.tar.gz each.
#
#	make.sh NANOCLAW NANOCLAW_FAULTY [NAME...]
#
# An archive is frozen once it is committed: it shows what the program wrote at that time, and
# later programs have to read it. Do not remake old ones. To add one, write a make_ function
# here and a NAME.expected with the commands to try, then run installations.py --record.
# The same program always makes the same bytes.
#
# An archive holds:
#
#	p/		the project; commands run there
#	next/		a newer core, 2.0.0
#	newer/		newer versions of packages (some archives only)
#	resolve		`sh ../resolve FILE` resolves conflicts by keeping both sides
#
# NANOCLAW_FAULTY is tests/nanoclaw-faulty in the build folder; the killed installations need it.
# shellcheck disable=SC2104 # 'run continue' is no continue of the shell
set -eu

nanoclaw=$(realpath "$1")
faulty=$(realpath "$2")
shift 2
out=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/home"
ln -s "$nanoclaw" "$work/bin/nanoclaw"
PATH=$work/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
HOME=$work/home
LC_ALL=C.UTF-8 TZ=UTC SOURCE_DATE_EPOCH=981173106
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export PATH HOME LC_ALL TZ SOURCE_DATE_EPOCH GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
umask 022

# --- the project they all start from -------------------------------------------

# numbered NAME COUNT: "NAME 1", "NAME 2", ...
numbered() {
	i=1
	while [ $i -le "$2" ]; do
		echo "$1 $i"
		i=$((i + 1))
	done
}

# write PATH: a file from standard input
write() {
	mkdir -p "$(dirname "$1")"
	cat >"$1"
}

# core FOLDER VERSION
core() {
	echo "$2" | write "$1/VERSION"
	numbered a 24 | write "$1/src/a.txt"
	numbered b 16 | write "$1/src/b.txt"
	numbered old 12 | write "$1/src/old.txt"
	numbered lib 12 | write "$1/src/lib.txt"
	echo c | write "$1/src/gone/c.txt"
	printf '#!/bin/sh\necho tool\n' | write "$1/tool"
	chmod 755 "$1/tool"
	printf '\000\001\002\n' | write "$1/logo"
	ln -s src/a.txt "$1/link"
	echo '*.log' | write "$1/.gitignore"
}

begin() {
	rm -rf "$work/all"
	mkdir "$work/all"
	cd "$work/all"
	core p 1.0.0
	core next 2.0.0
	sed -i 's/^a 12$/a 12 next/' next/src/a.txt
	sed -i 's/^b 16$/b 16 next/' next/src/b.txt
	echo next | write next/src/next.txt
	rm -r next/src/gone
	cat >resolve <<'END'
sed -i '/^<<<<<<< /d; /^||||||| /,/^=======$/d; /^>>>>>>> /d' "$@"
END
	skill p/skills extra 1.0.0 <<'END'
adds: [extra/e.txt]
modifies: [src/a.txt]
test: grep -q extra src/a.txt && test -f extra/e.txt
END
	echo extra | write p/skills/extra/add/extra/e.txt
	modify p/skills/extra src/a.txt 's/^a 21$/& extra/'
}

# skill FOLDER NAME VERSION: standard input is the rest of the manifest
skill() {
	{
		printf 'skill: %s\nversion: %s\ncore_version: 1.0.0\n' "$2" "$3"
		cat
	} | write "$1/$2/manifest.yaml"
	echo "# $2" | write "$1/$2/SKILL.md"
}

# modify PACKAGE PATH SED [FILE]: the package's version of a core file, or of FILE
modify() {
	sed "$3" "${4:-p/$2}" | write "$1/modify/$2"
}

# telegram and discord change different lines of src/a.txt; telegram also has a test.
telegram() {
	skill p/skills telegram 1.0.0 <<'END'
adds: [src/telegram.txt, bin/send]
modifies: [src/a.txt]
test: grep -q telegram src/a.txt
END
	numbered telegram 12 | write p/skills/telegram/add/src/telegram.txt
	printf '#!/bin/sh\necho send\n' | write p/skills/telegram/add/bin/send
	chmod 755 p/skills/telegram/add/bin/send
	modify p/skills/telegram src/a.txt 's/^a 3$/&\ntelegram/'
}

discord() {
	skill p/skills discord 1.0.0 <<'END'
modifies: [src/a.txt, src/b.txt]
END
	modify p/skills/discord src/a.txt 's/^a 8$/& discord/'
	modify p/skills/discord src/b.txt 's/^b 2$/& discord/'
}

# signal conflicts with telegram in src/a.txt.
signal() {
	skill p/skills signal 1.0.0 <<'END'
adds: [src/signal.txt]
modifies: [src/a.txt, src/b.txt]
END
	echo signal | write p/skills/signal/add/src/signal.txt
	modify p/skills/signal src/a.txt 's/^a 3$/&\nsignal/'
	modify p/skills/signal src/b.txt 's/^b 5$/& signal/'
}

# telegram 2.0.0 no longer adds bin/send, and changes src/b.txt too.
newer_telegram() {
	skill newer telegram 2.0.0 <<'END'
adds: [src/telegram.txt]
modifies: [src/a.txt, src/b.txt]
test: grep -q 'telegram two' src/a.txt
END
	numbered telegram 12 | sed 's/^telegram 2$/& two/' | write newer/telegram/add/src/telegram.txt
	modify newer/telegram src/a.txt 's/^a 3$/&\ntelegram two/'
	modify newer/telegram src/b.txt 's/^b 9$/& telegram/'
}

# run [-N] ARGUMENTS...: runs nanoclaw in the project and expects exit code N (0)
run() {
	wanted=0
	case $1 in
	-[0-9]*)
		wanted=${1#-}
		shift
		;;
	esac
	ended=0
	nanoclaw -C p -q --yes "$@" >"$work/output" 2>&1 </dev/null || ended=$?
	if [ $ended -ne "$wanted" ]; then
		echo "nanoclaw $*: exit code $ended" >&2
		cat "$work/output" >&2
		exit 1
	fi
}

# killed FILE CHANGED ARGUMENTS...: kills nanoclaw at the first system call at which
# .nanoclaw/tx/FILE exists and, if CHANGED is not empty, p/CHANGED has changed
killed() {
	left=$1
	changed=$2
	shift 2
	mv p before
	n=0
	while :; do
		n=$((n + 1))
		rm -rf p
		cp -a before p
		ended=0
		NANOCLAW_FAULT="kill $n" "$faulty" -C p -q --yes "$@" >/dev/null 2>&1 </dev/null || ended=$?
		if [ $ended -ne 137 ]; then
			echo "nanoclaw $*: '$left' never appears" >&2
			exit 1
		fi
		[ -e "p/.nanoclaw/tx/$left" ] || continue
		[ -z "$changed" ] || ! cmp -s "p/$changed" "before/$changed" || continue
		break
	done
	rm -rf before
}

# --- skills ------------------------------------------------------

make_one() { # one skill with a test
	telegram
	newer_telegram
	run skill apply telegram
}

make_overlap() { # three skills change the same file
	telegram
	discord
	newer_telegram
	skill p/skills third 1.0.0 <<'END'
modifies: [src/a.txt]
END
	modify p/skills/third src/a.txt 's/^a 14$/& third/'
	run skill apply telegram discord
	run skill apply third
}

make_layers() { # skills that modify files added by other skills
	telegram
	newer_telegram
	skill p/skills reactions 1.0.0 <<'END'
depends: [telegram]
adds: [src/reactions.txt]
modifies: [src/telegram.txt]
END
	numbered reactions 12 | write p/skills/reactions/add/src/reactions.txt
	modify p/skills/reactions src/telegram.txt 's/^telegram 6$/& reactions/' \
		p/skills/telegram/add/src/telegram.txt
	skill p/skills filters 1.0.0 <<'END'
depends: [reactions]
modifies: [src/telegram.txt, src/reactions.txt]
END
	modify p/skills/filters src/telegram.txt 's/^telegram 10$/& filters/' \
		p/skills/reactions/modify/src/telegram.txt
	modify p/skills/filters src/reactions.txt 's/^reactions 3$/& filters/' \
		p/skills/reactions/add/src/reactions.txt
	run skill apply telegram reactions
	run skill apply filters
}

# --- custom patches --------------------------------------------------------------

make_patches() { # custom patches before, between and after skills
	telegram
	discord
	newer_telegram
	run init
	run customize start 'first of mine'
	sed -i 's/^a 18$/& mine/' p/src/a.txt
	run customize commit
	run skill apply telegram
	run customize start 'files of mine'
	echo mine | write p/mine/m.txt
	rm p/src/lib.txt
	sed -i 's/^telegram 9$/& mine/' p/src/telegram.txt
	run customize commit
	run skill apply discord
	sed -i 's/^b 13$/& mine/' p/src/b.txt
	run customize start --on-drift record 'last of mine'
	sed -i 's/^a 8 discord$/& mine/; s/^b 13 mine$/& again/' p/src/a.txt p/src/b.txt
	run customize commit
}

make_tied() { # custom patches tied to skills
	telegram
	discord
	newer_telegram
	run skill apply discord
	run skill apply telegram --customize 'groups only'
	sed -i 's/^telegram 4$/& groups/' p/src/telegram.txt
	run customize commit
	run customize start --skill telegram 'another one'
	sed -i 's/^telegram$/telegram, mine/' p/src/a.txt
	run customize commit
	run customize start --skill discord 'of the other'
	sed -i 's/^b 2 discord$/& mine/' p/src/b.txt
	run customize commit
}

# --- file operations -------------------------------------------------------------

make_file_ops() { # rename, move and delete, with a patch and a skill on top; the skill uses the old names
	telegram
	skill p/skills tidy 1.0.0 <<'END'
modifies: [src/new.txt]
file_ops:
  - {type: rename, from: src/old.txt, to: src/new.txt}
  - {type: move, from: src/lib.txt, to: lib/deep/lib.txt}
  - {type: delete, path: src/gone/c.txt}
END
	modify p/skills/tidy src/new.txt 's/^old 2$/& tidy/' p/src/old.txt
	skill p/skills late 1.0.0 <<'END'
modifies: [src/old.txt, src/lib.txt]
END
	modify p/skills/late src/old.txt 's/^old 8$/& late/'
	modify p/skills/late src/lib.txt 's/^lib 8$/& late/'
	skill newer tidy 2.0.0 <<'END'
modifies: [src/new.txt]
file_ops:
  - {type: rename, from: src/old.txt, to: src/new.txt}
  - {type: move, from: src/lib.txt, to: lib/lib.txt}
END
	sed 's/^old 2$/& tidy two/' p/src/old.txt | write newer/tidy/modify/src/new.txt
	run skill apply tidy telegram
	run customize start 'under the new name'
	sed -i 's/^lib 4$/& mine/' p/lib/deep/lib.txt
	run customize commit
	run skill apply late
}

# --- structured parts ------------------------------------------------------------

structured_core() {
	for root in p next; do
		write $root/package.json <<'END'
{
  "name": "postbox",
  "version": "1.0.0",
  "dependencies": {
    "zod": "^3.22.0"
  }
}
END
		printf '# Where it listens\nPORT=8080\n' | write $root/.env.example
		write $root/docker-compose.yml <<'END'
# what runs beside it
services:
  web: # the page
    image: nginx:alpine
    ports: ["8080:80"]
END
	done
	sed -i 's/"version": "1.0.0"/"version": "2.0.0"/' next/package.json
	sed -i '1i NEXT=1' next/.env.example
	skill p/skills telegram 1.0.0 <<'END'
structured:
  npm_dependencies: {grammy: "^1.39.3", zod: ">=3.22.4"}
  env_additions:
    - TELEGRAM_BOT_TOKEN
    - {name: TELEGRAM_ONLY, default: "false", comment: Answer on Telegram only}
  docker_compose_services:
    telegram-redis: {image: "redis:alpine", ports: ["6380:6379"], volumes: ["redis-data:/data"]}
  system_packages: [ffmpeg, ca-certificates]
END
	skill p/skills discord 1.0.0 <<'END'
adds: [src/discord.txt]
structured:
  npm_dependencies: {discord.js: "^14.18.0", zod: "^3.20.0"}
  env_additions: [DISCORD_BOT_TOKEN, TELEGRAM_BOT_TOKEN]
  docker_compose_services:
    discord-db: {image: "postgres:16", ports: ["5433:5432"]}
  system_packages: [ffmpeg, sqlite3]
END
	echo discord | write p/skills/discord/add/src/discord.txt
	skill newer telegram 2.0.0 <<'END'
structured:
  npm_dependencies: {grammy: "^1.40.0"}
  env_additions: [TELEGRAM_BOT_TOKEN, TELEGRAM_GROUP]
  system_packages: [curl]
END
}

make_structured() { # every structured part, from two skills that share some, and a custom patch
	structured_core
	run skill apply --no-install telegram
	run skill apply --no-install discord
	run customize start 'a dependency of mine'
	sed -i 's/^    "zod"/    "mine": "1.0.0",\n&/' p/package.json
	echo 'MINE=1' >>p/.env.example
	run customize commit
}

make_structured_clash() { # two skills wanted different versions; resolved
	structured_core
	sed -i 's/zod: "^3.20.0"/zod: "^3.20.0", grammy: "^2.0.0"/' p/skills/discord/manifest.yaml
	run skill apply --no-install telegram
	run -3 skill apply --no-install discord
	sed -i '/^<<<<<<< /d; /^|||||||/,/^>>>>>>> /d' p/package.json
	run continue --no-install
}

# --- rebased and updated ---------------------------------------------------------

make_rebased() { # rebased: skills, patches and drift; then a skill and a patch on top
	telegram
	discord
	newer_telegram
	run skill apply telegram discord
	run customize start 'mine'
	sed -i 's/^a 18$/& mine/' p/src/a.txt
	echo mine | write p/mine.txt
	run customize commit
	sed -i 's/^b 13$/& unrecorded/' p/src/b.txt
	run rebase
	run skill apply extra
	run customize start 'after it'
	sed -i 's/^a 15$/& after/' p/src/a.txt
	run customize commit
}

middle_core() {
	core middle 1.5.0
	sed -i 's/^a 1$/& middle/' middle/src/a.txt
	mv middle/src/old.txt middle/src/new.txt
	sed -i 's/^old 11$/& middle/' middle/src/new.txt
	mv next/src/old.txt next/src/new.txt
	sed -i 's/^old 11$/& middle/' next/src/new.txt
	sed -i 's/^a 1$/& middle/' next/src/a.txt
}

make_rebased_core() { # rebased onto a new core that renames a file
	telegram
	discord
	middle_core
	skill p/skills late 1.0.0 <<'END'
modifies: [src/old.txt]
END
	modify p/skills/late src/old.txt 's/^old 4$/& late/'
	run skill apply telegram discord late
	run customize start 'mine'
	sed -i 's/^a 18$/& mine/' p/src/a.txt
	run customize commit
	run rebase ../middle
	rm -r middle
}

make_updated() { # updated by a package with a rename and a remap; the earlier core is kept
	telegram
	middle_core
	skill p/skills before 1.0.0 <<'END'
modifies: [src/old.txt]
END
	modify p/skills/before src/old.txt 's/^old 4$/& before/'
	skill p/skills after 1.0.0 <<'END'
modifies: [src/old.txt, src/a.txt]
END
	modify p/skills/after src/old.txt 's/^old 8$/& after/'
	modify p/skills/after src/a.txt 's/^a 24$/& after/'
	package=p/updates/1.0.0-to-1.5.0
	echo '# 1.5' | write $package/migration.md
	for path in VERSION src/a.txt src/new.txt; do
		write $package/files/$path <middle/$path
	done
	echo '- {type: rename, from: src/old.txt, to: src/new.txt}' | write $package/file_ops
	printf 'src/old.txt: src/new.txt\nsrc/moved.txt: src/lib.txt\n' | write $package/path_remap
	rm -r middle
	run skill apply telegram before
	run customize start 'mine'
	sed -i 's/^old 6$/& mine/' p/src/old.txt
	run customize commit
	run update updates/1.0.0-to-1.5.0
}

make_migrated() { # updated with two migration skills; another skill modifies a file that one of them adds
	telegram
	core middle 1.5.0
	sed -i 's/^b 4$/b 4 the new default/' middle/src/b.txt
	rm middle/src/lib.txt next/src/lib.txt
	sed -i 's/^b 4$/b 4 the new default/' next/src/b.txt
	cat >middle/migrations.yaml <<'END'
- since: 1.2.0
  skill: keep-default@1.0.0
  description: "Preserves the old default"
- since: 1.5.0
  skill: add-lib@2.0.0
  description: "Preserves lib (moved from core to skill in 1.5)"
END
	cp middle/migrations.yaml next
	skill middle/skills keep-default 1.0.0 <<'END'
modifies: [src/b.txt]
test: grep -qx 'b 4' src/b.txt
END
	sed -i 's/^core_version: .*/core_version: 1.5.0/' middle/skills/keep-default/manifest.yaml
	sed 's/^b 4 the new default$/b 4/' middle/src/b.txt |
		write middle/skills/keep-default/modify/src/b.txt
	skill middle/skills add-lib 2.0.0 <<'END'
adds: [src/lib.txt]
END
	sed -i 's/^core_version: .*/core_version: 1.5.0/' middle/skills/add-lib/manifest.yaml
	numbered lib 12 | sed 's/^lib 12$/& fixed/' | write middle/skills/add-lib/add/src/lib.txt
	skill p/skills late 1.0.0 <<'END'
modifies: [src/b.txt, src/lib.txt]
END
	modify p/skills/late src/b.txt 's/^b 8$/& late/'
	modify p/skills/late src/lib.txt 's/^lib 6$/& late/'
	run skill apply telegram late
	sed -i 's/^lib 2$/& mine/' p/src/lib.txt
	run update ../middle
	rm -r middle
}

make_skill_updated() { # a skill was updated; it has a tied patch and another skill above it
	telegram
	discord
	newer_telegram
	run skill apply telegram discord
	run customize start --skill telegram 'the last one'
	sed -i 's/^telegram 11$/& mine/' p/src/telegram.txt
	run customize commit
	rm -r p/skills/telegram
	cp -r newer/telegram p/skills
	run skill update
	rm -r newer
	skill newer telegram 3.0.0 <<'END'
modifies: [src/a.txt]
END
	modify newer/telegram src/a.txt 's/^a 3$/&\ntelegram three/'
}

# --- kinds of files --------------------------------------------------------------

make_kinds() { # binary files, links, executable bits, deleted files, CRLF, from a skill and a patch
	skill p/skills kinds 1.0.0 <<'END'
adds: [new/tool, new/data, empty]
modifies: [logo, src/b.txt, src/lib.txt]
file_ops: [{type: delete, path: src/old.txt}]
END
	printf '#!/bin/sh\n' | write p/skills/kinds/add/new/tool
	chmod 755 p/skills/kinds/add/new/tool
	printf '\377\000\001\n' | write p/skills/kinds/add/new/data
	write p/skills/kinds/add/empty </dev/null
	printf '\000\001\003\n' | write p/skills/kinds/modify/logo
	write p/skills/kinds/modify/src/b.txt <p/src/b.txt
	chmod 755 p/skills/kinds/modify/src/b.txt
	modify p/skills/kinds src/lib.txt 's/^lib 2$/& kinds/;s/$/\r/;$!b;s/lib 12.*/lib 12/'
	echo 'no part of the core' >p/debug.log
	ln -s nowhere p/dangling
	ln -s src/gone p/folder
	printf 'no newline at the end' | write 'p/src/a name with ü'
	run init
	run customize start 'kinds of mine'
	rm p/link
	ln -s src/b.txt p/link
	chmod 644 p/tool
	chmod 755 p/src/a.txt
	printf '\001\000\001\n' | write p/mine.bin
	ln -s ../tool p/src/mine
	rm p/src/gone/c.txt
	run customize commit
	run skill apply kinds
}

# --- resolved conflicts -------------------------------------------------

make_resolution_recorded() { # a resolved conflict, recorded in .nanoclaw and in .claude; one skill is gone again
	telegram
	signal
	discord
	run skill apply telegram
	run -3 skill apply signal
	sh resolve p/src/a.txt
	run continue
	run resolution record
	run resolution record --source maintainer --into .claude/resolutions
	run skill remove signal
	run skill apply discord
}

make_resolution_shipped() { # a resolution in .claude/resolutions for a conflict that has not come up yet
	make_resolution_recorded
	rm -r p/.nanoclaw p/bin p/src/telegram.txt
	numbered a 24 >p/src/a.txt
	numbered b 16 >p/src/b.txt
	run skill apply telegram
}

make_resolution_imported() { # a resolution in .nanoclaw/resolutions for a conflict that has not come up yet
	make_resolution_recorded
	mv p/.claude/resolutions from
	rmdir p/.claude
	rm -r p/.nanoclaw p/bin p/src/telegram.txt
	numbered a 24 >p/src/a.txt
	numbered b 16 >p/src/b.txt
	run skill apply telegram
	run resolution import "$PWD/from"
	rm -r from
}

make_resolved_by_hand() { # a conflict resolved with an extra line; another skill on top
	telegram
	signal
	discord
	run skill apply telegram
	run -3 skill apply signal
	sh resolve p/src/a.txt
	sed -i 's/^signal$/&\nmine, between/' p/src/a.txt
	run continue
	run skill apply discord
}

# --- drift -----------------------------------------------------------------------

make_drift() { # unrecorded edits of every kind
	telegram
	discord
	newer_telegram
	run skill apply telegram discord
	sed -i 's/^a 18$/& mine/' p/src/a.txt
	sed -i 's/^telegram 9$/& mine/' p/src/telegram.txt
	rm p/src/lib.txt
	chmod 755 p/src/b.txt
	echo mine >p/src/mine.txt
	rm p/link
	ln -s tool p/link
}

make_drift_left() { # edits left unrecorded by --on-drift continue
	telegram
	discord
	newer_telegram
	run init
	sed -i 's/^a 18$/& mine/; s/^b 2$/& mine/' p/src/a.txt
	run skill apply --on-drift continue telegram
	sed -i 's/^b 14$/& mine/' p/src/b.txt
	run skill apply --on-drift continue discord
}

# --- history ---------------------------------------------------------------------

make_history() { # nine operations that can be undone
	telegram
	discord
	newer_telegram
	core middle 1.5.0
	sed -i 's/^a 1$/& middle/' middle/src/a.txt
	sed -i 's/^a 1$/& middle/' next/src/a.txt
	run init
	run skill apply telegram discord
	run customize start 'mine'
	sed -i 's/^a 18$/& mine/' p/src/a.txt
	run customize commit
	run skill remove discord
	run update ../middle
	rm -r p/skills/telegram
	cp -r newer/telegram p/skills
	run skill update
	run rebase
	run skill apply extra
	rm -r middle newer
}

# --- paused ----------------------------------------------------------------------

make_paused_apply() { # an apply with a conflict
	telegram
	signal
	run skill apply telegram
	run -3 skill apply signal
}

make_paused_edited() { # an apply with a conflict; other files were edited before and since
	telegram
	signal
	run skill apply telegram
	sed -i 's/^b 13$/& before/' p/src/b.txt
	run -3 skill apply --on-drift continue signal
	sed -i 's/^b 15$/& since/' p/src/b.txt
	echo since >p/since.txt
}

make_paused_batch() { # a batch: the second of three skills conflicts, the third is pending
	telegram
	signal
	discord
	run -3 skill apply telegram signal discord
}

make_paused_twice() { # a batch that paused, was continued and paused again
	telegram
	signal
	skill p/skills last 1.0.0 <<'END'
adds: [last.txt]
modifies: [src/b.txt]
END
	echo last | write p/skills/last/add/last.txt
	modify p/skills/last src/b.txt 's/^b 5$/& last/'
	run -3 skill apply telegram signal last
	sh resolve p/src/a.txt
	run -3 continue
}

make_paused_decision() { # a skill deletes an edited file
	skill p/skills tidy 1.0.0 <<'END'
adds: [tidy.txt]
file_ops: [{type: delete, path: src/old.txt}]
END
	echo tidy | write p/skills/tidy/add/tidy.txt
	run init
	sed -i 's/^old 3$/& mine/' p/src/old.txt
	run -3 skill apply --on-drift continue tidy
}

make_paused_binary() { # a conflict in a binary file
	skill p/skills logo 1.0.0 <<'END'
modifies: [logo, src/a.txt]
END
	printf '\000\001\003\n' | write p/skills/logo/modify/logo
	modify p/skills/logo src/a.txt 's/^a 5$/& logo/'
	run init
	printf '\000\011\011\n' >p/logo
	run -3 skill apply --on-drift continue logo
}

make_paused_structured() { # two skills want different versions
	structured_core
	sed -i 's/zod: "^3.20.0"/zod: "^3.20.0", grammy: "^2.0.0"/' p/skills/discord/manifest.yaml
	run skill apply --no-install telegram
	run -3 skill apply --no-install discord
}

make_paused_remove() { # a removal: a line of the skill was edited
	telegram
	discord
	run skill apply telegram discord
	sed -i 's/^telegram$/telegram, mine/' p/src/a.txt
	run -3 skill remove --on-drift continue telegram
}

make_paused_update() { # a core update with a conflict, a migration and a rename
	telegram
	discord
	core middle 1.5.0
	sed -i 's/^a 4$/& middle/; s/^a 3$/& middle/' middle/src/a.txt
	sed -i 's/^a 4$/& middle/; s/^a 3$/& middle/' next/src/a.txt
	mv middle/src/old.txt middle/src/new.txt
	mv next/src/old.txt next/src/new.txt
	sed -i 's/^b 12$/b 12 the new default/' middle/src/b.txt next/src/b.txt
	cat >middle/migrations.yaml <<'END'
- since: 1.5.0
  skill: keep-default@1.0.0
  description: "Preserves the old default"
END
	cp middle/migrations.yaml next
	skill middle/skills keep-default 1.0.0 <<'END'
modifies: [src/b.txt]
END
	sed -i 's/^core_version: .*/core_version: 1.5.0/' middle/skills/keep-default/manifest.yaml
	sed 's/^b 12 .*/b 12/' middle/src/b.txt | write middle/skills/keep-default/modify/src/b.txt
	run skill apply telegram discord
	run customize start 'mine'
	sed -i 's/^old 6$/& mine/' p/src/old.txt
	run customize commit
	run -3 update ../middle
	rm -r middle
}

make_paused_rebase() { # a rebase onto a new core with a conflict
	telegram
	core middle 1.5.0
	sed -i 's/^a 4$/& middle/; s/^a 3$/& middle/' middle/src/a.txt
	sed -i 's/^a 4$/& middle/; s/^a 3$/& middle/' next/src/a.txt
	run skill apply telegram
	run -3 rebase ../middle
	rm -r middle
}

make_paused_skill_update() { # a skill update: a custom patch changes the same line
	telegram
	discord
	newer_telegram
	run skill apply telegram discord
	run customize start 'mine'
	sed -i 's/^telegram$/telegram, mine/' p/src/a.txt
	run customize commit
	rm -r p/skills/telegram
	cp -r newer/telegram p/skills
	run -3 skill update
	rm -r newer
}

make_customizing() { # customize start, then edits
	telegram
	run skill apply telegram
	run customize start 'mine'
	sed -i 's/^a 18$/& mine/' p/src/a.txt
	echo mine | write p/mine/m.txt
	rm p/src/lib.txt
}

make_customizing_tied() { # customize start --skill, then an edit; there was drift before
	telegram
	run skill apply telegram
	sed -i 's/^b 9$/& before/' p/src/b.txt
	run customize start --skill telegram --on-drift continue 'tied'
	sed -i 's/^telegram 5$/& tied/' p/src/telegram.txt
}

# --- killed ----------------------------------------------------------------------

make_killed_apply_staged() { # killed before the first change
	telegram
	discord
	run skill apply telegram
	killed stage '' skill apply discord
}

make_killed_apply_back() { # killed halfway: rolls back
	telegram
	discord
	run skill apply telegram
	killed journal src/b.txt skill apply discord
}

make_killed_apply_forward() { # killed after the commit: rolls forward
	telegram
	discord
	run skill apply telegram
	killed "done" '' skill apply discord
}

make_killed_apply_edited() { # killed halfway, then a file was edited
	telegram
	discord
	run skill apply telegram
	killed journal src/b.txt skill apply discord
	sed -i 's/^b 15$/& since/' p/src/b.txt
}

make_killed_remove_back() { # killed halfway through a removal
	telegram
	discord
	run skill apply telegram discord
	killed journal src/telegram.txt skill remove telegram
}

make_killed_update_back() { # killed halfway through a core update
	telegram
	run skill apply telegram
	killed journal src/b.txt update ../next
}

make_killed_update_forward() { # killed after the commit of a core update
	telegram
	run skill apply telegram
	killed "done" '' update ../next
}

make_killed_undo_back() { # killed halfway through an undo
	telegram
	run skill apply telegram
	killed journal src/a.txt undo
}

make_killed_undo_forward() { # killed after the commit of an undo
	telegram
	run skill apply telegram
	killed undone '' undo
}

make_killed_pause() { # killed after the commit of a pause
	telegram
	signal
	run skill apply telegram
	killed paused '' skill apply signal
}

make_killed_abort() { # killed halfway through an abort
	telegram
	signal
	run skill apply telegram
	run -3 skill apply signal
	killed aborting src/a.txt abort
}

make_killed_continue() { # killed halfway through a continue, conflicts resolved
	telegram
	signal
	run skill apply telegram
	run -3 skill apply signal
	sh resolve p/src/a.txt
	killed journal .nanoclaw/state.yaml continue
}

make_killed_commit() { # killed halfway through a customize commit
	telegram
	run skill apply telegram
	run customize start 'mine'
	sed -i 's/^a 18$/& mine/' p/src/a.txt
	killed journal .nanoclaw/state.yaml customize commit
}

# --- v0.1, written by the TypeScript engine ----------------------------------------

hash() {
	sha256sum "$1" | cut -d' ' -f1
}

# v01_state KEY: KEY is "name" or "skill"; v0.1 has both
v01_state() {
	cat <<END
skills_system_version: "0.1.0"
core_version: 1.0.0
applied_skills:
  - $1: telegram
    version: 1.0.0
    applied_at: 2026-02-16T22:47:02.139Z
    file_hashes:
      src/telegram.txt: "$(hash p/src/telegram.txt)"
      bin/send: "$(hash p/bin/send)"
      src/a.txt: "$(hash after-telegram)"
$structured
  - $1: discord
    version: 1.0.0
    applied_at: 2026-02-17T17:29:37.821Z
    file_hashes:
      src/a.txt: "$(hash p/src/a.txt)"
      src/b.txt: "$(hash p/src/b.txt)"
END
	rm after-telegram
}

# The tree, the base and the packages of a v0.1 installation
v01_project() {
	telegram
	discord
	newer_telegram
	structured='    structured_outcomes: {test: "grep -q telegram src/a.txt"}'
	run init
	cp -a p/.nanoclaw/base base
	run skill apply telegram
	cp p/src/a.txt after-telegram
	run skill apply discord
	rm -r p/.nanoclaw
	mkdir p/.nanoclaw
	mv base p/.nanoclaw
}

make_v01() { # a v0.1 state, without contents
	v01_project
	v01_state name >p/.nanoclaw/state.yaml
}

make_v01_no_packages() { # a v0.1 state with 'skill:' instead of 'name:'; the packages are gone
	v01_project
	v01_state skill >p/.nanoclaw/state.yaml
	rm -r p/skills/telegram p/skills/discord
}

make_v01_patch() { # a v0.1 state with a custom patch
	v01_project
	v01_state name >p/.nanoclaw/state.yaml
	cat >>p/.nanoclaw/state.yaml <<'END'
custom_modifications:
  - description: "Added a line"
    applied_at: 2026-02-18T12:00:00Z
    files_modified:
      - src/a.txt
    patch_file: .nanoclaw/custom/001-added-a-line.patch
END
	sed -i 's/^a 18$/& mine/' p/src/a.txt
	write p/.nanoclaw/custom/001-added-a-line.patch <<'END'
diff --git a/src/a.txt b/src/a.txt
index 1111111..2222222 100644
--- a/src/a.txt
+++ b/src/a.txt
@@ -16,7 +16,7 @@
 a 15
 a 16
 a 17
-a 18
+a 18 mine
 a 19
 a 20
 a 21
END
}

make_v01_structured() { # a v0.1 state with structured parts
	v01_project
	structured='    structured_outcomes:
      npm_dependencies:
        grammy: "^1.39.3"
      env_additions:
        - TELEGRAM_BOT_TOKEN
      test: "grep -q telegram src/a.txt"'
	v01_state name >p/.nanoclaw/state.yaml
	cat >>p/skills/telegram/manifest.yaml <<'END'
structured:
  npm_dependencies: {grammy: "^1.39.3"}
  env_additions: [TELEGRAM_BOT_TOKEN]
END
	for root in p p/.nanoclaw/base next; do
		printf '{\n  "name": "postbox",\n  "dependencies": {\n    "zod": "^3.22.0"\n  }\n}\n' \
			>$root/package.json
		echo PORT=8080 >$root/.env.example
	done
	sed -i 's/^    "zod"/    "grammy": "^1.39.3",\n&/' p/package.json
	printf '\n# Skill: telegram\nTELEGRAM_BOT_TOKEN=\n' >>p/.env.example
}

# -----------------------------------------------------------------------------------

# The index is a cache of times and inode numbers. A pause records absolute paths of packages;
# installations.py replaces @HERE@ with the folder it unpacks into.
pack() {
	rm -f p/.nanoclaw/index
	find p/.nanoclaw -name pause.yaml -exec sed -i "s#$work/all/#@HERE@/#" {} +
	tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - -- * |
		gzip -9n >"$out/$1.tar.gz"
}

# shellcheck disable=SC2046 # a list of words
[ $# -gt 0 ] || set -- $(sed -n 's/^make_\([a-z0-9_]*\)().*/\1/p' "$0" | tr _ -)

for name; do
	begin
	"make_$(echo "$name" | tr - _)"
	pack "$name"
done
