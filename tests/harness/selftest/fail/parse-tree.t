# there must be a folder to start from
# says: parse-tree.t:3: no such folder in the source tree: 'no/such/folder'
tree: no/such/folder
== run ==
$ true
