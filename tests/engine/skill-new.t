# a new package has only placeholders to fill in, and can be applied and removed at once
tree: examples/postbox
unlisted: .nanoclaw .claude
== run ==
$! nanoclaw skill new hello
> created .claude/skills/hello
>
> Next:
>   edit .claude/skills/hello/manifest.yaml and SKILL.md
>   nanoclaw skill check .claude/skills/hello
>   nanoclaw skill apply hello --dry-run
$ nanoclaw skill check .claude/skills/hello
> .claude/skills/hello/manifest.yaml:3:14: warning: the description is still the placeholder from 'skill new': say what the skill does
> .claude/skills/hello/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/hello/manifest.yaml:6:5: warning: 'hello.example.md' is the example from 'skill new': replace it with your own files
> 1 package checked: 0 errors, 3 warnings
$ cat .claude/skills/hello/manifest.yaml
> skill: hello
> version: 1.0.0
> description: What hello is for, in one line
> core_version: 1.0.0
> adds:
>   - hello.example.md
> test: sh .claude/skills/hello/tests/hello.sh
$ nanoclaw skill new Hello
? 2
2> error: a skill 'hello' already exists, and differs only in case; choose another name
$ nanoclaw skill apply hello
> hello 1.0.0 applied
>   added     hello.example.md
> 1 test passed
$ nanoclaw skill remove hello
> hello 1.0.0 removed
>   removed   hello.example.md
