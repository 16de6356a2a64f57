/*
 * The terminal as a channel: `nanoclaw chat` and `nanoclaw send` talk to the host
 * through the socket data/run/host.sock, which only the same user can open.
 *
 * On the terminal, the chat of a group has the JID `local:FOLDER`, in addition to the group's
 * own JID. It is a direct chat, so it needs no trigger.
 *
 * A line is a JSON object. From the client:
 *
 *	{"type":"message","chat":"main","id":"…","text":"…"}	reply: ack, or error
 *	{"type":"attach","chat":"main"}		send answers in this chat to this client
 *	{"type":"receipt","key":"…"}		the person has seen it
 *	{"type":"ping"}				reply: pong
 *	{"type":"wait","seq":12}		reply once it is answered: settled
 *	{"type":"request","id":1,"op":"…", …}	an operation of the host; reply: reply
 *
 * From the host:
 *
 *	{"type":"ack","id":"…","seq":12}
 *	{"type":"error","id":"…","error":"…"}
 *	{"type":"send","chat":"main","key":"…","kind":"answer","part":1,"parts":1,
 *	 "text":"…","upto":12}			an answer to all messages up to 12
 *	{"type":"typing","on":true}		an answer is being written
 *	{"type":"settled","seq":12,"state":"delivered"}
 *	{"type":"pong"}
 *	{"type":"reply","id":1,"ok":true, …}
 *
 * While no client is attached to a chat, its answers wait in the outbox.
 */
#ifndef CHANNELS_LOCAL_LOCAL_H
#define CHANNELS_LOCAL_LOCAL_H

#include "base/error.h"

/* Its name, which no other channel may have. */
#define LOCAL_CHANNEL "local"

#define LOCAL_FOLDER "data/run"
#define LOCAL_SOCKET "host.sock"
#define LOCAL_PREFIX "local:"

/* The folder of the group whose chat on the terminal has this JID; NULL: it is another chat. */
const char *local_group(const char *jid);

/* Open LOCAL_FOLDER below `root`; it is created if missing, for its owner only. */
int local_open_folder(int root, int *ret_fd, struct error *err);

#endif
