# each skill of the sample project applies alone, as its dry run says, and its test passes
tree: examples/postbox
ignore: build
-- build/alone --
# SKILL...: in a copy, a dry run, then the same for real; both must say the same.
set -eu
copy=$(mktemp -d)
cp -R . "$copy"
cd "$copy"
nanoclaw skill apply --dry-run "$@" >"$TMPDIR/planned"
! test -e .nanoclaw
nanoclaw skill apply "$@" >"$TMPDIR/done"
sed 's/would be applied/applied/' "$TMPDIR/planned" | diff - "$TMPDIR/done" | grep '^<' || :
cat "$TMPDIR/done"
printf 'hello\nbuy milk\nfind milk\n' | ./postbox
nanoclaw status
== run ==
$ sh build/alone brief
> < would run the test of brief: sh skills/brief/tests/brief.sh
> brief 1.0.0 applied
>   merged    lib/answers.sh
> 1 test passed
> Postbox: Hello!
> Postbox: Kept.
> Postbox: Kept.
> core 1.0.0
>   brief 1.0.0
2> warning: left out of the core, as folders of data or built files: 'build'; a line '!build/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ sh build/alone diary
> < would run the post_apply of diary: mkdir -p data
> < would run the test of diary: sh skills/diary/tests/diary.sh
> diary 1.0.0 applied
>   added     lib/diary.sh
>   merged    postbox
> 1 test passed
> Postbox: Hello!
> Postbox: I have put that in the box: buy milk
> Postbox: I have put that in the box: find milk
> core 1.0.0
>   diary 1.0.0
2> warning: left out of the core, as folders of data or built files: 'build'; a line '!build/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ sh build/alone diary diary-search
> < would run the post_apply of diary: mkdir -p data
> < would run the test of diary: sh skills/diary/tests/diary.sh
> < would run the test of diary-search: sh skills/diary-search/tests/search.sh
> diary 1.0.0 applied
>   added     lib/diary.sh
>   merged    postbox
> diary-search 1.0.0 applied
>   merged    lib/answers.sh
>   merged    lib/diary.sh
> 2 tests passed
> Postbox: Hello!
> Postbox: I have put that in the box: buy milk
> Postbox: buy milk
> core 1.0.0
>   diary 1.0.0
>   diary-search 1.0.0
2> warning: left out of the core, as folders of data or built files: 'build'; a line '!build/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ sh build/alone polite
> < would run the test of polite: sh skills/polite/tests/polite.sh
> polite 1.0.0 applied
>   merged    lib/settings.sh
>   merged    postbox
> 1 test passed
> Postbox: Hello! Thank you.
> Postbox: I have put that in the box: buy milk Thank you.
> Postbox: I have put that in the box: find milk Thank you.
> core 1.0.0
>   polite 1.0.0
2> warning: left out of the core, as folders of data or built files: 'build'; a line '!build/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ sh build/alone shout
> < would run the test of shout: sh skills/shout/tests/shout.sh
> shout 1.0.0 applied
>   merged    lib/settings.sh
>   merged    postbox
> 1 test passed
> POSTBOX: HELLO!
> POSTBOX: I HAVE PUT THAT IN THE BOX: BUY MILK
> POSTBOX: I HAVE PUT THAT IN THE BOX: FIND MILK
> core 1.0.0
>   shout 1.0.0
2> warning: left out of the core, as folders of data or built files: 'build'; a line '!build/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ sh build/alone smile
> < would run the test of smile: sh skills/smile/tests/smile.sh
> smile 1.0.0 applied
>   merged    lib/answers.sh
> 1 test passed
> Postbox: Hello! :-)
> Postbox: I have put that in the box: buy milk
> Postbox: I have put that in the box: find milk
> core 1.0.0
>   smile 1.0.0
2> warning: left out of the core, as folders of data or built files: 'build'; a line '!build/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ nanoclaw skill apply diary-search
? 2
2> error: skill 'diary-search' depends on 'diary', which is not applied
2> hint: nanoclaw skill apply diary diary-search
