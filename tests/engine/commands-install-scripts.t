# NanoClaw asks before a package manager runs install scripts, even if a skill changes package.json as text
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- package.json --
{
  "name": "p",
  "scripts": {
    "test": "true"
  }
}
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [package.json]
-- skills/x/modify/package.json --
{
  "name": "p",
  "scripts": {
    "test": "true",
    "preinstall": "echo evil"
  }
}
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [package.json]
-- skills/y/modify/package.json --
{
  "name": "p",
  "scripts": {
    "test": "true",
    "start": "y"
  }
}
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
modifies: [package.json]
-- skills/z/modify/package.json --
{
  "name": "p",
  "scripts": {
    "test": "true"
  },
  "scripts": {
    "prepare": "echo evil"
  }
}
-- ask --
unset NANOCLAW_ALLOW_COMMANDS
exec nanoclaw "$@"
== run ==
$ nanoclaw -q init
$ sh ask -q skill apply x
? 2
2> error: these skills can run programs as you:
2>   x 1.0.0
2>     changes a file that tells other programs or agents what to do: package.json
2>       -     "test": "true"
2>       +     "test": "true",
2>       +     "preinstall": "echo evil"
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
# JSON that we do not accept may be good enough for npm.
$ sh ask -q skill apply z 2>&1 | grep 'what to do'
>     changes a file that tells other programs or agents what to do: package.json
$ sh ask -q skill apply y
> y 1.0.0 applied
== after ==
-- package.json --
{
  "name": "p",
  "scripts": {
    "test": "true",
    "start": "y"
  }
}
