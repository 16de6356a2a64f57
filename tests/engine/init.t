# init takes the core, without what is not part of it
unlisted: .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/applied .nanoclaw/backup .nanoclaw/objects
-- VERSION --
2.1.0
-- src/a.txt [755] --
one
-- link -> src/a.txt --
-- .env --
SECRET=1
-- .env.example --
SECRET=
-- node_modules/x/index.js --
-- data/d.txt --
-- src/data/kept.txt --
kept
-- ignored.log --
-- .gitignore --
*.log
-- skills/s/manifest.yaml --
skill: s
version: 1.0.0
core_version: 1.0.0
== run ==
$! nanoclaw init
> core 2.1.0 is saved in .nanoclaw/base; you can now apply skills
2> warning: left out of the core, as folders of data or built files: 'data'; a line '!data/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ nanoclaw init
? 2
2> error: '[dir]' is already initialized
2> hint: 'nanoclaw status' shows its state
== after ==
-- .nanoclaw/base/VERSION --
2.1.0
-- .nanoclaw/base/src/a.txt [755] --
one
-- .nanoclaw/base/link -> src/a.txt --
-- .nanoclaw/base/.env.example --
SECRET=
-- .nanoclaw/base/src/data/kept.txt --
kept
-- .nanoclaw/base/.gitignore --
*.log
