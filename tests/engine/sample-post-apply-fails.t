# a command after the apply that fails undoes all skills of the batch
tree: examples/postbox
-- data --
A file, so that 'mkdir -p data' of the skill 'diary' must fail.
== run ==
$ nanoclaw skill apply smile diary
? 1
2> warning: left out of the core, as folders of data or built files: 'data'; a line '!data/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
2> error: a command of skill 'diary' failed with exit code 1: mkdir -p data
2> mkdir: cannot create directory ‘data’: File exists
2> hint: everything is as it was before
