# a package can be created from commits, with an installation or without
needs: git
ignore: .git
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- src/app.txt --
one
two
three
-- src/old.txt --
first
second
third
fourth
== run ==
$ git init -q && git add -A && git commit -q -m one && git tag v1
$ sed -i 's/two/2/' src/app.txt && git mv src/old.txt src/new.txt && git commit -q -a -m two
$ echo more > src/more.txt && git add -A && git commit -q -m three
$ git status --short && git rev-parse HEAD > ../before
$! nanoclaw skill new both --from-changes v1..HEAD
> created .claude/skills/both
>   modify   src/app.txt
>   add      src/more.txt
>   rename   src/old.txt -> src/new.txt
> Applied in memory, it gives exactly these changes.
>
> Next:
>   replace the placeholders '<!-- author: … -->' in SKILL.md and modify/*.intent.md
>   nanoclaw skill check .claude/skills/both
$ nanoclaw skill new last --from-changes HEAD -q && cat .claude/skills/last/manifest.yaml
> skill: last
> version: 1.0.0
> description: Adds src/more.txt
> core_version: 1.0.0
> adds:
>   - src/more.txt
$ nanoclaw skill new none --from-changes HEAD..HEAD
? 2
2> error: nothing of the project changed in 'HEAD..HEAD'
$ nanoclaw skill new none --from-changes nothing
? 2
2> error: 'nothing' is not a commit in the project's repository
2> hint: name a range as git does, such as main..HEAD, or one commit; put paths after '--'
$ nanoclaw skill new none --from-changes v1..HEAD -- README.md
? 2
2> error: nothing of the project changed there in 'v1..HEAD'
$ git rev-parse HEAD | cmp - ../before && git status --short
> ?? .claude/
$ rm -r .claude/skills/last && git checkout -q v1 && nanoclaw skill apply both && nanoclaw skill check .claude/skills/both
> both 1.0.0 applied
>   renamed   src/old.txt -> src/new.txt
>   added     src/more.txt
>   merged    src/app.txt
> .claude/skills/both/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/both/modify/src/app.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 1 package checked: 0 errors, 2 warnings
# With an installation the change is carried over to its core.
$ git tag -f v3 $(cat ../before) >/dev/null; nanoclaw skill new carried --from-changes v3~1..v3 -q; cat .claude/skills/carried/manifest.yaml
> skill: carried
> version: 1.0.0
> description: Adds src/more.txt
> core_version: 1.0.0
> adds:
>   - src/more.txt
== after ==
-- src/app.txt --
one
2
three
-- src/more.txt --
more
-- src/new.txt --
first
second
third
fourth
-- !src/old.txt --
