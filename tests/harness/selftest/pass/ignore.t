# ignored paths are not compared, and a folder stands for all in it
ignore: *.log .state cache/**
-- .state/old --
-- cache/old --
== run ==
$ echo x >a.log; rm -r .state; mkdir -p cache/deep; echo x >cache/deep/er
