# everything is forgotten only after a second message, and what was typed by hand around it stays
needs: bwrap
ignore: store data logs groups/main/logs groups/main/.offline-forgotten.json container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- groups/main/CLAUDE.local.md [no-newline] --
Be brief.
== run ==
$ nanoclaw start
< forget everything
< remember one
< forget everything
< no
< remember two
< forget everything
< notes
< yes
< forget everything
< yes
< notes
< remember three
< yes, forget everything
< notes
> There are no notes yet. Say 'remember …' to make one.
> Noted: one
> That deletes the only note for good. If you are sure, say 'yes' or 'yes, forget everything'.
> OK, I changed nothing.
> Noted: two
> That deletes all 2 notes for good. If you are sure, say 'yes' or 'yes, forget everything'.
> 1. one
> 2. two
> I did not ask anything. 'help' lists what I can do.
> That deletes all 2 notes for good. If you are sure, say 'yes' or 'yes, forget everything'.
> All notes are forgotten.
> There are no notes yet. Say 'remember …' to make one.
> Noted: three
> All notes are forgotten.
> There are no notes yet. Say 'remember …' to make one.
== after ==
-- groups/ [700] --
-- groups/main/ [700] --
-- groups/main/container.json [600] --
{}
-- groups/main/CLAUDE.local.md [600] --
Be brief.

## Notes

