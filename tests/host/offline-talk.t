# the offline agent says what it can do, and is friendly about what it cannot
needs: bwrap
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- .env --
ASSISTANT_NAME=Mia
== run ==
$ nanoclaw start
< hello
< hola
< Guten Morgen!
< ¿qué hora es?
< danke
< tell me a joke
< /nonsense
< delete 2
< Hey Mia, what can you do?
< Who won the world cup in 1954?
< remeber milk
< remind em to call mum
< thanks!
< ?
< yes
< time zone
< time zone Europe/Berln
< set my time zone to europe/berlin please
< time zone Europe/Berlin
< what's the time?
> Hello, I am Mia. I keep notes and remind you of things; 'help' says how.
> Hola, soy Mia. Entiendo español, pero casi siempre respondo en inglés; 'ayuda' dice lo que sé hacer.
> Good morning! 'what's on today' says what is coming up.
> It is [..] (UTC).
> Gern geschehen.
> I did not understand that: I have no model, only a few commands. 'help' lists what I can do, and says how to give me a model.
> I do not know that command; '/skills' lists this group's commands.
> Say 'cancel 2' for a reminder or task, or 'forget 2' for a note.
> Notes: 'remember …', 'notes', 'notes about …', 'forget 2', 'forget everything'.
> Reminders: 'remind me to call mum tomorrow at 5pm', '… in 20 minutes', '… every weekday at 8:15', 'snooze', 'timer 10 minutes'.
> Tasks: 'tasks', 'what's on today', 'move 1 to 6pm', 'pause 1', 'resume 1', 'cancel 1'.
> Lists: 'add milk and eggs to shopping', 'show shopping', 'take milk off shopping', 'clear shopping', 'lists'.
> Time: 'what time is it?', 'time zone Europe/Berlin'.
> Groups: 'groups', 'chats', 'add group Family', 'remove group Family'.
> I have no model, so this is all that I understand. With one I can talk about anything: the command 'nanoclaw setup' connects one (docs/assistant.md).
> I have no note about that, and no model that could answer. 'help' lists what I can do, and says how to give me a model.
> I did not understand that; did you mean 'remember'? 'help' lists what I can do, and says how to give me a model.
> I did not understand that; did you mean 'remind me …'? 'help' lists what I can do, and says how to give me a model.
> You are welcome.
> Notes: 'remember …', 'notes', 'notes about …', 'forget 2', 'forget everything'.
> Reminders: 'remind me to call mum tomorrow at 5pm', '… in 20 minutes', '… every weekday at 8:15', 'snooze', 'timer 10 minutes'.
> Tasks: 'tasks', 'what's on today', 'move 1 to 6pm', 'pause 1', 'resume 1', 'cancel 1'.
> Lists: 'add milk and eggs to shopping', 'show shopping', 'take milk off shopping', 'clear shopping', 'lists'.
> Time: 'what time is it?', 'time zone Europe/Berlin'.
> Groups: 'groups', 'chats', 'add group Family', 'remove group Family'.
> I have no model, so this is all that I understand. With one I can talk about anything: the command 'nanoclaw setup' connects one (docs/assistant.md).
> I did not ask anything. 'help' lists what I can do.
> It is [..] (UTC). To change that, say for example 'time zone Europe/Berlin'.
> I could not do that: there is no time zone 'Europe/Berln' (did you mean 'Europe/Berlin'?).
> From now on I use this time zone; the time there is [..] (Europe/Berlin). Existing reminders keep theirs.
> From now on I use this time zone; the time there is [..] (Europe/Berlin). Existing reminders keep theirs.
> It is [..] (Europe/Berlin).
