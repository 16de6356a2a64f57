# a test of the sample that fails undoes all skills of the batch
tree: examples/postbox
-- skills/smile/tests/smile.sh --
echo 'this is not funny'
exit 1
== run ==
$ nanoclaw skill apply shout smile
? 5
2> error: the test of skill 'smile' failed with exit code 1: sh skills/smile/tests/smile.sh
2> this is not funny
2> hint: everything is as it was before
$ nanoclaw -q skill apply shout smile --no-test --dry-run
> shout 1.0.0 would be applied
> smile 1.0.0 would be applied
