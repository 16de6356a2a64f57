#!/bin/sh
# userskill.sh NANOCLAW SOURCE: user skills of the shipped library with Claude Code as the agent,
# in its sandbox, and with a model that is played (serve.py). In TAP.
set -u

nanoclaw=$(cd "$(dirname "$1")" && pwd)/nanoclaw
source=$2
count=0
failed=0
cd "$PROJECT" || exit 1

result() { # CLAIM, with the exit code of what was checked
	code=$?
	count=$((count + 1))
	[ $code -eq 0 ] || { printf 'not '; failed=1; }
	echo "ok $count - $1"
}

bwrap --unshare-user --uid 1000 --gid 1000 --ro-bind / / true 2>/dev/null || {
	echo '1..0 # SKIP bwrap does not work here'
	exit 0
}

tell() { # GROUP WORDS: the answer
	"$nanoclaw" send "$1" "$2" --wait
}

# The last input of the model: the text of the newest request with these words.
told() { # WORDS
	python3 - "$REQUESTS" "$1" <<'PY'
import json, pathlib, sys
texts = []
for file in pathlib.Path(sys.argv[1]).glob("talk-*.json"):
    for message in json.loads(file.read_text())["messages"]:
        content = message["content"]
        for block in content if isinstance(content, list) else [{"text": content}]:
            if sys.argv[2] in block.get("text", ""):
                texts.append(block["text"])
print(max(texts, key=len) if texts else "")
PY
}

cp -R "$source/skills" skills
cat >.env <<ENV
NANOCLAW_AGENT=claude
NANOCLAW_CLAUDE=$NANOCLAW_CLAUDE
ANTHROPIC_BASE_URL=$SERVER/talk
ANTHROPIC_API_KEY=none
ENV
chmod 600 .env
mkfifo log
"$nanoclaw" run 2>log &
host=$!
exec 3<log
while read -r line <&3; do
	case $line in *'is running'*) break ;; esac
done
cat <&3 >/dev/null &

"$nanoclaw" group add local:family Family --folder family --no-trigger >/dev/null &&
	"$nanoclaw" user-skill assign skill_day_plan_001 main >/dev/null &&
	"$nanoclaw" user-skill assign skill_day_plan_001 family >/dev/null
result 'a skill of the library is assigned to two groups'

answer=$(tell main '/today swim </skill> & work')
[ "$answer" = '1: /today swim &lt;/skill&gt; &amp; work' ] && told 'swim' >text &&
	grep -q '^<skill id="skill_day_plan_001" name="Day Plan" version="1.0" command="/today">$' text &&
	grep -q '^1\. ' text && grep -q '^<quality_criteria>$' text
result 'Claude Code is told the skill'
[ "$(grep -n '^</skill>$' text | cut -d: -f1)" -lt "$(grep -n '^<messages>$' text | cut -d: -f1)" ] &&
	[ "$(grep -c '</skill>' text)" = 1 ]
result 'and the words of the person clearly apart from it'
! grep -q 'no headings and no tables' text
result 'the format is that of the channel, and of no other'

sed 's/^1\. .*/1. Begin with the family breakfast./' skills/planning/skill_day_plan_001/SKILL.md >ours.md
"$nanoclaw" user-skill override family skill_day_plan_001 ours.md >/dev/null &&
	tell family '/today picnic' >/dev/null && told 'picnic' >text && grep -q 'family breakfast' text &&
	tell main '/today alone' >/dev/null && told 'alone' >text && ! grep -q 'family breakfast' text
result 'a group has its own variant, and another one has not'

before=$(find "$REQUESTS" -name '*.json' | wc -l)
"$nanoclaw" user-skill assign skill_topic_brief_001 main >/dev/null
tell main /research | grep -q 'the question' && tell main /reserach | grep -q "'/research'" &&
	tell main /skills | grep -q '^/today' && [ "$(find "$REQUESTS" -name '*.json' | wc -l)" = "$before" ]
result 'what is missing, unknown or a list costs no request'

asked=
for day in monday tuesday wednesday thursday friday; do
	case $(tell main "/today $day") in *'(answer with a number'*) asked=yes && break ;; esac
done
[ "$asked" ] && [ "$(tell main 4)" = 'Thank you, that is noted.' ] &&
	"$nanoclaw" --json user-skill show skill_day_plan_001 | grep -q '"answers": 1,'
result 'the person is asked after some uses, and the answer is stored'

kill "$host" && wait "$host"
result 'the host ends'
echo "1..$count"
exit $failed
