# names that are wrong or taken are refused, and nothing is overwritten
-- VERSION --
1.0.0
-- .claude/skills/notes/SKILL.md --
Only instructions.
-- skills/other/manifest.yaml --
skill: taken
version: 1.0.0
core_version: 1.0.0
-- skills/other/SKILL.md --
Somebody's.
== run ==
$ nanoclaw skill new
? 2
2> error: 'skill new' needs <name>
2> hint: see 'nanoclaw skill new --help'
$ nanoclaw skill new -- -x
? 2
2> error: the name of the skill is missing
$ nanoclaw skill new ../up
? 2
2> error: the skill's name '../up' may have letters, digits and '._-' only
2> hint: a name such as 'telegram' or 'quiet-hours'
$ nanoclaw skill new 'two words'
? 2
2> error: the skill's name 'two words' may have letters, digits and '._-' only
2> hint: a name such as 'telegram' or 'quiet-hours'
$ nanoclaw skill new notes
? 2
2> error: '.claude/skills/notes' already exists
2> hint: nothing is overwritten; choose another name
$ nanoclaw skill new taken
? 2
2> error: a skill 'taken' already exists in 'skills/other'
2> hint: choose another name
$ nanoclaw skill new fine --into ..
? 2
2> error: '..' is outside the project
2> hint: the project is '[dir]'
$ nanoclaw skill new fine --into .nanoclaw
? 2
2> error: '.nanoclaw' is not recorded
$ nanoclaw skill new fine --into VERSION
? 2
2> error: cannot access 'VERSION/fine': not a directory
$ nanoclaw skill new fine --version one
? 2
2> error: '--version': version 'one' is not of the form 1.2.3
$ nanoclaw skill new fine --description ''
? 2
2> error: a description must be one line of text
$ nanoclaw skill new fine HEAD
? 2
2> error: unexpected argument 'HEAD'
2> hint: a range and paths need '--from-changes'
$ nanoclaw skill new fine --from-changes
? 2
2> error: nothing is recorded in '[dir]', so your changes cannot be distinguished from the core
2> hint: name a range of commits: '--from-changes main..HEAD'; or undo your changes, run 'nanoclaw init' to save the core, and make them again
$ nanoclaw skill new fine --from-changes HEAD
? 2
2> error: 'HEAD' is not a commit in the project's repository
2> hint: name a range as git does, such as main..HEAD, or one commit; put paths after '--'
