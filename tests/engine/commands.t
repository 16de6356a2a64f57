# commands of packages are shown and asked for once per content: without an answer exit 2, and nothing is touched
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
post_apply: ["echo applied >> ../log"]
test: sh skills/x/tests/x.sh
-- skills/x/add/x.txt --
x
-- skills/x/tests/x.sh --
echo tested >> ../log
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
-- skills/y/add/y.txt --
y
-- skills/n/manifest.yaml --
skill: n
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {is-number: ^7.0.0}}
-- ask --
unset NANOCLAW_ALLOW_COMMANDS
exec nanoclaw "$@"
== run ==
$ nanoclaw -q init; : > ../log
$ sh ask skill apply x
? 2
2> error: these skills can run programs as you:
2>   x 1.0.0
2>     runs: echo applied >> ../log
2>     runs as its test: sh skills/x/tests/x.sh
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
$ sh ask status; ls; cat ../log
> core 1.0.0
> VERSION
> ask
> package.json
> skills
# Nothing is asked where nothing runs, or only something to look at.
$ sh ask -q skill apply y; sh ask -q skill remove y
> y 1.0.0 applied
> y 1.0.0 removed
$ sh ask skill apply x --dry-run
> x 1.0.0 would be applied
>   added     x.txt
> would run the post_apply of x: echo applied >> ../log
> would run the test of x: sh skills/x/tests/x.sh
# --yes agrees, and that is remembered: for the package, and for the skill when it is applied.
$ sh ask --yes skill apply x; cat ../log
> x 1.0.0 applied
>   added     x.txt
> 1 test passed
> applied
> tested
2> these skills can run programs as you:
2>   x 1.0.0
2>     runs: echo applied >> ../log
2>     runs as its test: sh skills/x/tests/x.sh
$ : > ../log; sh ask -q skill apply y; sh ask -q skill remove x; sh ask -q undo; sh ask -q skill remove x; sh ask -q skill apply x; cat ../log
> y 1.0.0 applied
> x 1.0.0 removed
> x 1.0.0 removed
> x 1.0.0 applied
> tested
> tested
> applied
> tested
$ stat -c '%a %n' ../home/.local/state/nanoclaw/agreed ../home/.local/state/nanoclaw | sed 's,[.][.]/home/,,'; cut -d' ' -f2- ../home/.local/state/nanoclaw/agreed
> 600 .local/state/nanoclaw/agreed
> 700 .local/state/nanoclaw
> x 1.0.0
> x 1.0.0
# Another content of the package is another question: of its manifest, and of its test alone.
$ sh ask -q skill remove x --no-test; echo 'echo more >> ../log' >> skills/x/tests/x.sh; sh ask skill apply x 2>&1 | head -n 1
> x 1.0.0 removed
> error: these skills can run programs as you:
$ sed -i '$d' skills/x/tests/x.sh; sh ask -q skill apply x
> x 1.0.0 applied
# Of a skill that is applied, too: its test runs with every operation.
$ echo 'echo more >> ../log' >> skills/x/tests/x.sh; : > ../log; sh ask skill remove y; echo $?; cat ../log
> 2
2> error: these skills can run programs as you:
2>   x 1.0.0
2>     runs as its test: sh skills/x/tests/x.sh
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
$ sed -i '$d' skills/x/tests/x.sh; mv skills/x skills/z; sh ask skill remove y 2>&1 | head -n 1; mv skills/z skills/x
> error: these skills can run programs as you:
$ sed -i '/^ *source: skills.x$/d' .nanoclaw/state.yaml; sh ask skill remove y 2>&1 | head -n 1; nanoclaw -q skill remove x; sh ask -q skill apply x
> error: these skills can run programs as you:
> x 1.0.0 removed
> x 1.0.0 applied
# Nothing in the project answers for the person, nor does a file that others may write to.
$ mkdir -p state/nanoclaw; cp ../home/.local/state/nanoclaw/agreed state/nanoclaw/; XDG_STATE_HOME=$PWD/state sh ask -q skill remove y 2>&1 | head -n 1; rm -r state
> error: these skills can run programs as you:
$ chmod g+w ../home/.local/state/nanoclaw/agreed; sh ask -q skill remove y 2>&1 | head -n 1; chmod g-w ../home/.local/state/nanoclaw/agreed
> error: these skills can run programs as you:
$ mv ../home/.local/state/nanoclaw/agreed ../elsewhere; ln -s ../../../../elsewhere ../home/.local/state/nanoclaw/agreed; sh ask -q skill remove y 2>&1 | head -n 1; mv ../elsewhere ../home/.local/state/nanoclaw/agreed
> error: these skills can run programs as you:
# A pack that was changed is another content.
$ sed -i 's/sh skills/SH skills/' .nanoclaw/applied/x; { head -n 1 .nanoclaw/applied/x | cut -d' ' -f1,2 | tr '\n' ' '; tail -n +2 .nanoclaw/applied/x | sha256sum | cut -d' ' -f1; tail -n +2 .nanoclaw/applied/x; } > pack; mv pack .nanoclaw/applied/x; sh ask -q skill remove y 2>&1 | head -n 3
> error: these skills can run programs as you:
>   x 1.0.0
>     runs as its test: SH skills/x/tests/x.sh
$ sh ask -q skill remove x y --no-test
> x 1.0.0 removed
> y 1.0.0 removed
# An install is a command, too.
$ NANOCLAW_INSTALL='echo installed' sh ask skill apply n
? 2
2> error: these skills can run programs as you:
2>   n 1.0.0
2>     installs its dependencies: echo installed
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
$ NANOCLAW_INSTALL='true' sh ask -q --yes skill apply n; sh ask -q skill remove n --no-install
> n 1.0.0 applied
> n 1.0.0 removed
