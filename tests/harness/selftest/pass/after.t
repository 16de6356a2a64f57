# what changes is said, and all else stays
-- changed --
old
-- gone --
-- kept --
-- folder/gone --
-- emptied/gone --
-- link -> kept --
== run ==
$ echo new >changed; chmod 700 changed
$ rm -r gone folder emptied/gone
$ ln -sf changed link; mkdir empty; mkdir -p a/b; echo x >a/b/c
== after ==
-- changed [700] --
new
-- !gone --
-- !folder/ --
-- !emptied/gone --
-- link -> changed --
-- empty/ --
-- a/b/c --
x
