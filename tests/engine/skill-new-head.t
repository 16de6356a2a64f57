# in a plain git repository the changes since HEAD make a package, untracked files included
needs: git
ignore: .git x.o
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- .gitignore --
*.o
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
$ git init -q && git add -A && git commit -q -m one
$ nanoclaw skill new none --from-changes
? 2
2> error: nothing is changed, so there is nothing to make a skill from
2> hint: 'nanoclaw skill new none' makes an empty package; 'nanoclaw status' shows what is changed
$ sed -i 's/two/2/' src/app.txt; git mv src/old.txt src/new.txt; echo more >src/more.txt; echo x >x.o; nanoclaw skill new mine --from-changes
> created .claude/skills/mine
>   modify   src/app.txt
>   add      src/more.txt
>   rename   src/old.txt -> src/new.txt
> Applied in memory, it gives exactly these changes.
>
> Next:
>   replace the placeholders '<!-- author: … -->' in SKILL.md and modify/*.intent.md
>   nanoclaw skill check .claude/skills/mine
>   git stash -u; nanoclaw init; git stash pop   (the core, without your changes)
>   nanoclaw skill apply mine   (the skill then owns your changes)
$ cat .claude/skills/mine/manifest.yaml
> skill: mine
> version: 1.0.0
> description: Changes src/app.txt, adds src/more.txt and 1 more
> core_version: 1.0.0
> adds:
>   - src/more.txt
> modifies:
>   - src/app.txt
> base_hashes:
>   src/app.txt: b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2
> file_ops:
>   - type: rename
>     from: src/old.txt
>     to: src/new.txt
$ git stash -q -u -- src; nanoclaw skill apply mine; cat src/app.txt
> mine 1.0.0 applied
>   renamed   src/old.txt -> src/new.txt
>   added     src/more.txt
>   merged    src/app.txt
> one
> 2
> three
$ nanoclaw undo -q; nanoclaw init
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
> commit .nanoclaw/ to git, too ('git add -f .nanoclaw/base'); its '.gitignore' leaves out what belongs to this machine
== after ==
