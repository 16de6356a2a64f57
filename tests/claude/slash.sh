#!/bin/sh
# slash.sh NANOCLAW SOURCE: do the slash commands of .claude/skills lead Claude Code to the end?
# On copies of the sample project, with a model that follows them (follow.py). In TAP.
set -u

nanoclaw=$1
source=$2
count=0
failed=0
PATH=$(cd "$(dirname "$nanoclaw")" && pwd):$PATH
export PATH DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1

result() { # CLAIM, with the exit code of what was checked
	code=$?
	count=$((count + 1))
	if [ $code -eq 0 ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		failed=1
		sed 's/^/# /' "$PROJECT/../said" || true
	fi
}

# A fresh project with our slash commands, as the working folder.
begin() { # CONVERSATION
	mkdir "$PROJECT/$1"
	cp -R "$source/examples/postbox/." "$PROJECT/$1"
	rm -r "$PROJECT/$1/.claude" # its resolutions
	mkdir "$PROJECT/$1/.claude"
	cp -R "$source/.claude/skills" "$PROJECT/$1/.claude"
	cd "$PROJECT/$1" || exit 1
	export ANTHROPIC_BASE_URL="$SERVER/follow-$1"
}

# Nothing is allowed to it but what the slash command itself allows.
person() { # WORDS...
	"$NANOCLAW_CLAUDE" -p "$@" </dev/null >"$PROJECT/../said" 2>&1
	cat "$PROJECT/../said"
}

# A new request, for which a person would have to agree again.
answer() { # WORDS
	person --continue "$1" --allowedTools 'Bash(nanoclaw:*)' Read Edit
}

begin apply
nanoclaw -q skill apply shout >/dev/null
[ "$(person '/apply-skill polite')" = DONE ] &&
	[ "$(printf 'hello\n' | ./postbox)" = 'POSTBOX: HELLO! THANK YOU.' ] &&
	nanoclaw status | grep -q '^  polite *1.0.0'
result 'apply-skill: a conflict is settled by what the skills mean, and the skill is applied'
grep -l 'What another skill puts into the answer is in capitals too' "$REQUESTS"/follow-apply-*.json >/dev/null
result 'apply-skill: the intent files of both skills are read first'

begin drift
nanoclaw -q init >/dev/null
echo '# mine' >>lib/answers.sh
[ "$(person '/apply-skill smile')" = 'QUESTION: record your changes first?' ] &&
	[ "$(answer record)" = DONE ] &&
	nanoclaw customize list | grep -q 'answers' && grep -q '^# mine' lib/answers.sh
result 'apply-skill: the person is asked about changes that are not recorded'

begin wrong
person '/apply-skill nonsense' | grep -q '^ENDED: .*nonsense'
result 'apply-skill: an error is told'

begin remove
nanoclaw -q skill apply diary >/dev/null
nanoclaw -q customize start 'a comment' >/dev/null
echo '# mine' >>lib/diary.sh
nanoclaw -q customize commit >/dev/null
[ "$(person '/remove-skill diary')" = "QUESTION: shall 'lib/diary.sh' stay or go?" ] &&
	nanoclaw status | grep -q 'is paused' && [ "$(answer 'let it stay')" = DONE ] &&
	grep -q '^# mine' lib/diary.sh && ! nanoclaw status | grep -q '^  diary'
result 'remove-skill: a file that the person changed is theirs to decide'

begin update
nanoclaw -q skill apply smile >/dev/null
[ "$(person '/update-nanoclaw updates/1.0.0-to-1.1.0')" = 'QUESTION: shall I continue?' ] &&
	[ "$(cat VERSION)" = 1.0.0 ] && [ "$(answer yes)" = DONE ] && [ "$(cat VERSION)" = 1.1.0 ]
result 'update-nanoclaw: looks ahead, asks, and updates'

begin customize
nanoclaw -q init >/dev/null
[ "$(person '/customize say Greetings instead of Hello')" = DONE ] &&
	[ "$(printf 'hello\n' | ./postbox)" = 'Postbox: Greetings!' ] &&
	nanoclaw customize list | grep -q 'Greetings'
result 'customize: the change is made and recorded'

begin debug
nanoclaw -q init >/dev/null
rm .nanoclaw/base/VERSION
person '/debug it does not work' | grep -q '^ENDED: ' &&
	grep -q 'nanoclaw doctor --fix' "$REQUESTS/follow-debug-4.json" && [ ! -e .nanoclaw/base/VERSION ]
result 'debug: looks at everything before it touches anything'

begin setup
printf '#!/bin/sh\nexec nanoclaw start\n' >run # it is built already
chmod +x run
person '/setup' >/dev/null
grep -q 'Hello, I am Andy' "$REQUESTS/follow-setup-2.json" && [ -e store/nanoclaw.db ] &&
	[ "$(nanoclaw --json group config main agent | grep -c claude)" = 1 ]
result 'setup: from nothing to a first answer and a model'

echo "1..$count"
exit $failed
