# status names every kind of change to a file: content, mode, deletion, another type
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- content --
one
-- same --
one
-- deleted --
one
-- bit --
one
-- bit-gone [755] --
one
-- to-folder --
one
-- to-link --
one
-- link -> content --
-- link-elsewhere -> content --
-- link-to-file -> content --
-- folder-gone/f --
one
-- folder-to-link/f --
one
-- folder-to-file/f --
one
-- folder/a --
one
-- folder/b --
one
-- only-group-bit --
one
== run ==
$ nanoclaw -q init
$ nanoclaw status
> core 1.0.0
$ echo two > content
$ rm deleted
$ chmod +x bit
$ chmod -x bit-gone
$ chmod g+x only-group-bit
$ rm to-folder to-link && mkdir to-folder && ln -s content to-link
$ ln -sfn bit link-elsewhere
$ rm link-to-file && cp content link-to-file
$ rm -r folder-gone folder-to-file && echo x > folder-to-file
# The link has the same content behind it, but it is not the recorded file.
$ mv folder-to-link elsewhere && ln -s elsewhere folder-to-link
$ cp same same.new && mv same.new same
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   mode      bit
>   mode      bit-gone
>   edited    content
>   deleted   deleted
>   deleted   folder-gone/f
>   type      folder-to-file/f
>   type      folder-to-link/f
>   type      link-elsewhere
>   type      link-to-file
>   type      to-folder
>   type      to-link
$ nanoclaw --json status
> {
>   "coreVersion": "1.0.0",
>   "drift": [
>     "bit",
>     "bit-gone",
>     "content",
>     "deleted",
>     "folder-gone/f",
>     "folder-to-file/f",
>     "folder-to-link/f",
>     "link-elsewhere",
>     "link-to-file",
>     "to-folder",
>     "to-link"
>   ],
>   "driftDetails": [
>     {
>       "change": "mode",
>       "path": "bit"
>     },
>     {
>       "change": "mode",
>       "path": "bit-gone"
>     },
>     {
>       "change": "edited",
>       "path": "content"
>     },
>     {
>       "change": "deleted",
>       "path": "deleted"
>     },
>     {
>       "change": "deleted",
>       "path": "folder-gone/f"
>     },
>     {
>       "change": "type",
>       "path": "folder-to-file/f"
>     },
>     {
>       "change": "type",
>       "path": "folder-to-link/f"
>     },
>     {
>       "change": "type",
>       "path": "link-elsewhere"
>     },
>     {
>       "change": "type",
>       "path": "link-to-file"
>     },
>     {
>       "change": "type",
>       "path": "to-folder"
>     },
>     {
>       "change": "type",
>       "path": "to-link"
>     }
>   ],
>   "host": null,
>   "initialized": true,
>   "pending": null,
>   "skills": [],
>   "sources": [],
>   "success": true
> }
