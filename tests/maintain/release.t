# a release of the sample names all that is missing; with everything there, people can update
needs: git awk
tree: examples/postbox
ignore: .git .git/** data data/**
unlisted: **
-- data/settle [755] --
#!/bin/sh
# Resolves what is known to meet in the sample: one line for both sides.
cat > /dev/null
line="	printf '%s: %s Thank you.\\n' \"\$NAME\" \"\$(answer \"\$message\")\" | tr '[:lower:]' '[:upper:]'"
export line
awk '/^<<<<<<< /{print ENVIRON["line"]; skip=1} !skip{print} /^>>>>>>> /{skip=0}' postbox > settled
cat settled > postbox
rm settled
-- data/guide.md --
# From 1.0.0 to 1.1.0

- `help` is answered.
- **Breaking:** a message that is not a greeting is answered by "Noted" now. The skill
  `in-the-box` keeps the old sentence.
== run ==
# The sample ships resolutions; here they are yet to be made.
$ rm -r .claude
# One package does not name the files that it was written for.
$ sed -i '/^base_hashes:/,/^  postbox:/d' skills/shout/manifest.yaml
$ mv updates data && git init -q && git add -A . ':!data' && git commit -qm one && git tag v1.0.0
# Nothing has been done yet but a tag.
$ nanoclaw release -j 2
? 2
2> error: the core before 1.0.0 is not known: no tag of the repository is a version below it
2> hint: name it: 'nanoclaw release --from REF', a folder or a git ref; a first release has nothing to compare with: 'nanoclaw matrix run', and then tag it
# The new core, and a skill that keeps what was; nothing says so.
$ mv data/updates/1.0.0-to-1.1.0/files data/next
$ cp -r data/next/VERSION data/next/lib . && cp -r data/next/skills/in-the-box skills
$ mkdir .nanoclaw-meta && cp data/guide.md .nanoclaw-meta/migration.md
$ nanoclaw release -j 2
? 1
>   ✓ version      1.1.0, and 1.0.0 before
>   ✗ packages     7
>   ✗ alone        7
>   ✗ pairs        8
>   ✗ stacks       3
>   ✗ migrations   1 breaking change, 0 migrations
>   ✓ resolutions  0 shipped
>   ✗ update       9 files, tried with 6 skills and 6 combinations of core 1.0.0
>
> not ready: 12 things are missing
>
> packages: brief 1.0.0 was written for core 1.0.0: lib/answers.sh (conflict)
>   -> nanoclaw skill refresh brief --raise patch
>
> packages: diary-search 1.0.0 was written for core 1.0.0: lib/answers.sh (merges)
>   -> nanoclaw skill refresh diary-search --raise patch
>
> packages: shout 1.0.0 was written for core 1.0.0: lib/settings.sh (unmarked), postbox (unmarked)
>   -> nanoclaw skill refresh shout --raise patch
>
> packages: smile 1.0.0 was written for core 1.0.0: lib/answers.sh (merges)
>   -> nanoclaw skill refresh smile --raise patch
>
> alone: 4 of 7 fail with packages that do not fit the new core
>   -> refresh the packages first, and run this again
>
> pairs: 7 of 8 fail with packages that do not fit the new core
>   -> refresh the packages first, and run this again
>
> stacks: 3 of 3 fail with packages that do not fit the new core
>   -> refresh the packages first, and run this again
>
> migrations: the breaking change "a message that is not a greeting is answered by "Noted" now. The skill `in-the-box` keeps the old sentence." has no migration: migrations.yaml does not list 'in-the-box' since 1.1.0
>   -> printf -- '- since: 1.1.0\n  skill: in-the-box\n' >> migrations.yaml
>
> update: an installation of 1.0.0 with brief: the update pauses on a conflict in 'lib/answers.sh' without a resolution
>   -> nanoclaw release --keep, and resolve it in the copy that is left
>
> update: an installation of 1.0.0 with brief, diary, diary-search: the update pauses on a conflict in 'lib/answers.sh' without a resolution
>   -> nanoclaw release --keep, and resolve it in the copy that is left
>
> update: an installation of 1.0.0 with brief, smile: the update pauses on a conflict in 'lib/answers.sh' without a resolution
>   -> nanoclaw release --keep, and resolve it in the copy that is left
>
> update: an installation of 1.0.0 with brief, diary, diary-search, smile: the update pauses on a conflict in 'lib/answers.sh' without a resolution
>   -> nanoclaw release --keep, and resolve it in the copy that is left
2> warning: brief and in-the-box overlap, and are left out: in-the-box declares a conflict with brief
2> warning: an installation of 1.0.0 with polite, shout: they cannot be applied together there, and were left out
2> warning: an installation of 1.0.0 with diary, polite, shout: they cannot be applied together there, and were left out
$ test -e updates
? 1
$ nanoclaw -q skill refresh --all --raise patch
? 3
> brief 1.0.1 (before: 1.0.0) paused on the way to core 1.1.0
> diary 1.0.0: nothing to do, it fits core 1.1.0
> diary-search 1.0.1 (before: 1.0.0) paused on the way to core 1.1.0
> in-the-box 1.0.0: nothing to do, it fits core 1.1.0
> polite 1.0.0: nothing to do, it fits core 1.1.0
> shout 1.0.1 (before: 1.0.0) paused on the way to core 1.1.0
> smile 1.0.1 (before: 1.0.0) paused on the way to core 1.1.0
>
> To resolve:
>   skills/brief/modify/lib/answers.sh: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i '/^<<<<<<</d;/^|||||||/,/^>>>>>>>/d' skills/brief/modify/lib/answers.sh
$ nanoclaw -q continue && nanoclaw resolution record
> brief 1.0.1 (before: 1.0.0) refreshed for core 1.1.0
> diary 1.0.0: nothing to do, it fits core 1.1.0
> diary-search 1.0.1 (before: 1.0.0) refreshed for core 1.1.0
> in-the-box 1.0.0: nothing to do, it fits core 1.1.0
> polite 1.0.0: nothing to do, it fits core 1.1.0
> shout 1.0.1 (before: 1.0.0) refreshed for core 1.1.0
> smile 1.0.1 (before: 1.0.0) refreshed for core 1.1.0
> recorded in .nanoclaw/resolutions/brief@1.0.0+core@1.1.0
$ nanoclaw -q matrix run -j 2 --record --resolver "$PWD/data/settle" > data/log
# What is left: the migration, and conflicts of those who have brief and another skill. A
# resolution is for the very file of one skill.
$ nanoclaw release -j 2
? 1
>   ✓ version      1.1.0, and 1.0.0 before
>   ✓ packages     7
>   ✓ alone        7, 7 of them unchanged
>   ✓ pairs        8, 8 of them unchanged
>   ✓ stacks       3, 3 of them unchanged
>   ✗ migrations   1 breaking change, 0 migrations
>   ✓ resolutions  3 shipped
>   ✗ update       28 files, tried with 6 skills and 6 combinations of core 1.0.0
>
> not ready: 4 things are missing
>
> migrations: the breaking change "a message that is not a greeting is answered by "Noted" now. The skill `in-the-box` keeps the old sentence." has no migration: migrations.yaml does not list 'in-the-box' since 1.1.0
>   -> printf -- '- since: 1.1.0\n  skill: in-the-box\n' >> migrations.yaml
>
> update: an installation of 1.0.0 with brief, diary, diary-search: the update pauses on a conflict in 'lib/answers.sh' without a resolution
>   -> nanoclaw release --keep, and resolve it in the copy that is left
>
> update: an installation of 1.0.0 with brief, smile: the update pauses on a conflict in 'lib/answers.sh' without a resolution
>   -> nanoclaw release --keep, and resolve it in the copy that is left
>
> update: an installation of 1.0.0 with brief, diary, diary-search, smile: the update pauses on a conflict in 'lib/answers.sh' without a resolution
>   -> nanoclaw release --keep, and resolve it in the copy that is left
2> warning: brief and in-the-box overlap, and are left out: in-the-box declares a conflict with brief
2> warning: an installation of 1.0.0 with polite, shout: they cannot be applied together there, and were left out
2> warning: an installation of 1.0.0 with diary, polite, shout: they cannot be applied together there, and were left out
$ nanoclaw --json release | grep -A3 '"what"'
>           "what": "the breaking change \"a message that is not a greeting is answered by \"Noted\" now. The skill `in-the-box` keeps the old sentence.\" has no migration: migrations.yaml does not list 'in-the-box' since 1.1.0"
>         }
>       ],
>       "state": "missing",
> --
>           "what": "an installation of 1.0.0 with brief, diary, diary-search: the update pauses on a conflict in 'lib/answers.sh' without a resolution"
>         },
>         {
>           "command": "nanoclaw release --keep, and resolve it in the copy that is left",
>           "what": "an installation of 1.0.0 with brief, smile: the update pauses on a conflict in 'lib/answers.sh' without a resolution"
>         },
>         {
>           "command": "nanoclaw release --keep, and resolve it in the copy that is left",
>           "what": "an installation of 1.0.0 with brief, diary, diary-search, smile: the update pauses on a conflict in 'lib/answers.sh' without a resolution"
>         }
>       ],
>       "state": "missing",
2> warning: brief and in-the-box overlap, and are left out: in-the-box declares a conflict with brief
2> warning: an installation of 1.0.0 with polite, shout: they cannot be applied together there, and were left out
2> warning: an installation of 1.0.0 with diary, polite, shout: they cannot be applied together there, and were left out
$ printf -- '- since: 1.1.0\n  skill: in-the-box\n' > migrations.yaml
# Those who have brief keep its sentence: what the migration would keep was changed there before.
$ nanoclaw release -j 2
>   ✓ version      1.1.0, and 1.0.0 before
>   ✓ packages     7
>   ✓ alone        7
>   ✓ pairs        8
>   ✓ stacks       3
>   ✓ migrations   1 breaking change, 1 migration
>   ✓ resolutions  3 shipped
>   ✓ update       29 files, tried with 6 skills and 6 combinations of core 1.0.0
>
> ready: core 1.1.0 can be released
> updates/1.0.0-to-1.1.0 is written
2> warning: brief and in-the-box overlap, and are left out: in-the-box declares a conflict with brief
2> warning: an installation of 1.0.0 with polite, shout: they cannot be applied together there, and were left out
2> warning: an installation of 1.0.0 with diary, polite, shout: they cannot be applied together there, and were left out
$ ls updates/1.0.0-to-1.1.0 updates/1.0.0-to-1.1.0/files updates/1.0.0-to-1.1.0/resolutions
> updates/1.0.0-to-1.1.0:
> files
> migration.md
> resolutions
>
> updates/1.0.0-to-1.1.0/files:
> VERSION
> lib
> migrations.yaml
> skills
>
> updates/1.0.0-to-1.1.0/resolutions:
> brief@1.0.0+core@1.1.0
$ nanoclaw release | tail -n 1
> updates/1.0.0-to-1.1.0 is up to date
2> warning: brief and in-the-box overlap, and are left out: in-the-box declares a conflict with brief
2> warning: an installation of 1.0.0 with polite, shout: they cannot be applied together there, and were left out
2> warning: an installation of 1.0.0 with diary, polite, shout: they cannot be applied together there, and were left out
# Somebody who has the version before, with skills that meet the change.
$ mkdir data/home && git archive v1.0.0 | tar -x -C data/home
$ nanoclaw -q -C data/home init
$ nanoclaw -q -C data/home skill apply brief smile shout
> brief 1.0.0 applied
> smile 1.0.0 applied
> shout 1.0.0 applied
$ nanoclaw -C data/home --yes update "$PWD/updates/1.0.0-to-1.1.0"
> Core updated: 1.0.0 → 1.1.0
>   ✓ All patches applied
>
>   Skill updates:
>     ✓ brief 1.0.0 → 1.0.1
>     ✓ smile 1.0.0 → 1.0.1
>     ✓ shout 1.0.0 → 1.0.1
>
>   ✓ All tests passing
2> warning: the migration skill 'in-the-box' is left out: you had already changed what it would keep
$ cd data/home && echo 'buy milk' | ./postbox
> POSTBOX: KEPT.
$ nanoclaw -C data/home verify
> 23 files checked: all as recorded
