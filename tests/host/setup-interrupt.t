# Ctrl-C at the question for a key leaves the terminal as it was
needs: python3
-- typed.py --
import os, pty, signal, sys, termios

def echoes(terminal):
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)

child, terminal = pty.fork()
if not child:
    os.execvp(sys.argv[1], sys.argv[1:])
said = b''
while b'key' not in said:
    said += os.read(terminal, 1000)
print('asked, the key is', 'shown' if echoes(terminal) else 'not shown')
os.write(terminal, b'\x03')
_, status = os.waitpid(child, 0)
print('ended by', signal.Signals(os.WTERMSIG(status)).name)
print('typing is', 'shown' if echoes(terminal) else 'not shown')
== run ==
$ python3 typed.py nanoclaw setup --with openai
> asked, the key is not shown
> ended by SIGINT
> typing is shown
