# a custom patch whose change is in the new core counts as applied; one that does not fit is a failure, and pauses
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/b.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7
b 8
-- new/a.txt --
a 1 core
a 2
a 3
a 4
a 5
a 6 fixed
a 7
a 8
a 9
a 10
a 11
a 12
-- new/b.txt --
b 1
b 2
b 3
b 4 core
b 5
b 6
b 7
b 8
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q customize start "The fix"
$ sed -i 's/^a 6$/a 6 fixed/' p/a.txt
$ nanoclaw -C p -q customize commit
> recorded as 001-the-fix
$ nanoclaw -C p -q customize start "My b"
$ sed -i 's/^b 4$/b 4 mine/' p/b.txt
$ nanoclaw -C p -q customize commit
> recorded as 002-my-b
$ nanoclaw -C p --json update ../new --preview
> {
>   "backupPending": false,
>   "changes": {
>     "VERSION": {
>       "mode": "100644",
>       "sha256": "97a5d6e540a6120d09c39ddb667e0e8e2bac7fcc2ffef813b82e08fd60365bce"
>     },
>     "a.txt": {
>       "mode": "100644",
>       "sha256": "2383a93f683459868d9f50ea4f6cc3c38c419e9e23f59e65c27adb88d7b20d4a"
>     },
>     "b.txt": {
>       "mode": "100644",
>       "sha256": "a73709dcabdc26e53b93c642bd5a0b66783e19fe488c0e251e8aabf30c7974fc"
>     }
>   },
>   "customPatchFailures": [
>     "002-my-b"
>   ],
>   "customPatches": [
>     "001-the-fix"
>   ],
>   "decisions": [],
>   "files": [
>     {
>       "by": "core",
>       "outcome": "merged",
>       "path": "VERSION"
>     },
>     {
>       "by": "core",
>       "outcome": "merged",
>       "path": "a.txt"
>     },
>     {
>       "by": "core",
>       "outcome": "conflict",
>       "path": "b.txt"
>     }
>   ],
>   "keptDeleted": [],
>   "keptPackages": [],
>   "mergeConflicts": [
>     "b.txt"
>   ],
>   "migrations": [],
>   "newSkills": [],
>   "newVersion": "0.6.0",
>   "nothingToDo": false,
>   "preview": true,
>   "previousVersion": "0.5.0",
>   "skillReapplyResults": {},
>   "skills": [],
>   "success": false,
>   "untrackedChanges": [],
>   "updatedPackages": [],
>   "warnings": []
> }
$! nanoclaw -C p --json --yes update ../new
? 3
> {
>   "backupPending": true,
>   "changes": {
>     "VERSION": {
>       "mode": "100644",
>       "sha256": "97a5d6e540a6120d09c39ddb667e0e8e2bac7fcc2ffef813b82e08fd60365bce"
>     },
>     "a.txt": {
>       "mode": "100644",
>       "sha256": "2383a93f683459868d9f50ea4f6cc3c38c419e9e23f59e65c27adb88d7b20d4a"
>     },
>     "b.txt": {
>       "mode": "100644",
>       "sha256": "a73709dcabdc26e53b93c642bd5a0b66783e19fe488c0e251e8aabf30c7974fc"
>     }
>   },
>   "customPatchFailures": [
>     "002-my-b"
>   ],
>   "customPatches": [
>     "001-the-fix"
>   ],
>   "decisions": [],
>   "files": [
>     {
>       "by": "core",
>       "outcome": "merged",
>       "path": "VERSION"
>     },
>     {
>       "by": "core",
>       "outcome": "merged",
>       "path": "a.txt"
>     },
>     {
>       "by": "core",
>       "outcome": "conflict",
>       "path": "b.txt"
>     }
>   ],
>   "keptDeleted": [],
>   "keptPackages": [],
>   "mergeConflicts": [
>     "b.txt"
>   ],
>   "migrations": [],
>   "newSkills": [],
>   "newVersion": "0.6.0",
>   "nothingToDo": false,
>   "preview": false,
>   "previousVersion": "0.5.0",
>   "skillReapplyResults": {},
>   "skills": [],
>   "success": false,
>   "untrackedChanges": [],
>   "updatedPackages": [],
>   "warnings": []
> }
$ cat p/b.txt
> b 1
> b 2
> b 3
> <<<<<<< yours
> b 4 mine
> ||||||| core 0.5.0
> b 4
> =======
> b 4 core
> >>>>>>> core 0.6.0
> b 5
> b 6
> b 7
> b 8
$ printf 'b 4 core and mine\n' > p/b.txt
$! nanoclaw -C p --json continue
> {
>   "backupPending": false,
>   "changes": {},
>   "customPatchFailures": [],
>   "customPatches": [
>     "001-the-fix",
>     "002-my-b"
>   ],
>   "decisions": [],
>   "files": [],
>   "keptDeleted": [],
>   "keptPackages": [],
>   "mergeConflicts": [],
>   "migrations": [],
>   "newSkills": [],
>   "newVersion": "0.6.0",
>   "nothingToDo": false,
>   "preview": false,
>   "previousVersion": "0.5.0",
>   "skillReapplyResults": {},
>   "skills": [],
>   "success": true,
>   "untrackedChanges": [],
>   "updatedPackages": [],
>   "warnings": []
> }
$ nanoclaw -C p verify
> 12 files checked: all as recorded
$ nanoclaw -C p customize list
> 001-the-fix  2001-02-03   1 file   The fix
>   a.txt
> 002-my-b     2001-02-03   1 file   My b
>   b.txt
$ cat p/.nanoclaw/custom/002-my-b.patch
> diff --git a/b.txt b/b.txt
> index d9b00baf25673260272448d7002f934b97b8850a..9c14f59564ded9005d495b43ce3fd60b5e04ee88 100644
> --- a/b.txt
> +++ b/b.txt
> @@ -1,8 +1 @@
> -b 1
> -b 2
> -b 3
> -b 4 core
> -b 5
> -b 6
> -b 7
> -b 8
> +b 4 core and mine
$ nanoclaw -C p diff --by b.txt
> b.txt
> 002-my-b  1  b 4 core and mine
>   1 patch 002-my-b
== after ==
-- p/VERSION --
0.6.0
-- p/a.txt --
a 1 core
a 2
a 3
a 4
a 5
a 6 fixed
a 7
a 8
a 9
a 10
a 11
a 12
-- p/b.txt --
b 4 core and mine
