# the offline agent keeps notes in the group's memory, and leaves alone what others wrote there
needs: bwrap
ignore: store data logs groups/main/logs groups/main/.offline-forgotten.json container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- groups/main/CLAUDE.local.md --
# About me

I like short answers.

## Notes

Things to keep:

* by hand, in an editor
  with a second line
1. numbered

## Later

- no note
== run ==
$ nanoclaw start
< notes
< Remember that the key is under the mat.
< please note: milk
< @andy, remember milk
< note down Milk and honey
< what do you remember?
> 1. by hand, in an editor
>    with a second line
> 2. numbered
> Noted: the key is under the mat.
> Noted: milk
> I have that already: milk
> Noted: Milk and honey
> 1. by hand, in an editor
>    with a second line
> 2. numbered
> 3. the key is under the mat.
> 4. milk
> 5. Milk and honey
$ nanoclaw start
< forget milk
< forget 4, please
< forget the key
< forget 99
< forget unicorns
< notes about HAND
< notes about unicorns
< forget
< notes
> Which one? Say 'forget' and its number:
> 4. milk
> 5. Milk and honey
> Forgotten: milk
> Forgotten: the key is under the mat.
> There is no note 99; there are 3. 'notes' lists them.
> I have no note about that. 'notes' lists all.
> 1. by hand, in an editor
>    with a second line
> None of the 3 notes is about that.
> Which note? Say 'forget' and its number; 'notes' lists them.
> 1. by hand, in an editor
>    with a second line
> 2. numbered
> 3. Milk and honey
== after ==
-- groups/ [700] --
-- groups/main/ [700] --
-- groups/main/container.json [600] --
{}
-- groups/main/CLAUDE.local.md [600] --
# About me

I like short answers.

## Notes

Things to keep:

* by hand, in an editor
  with a second line
1. numbered
- Milk and honey

## Later

- no note
