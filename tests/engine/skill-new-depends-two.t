# a change within lines of two skills is made on top of both
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- src/app.txt --
one
two
three
four
five
six
seven
-- skills/head/manifest.yaml --
skill: head
version: 1.0.0
core_version: 1.0.0
modifies: [src/app.txt]
-- skills/head/SKILL.md --
Head.
-- skills/head/modify/src/app.txt --
ONE
two
three
four
five
six
seven
-- skills/tail/manifest.yaml --
skill: tail
version: 1.0.0
core_version: 1.0.0
modifies: [src/app.txt]
-- skills/tail/SKILL.md --
Tail.
-- skills/tail/modify/src/app.txt --
one
two
three
four
five
six
SEVEN
== run ==
$ nanoclaw skill apply head tail -q
> head 1.0.0 applied
> tail 1.0.0 applied
$ sed -i 's/ONE/ONE!/; s/SEVEN/SEVEN!/' src/app.txt
$ nanoclaw skill new both --from-changes
> created .claude/skills/both
>   modify   src/app.txt   (on top of head, tail)
>   depends  head
>            tail
> Applied in memory, it gives exactly these changes.
>
> Next:
>   replace the placeholders '<!-- author: … -->' in SKILL.md and modify/*.intent.md
>   nanoclaw skill check .claude/skills/both
>   nanoclaw skill apply both   (the skill then owns your changes)
$ nanoclaw skill check .claude/skills/both
> .claude/skills/both/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/both/modify/src/app.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 1 package checked: 0 errors, 2 warnings
$ mkdir ../copy && cp -r VERSION skills .claude .nanoclaw/base/src ../copy
$ cd ../copy && nanoclaw skill apply both tail head && cat src/app.txt
> tail 1.0.0 applied
>   merged    src/app.txt
> head 1.0.0 applied
>   merged    src/app.txt
> both 1.0.0 applied
>   merged    src/app.txt
> ONE!
> two
> three
> four
> five
> six
> SEVEN!
== after ==
-- src/app.txt --
ONE!
two
three
four
five
six
SEVEN!
