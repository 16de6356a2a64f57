# groups are administered from main, and from nowhere else; removing one needs a second message
needs: bwrap
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw start
< groups
< add group
< add group "Family Chat"
< add group 12036@g.us "Family Chat"
< add group 12036@g.us Family Chat
< groups
< chats
> main: Main (local:main)
> Which one? Say 'add group' and the name of the chat; 'chats' lists the chats that I know.
> I do not know a chat with that name. I learn of a chat when someone writes in it; or say 'add group', its JID, and a name.
> 'Family Chat' is a group now; its folder is 'family-chat'. I answer there when a message begins with '@Andy'.
> I could not do that: '12036@g.us' is already registered as 'family-chat'.
> main: Main (local:main)
> family-chat: Family Chat (12036@g.us)
> local:main    (a group already)
> 12036@g.us    (a group already)
$ nanoclaw start family-chat
< groups
< add group 999@g.us Evil
< remove group main
< yes
< remember this is not main
< help
> family-chat: Family Chat (12036@g.us)
> I could not do that: the group 'family-chat' may not register groups.
> That removes everything of the group 'main': its messages, its memory and its tasks. If you are sure, say 'yes' or 'yes, remove group main'.
> I could not do that: the group 'family-chat' may not remove groups.
> Noted: this is not main
> Notes: 'remember …', 'notes', 'notes about …', 'forget 2', 'forget everything'.
> Reminders: 'remind me to call mum tomorrow at 5pm', '… in 20 minutes', '… every weekday at 8:15', 'snooze', 'timer 10 minutes'.
> Tasks: 'tasks', 'what's on today', 'move 1 to 6pm', 'pause 1', 'resume 1', 'cancel 1'.
> Lists: 'add milk and eggs to shopping', 'show shopping', 'take milk off shopping', 'clear shopping', 'lists'.
> Time: 'what time is it?', 'time zone Europe/Berlin'.
> I have no model, so this is all that I understand. With one I can talk about anything: the command 'nanoclaw setup' connects one (docs/assistant.md).
$ nanoclaw start
< notes
< remove group family-chat
< groups
< remove group family-chat
< yes
< groups
< remove group main
< yes
> There are no notes yet. Say 'remember …' to make one.
> That removes everything of the group 'family-chat': its messages, its memory and its tasks. If you are sure, say 'yes' or 'yes, remove group family-chat'.
> main: Main (local:main)
> family-chat: Family Chat (12036@g.us)
> That removes everything of the group 'family-chat': its messages, its memory and its tasks. If you are sure, say 'yes' or 'yes, remove group family-chat'.
> The agent of 'main' has removed the group 'family-chat'. It is kept for 30 days. To take it back: nanoclaw group add family-chat family-chat
> The group 'family-chat' is removed.
> main: Main (local:main)
> That removes everything of the group 'main': its messages, its memory and its tasks. If you are sure, say 'yes' or 'yes, remove group main'.
> I could not do that: the main group cannot be removed.
$ nanoclaw group show family-chat
? 2
2> error: '12036@g.us' is the chat of the group 'family-chat', which is in the bin
2> hint: 'nanoclaw group add family-chat family-chat' takes it back as it was, 'nanoclaw group remove family-chat' deletes it
$ nanoclaw start
< add group 12036@g.us Another Name
> 'Family Chat' is a group again; its folder is 'family-chat'. I answer there when a message begins with '@Andy'.
