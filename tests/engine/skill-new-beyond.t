# changes that no package can express are refused together, each with its reason, and paths can exclude them
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- src/app.txt --
one
two
three
four
five
-- src/link -> app.txt --
-- src/fine.txt --
fine
-- skills/loud/manifest.yaml --
skill: loud
version: 1.0.0
core_version: 1.0.0
modifies: [src/fine.txt]
-- skills/loud/SKILL.md --
Loud.
-- skills/loud/modify/src/fine.txt --
fine
FINE
== run ==
$ nanoclaw skill apply loud -q
> loud 1.0.0 applied
$ nanoclaw customize start 'my own' -q
$ sed -i 's/three/THREE/' src/app.txt
$ nanoclaw customize commit -q
> recorded as 001-my-own
$ sed -i 's/THREE/Three/' src/app.txt
$ ln -s fine.txt src/new-link
$ ln -sf fine.txt src/link
$ rm src/fine.txt
$ echo new > src/new.txt
$ nanoclaw skill new mine --from-changes
? 2
2> error: some changes cannot be part of a package:
2>     the change to 'src/app.txt' is within lines that are not the core's and do not come from one skill alone: custom patch '001-my-own'
2>     'src/fine.txt' is gone, but other skills or patches had changed it: people who apply the package would be asked about their lines
2>     'src/link' is a symbolic link, which no package can hold
2>     'src/new-link' is a symbolic link, which no package can hold
2> hint: nothing was written; name the paths to include after '--'
$ nanoclaw skill new mine --from-changes -- src/missing.txt
? 2
2> error: nothing is changed there, so there is nothing to make a skill from
2> hint: 'nanoclaw skill new mine' makes an empty package; 'nanoclaw status' shows what is changed
$ cd src && nanoclaw skill new mine --from-changes -- new.txt
> created .claude/skills/mine
>   add      src/new.txt
> Applied in memory, it gives exactly these changes.
>
> Next:
>   replace the placeholders '<!-- author: … -->' in SKILL.md and modify/*.intent.md
>   nanoclaw skill check .claude/skills/mine
>   nanoclaw skill apply mine   (the skill then owns your changes)
== after ==
-- src/app.txt --
one
two
Three
four
five
-- !src/fine.txt --
-- src/link -> fine.txt --
-- src/new-link -> fine.txt --
-- src/new.txt --
new
