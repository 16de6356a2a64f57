# a scenario can start from a folder of the source tree
tree: selftest/start
-- added --
new
-- replaced --
by the scenario
== run ==
$ cat lib/kept replaced added
> one
> by the scenario
> new
$ ./tool
> tool
$ stat -c %a lib tool replaced
> 755
> 755
> 644
$ rm tool
$ echo two >> lib/kept
== after ==
-- lib/kept --
one
two
-- !tool --
