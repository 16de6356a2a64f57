# what main wants remembered for everyone is in the memory of every group, and answers questions
needs: sandbox
ignore: store data logs groups container
== run ==
$ nanoclaw start
< remember for everyone that the office code is 4711
< Remember for everyone: the office closes at six
< remember for everyone that the office code is 4711
< what's the office code?
< when does the office close?
< notes
> The agent of 'main' has added to the memory that all groups read: 'the office code is 4711'. To take it back, delete the lines from '[..]' on in 'data/global.md'.
> Noted for every group: the office code is 4711
> The agent of 'main' has added to the memory that all groups read: 'the office closes at six'. To take it back, delete the lines from '[..]' on in 'data/global.md'.
> Noted for every group: the office closes at six
> I have that already for every group: the office code is 4711
> the office code is 4711
> the office closes at six
> There are no notes yet. Say 'remember …' to make one.
