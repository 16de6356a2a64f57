/* Heads that two programs read differently. What they hide is at /smuggled. */
#include <stdio.h>
#include <string.h>

#include "../attempt.h"
#include "../lenient.h"

#define HIDDEN "GET /smuggled HTTP/1.1\r\nHost: allowed.example\r\n\r\n"
#define TO     "GET http://allowed.example/smuggled HTTP/1.1\r\n"
#define HOST   "Host: allowed.example\r\n"

REQUEST(other_host, "name another host than the one it connects to", "http://allowed.example/",
	"GET http://allowed.example/ HTTP/1.1\r\nHost: admin.example\r\n\r\n");
REQUEST(two_hosts, "name two hosts", "a request",
	"GET http://allowed.example/ HTTP/1.1\r\n" HOST "Host: admin.example\r\n\r\n");
REQUEST(host_folded, "name a host in a line that goes on", "a request",
	"GET http://allowed.example/smuggled HTTP/1.1\r\n" HOST " admin.example\r\n\r\n");
REQUEST(space_before_colon, "name a header with a space behind it", "a request",
	TO HOST "Content-Length : 5\r\n\r\nabcde");
REQUEST(newline_only, "end lines in LF alone", "a request",
	"GET http://allowed.example/smuggled HTTP/1.1\nHost: allowed.example\n\n");
REQUEST(one_newline_only, "end one line in LF alone", "a request",
	TO HOST "X: 1\nHost: admin.example\r\n\r\n");
REQUEST(bare_return, "put a CR into a header", "a request", TO HOST "X: 1\rY: 2\r\n\r\n");
REQUEST(zero_byte, "put a zero byte into a header", "a request", TO HOST "X: 1\0002\r\n\r\n");
REQUEST(length_and_chunks, "give a length and chunks", "a request",
	"POST http://allowed.example/ HTTP/1.1\r\n" HOST
	"Content-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" HIDDEN);
REQUEST(two_lengths, "give two lengths", "a request",
	"POST http://allowed.example/ HTTP/1.1\r\n" HOST
	"Content-Length: 80\r\nContent-Length: 0\r\n\r\n" HIDDEN);
REQUEST(odd_coding, "give a coding that is nearly one", "a request",
	"POST http://allowed.example/ HTTP/1.1\r\n" HOST
	"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" HIDDEN);
REQUEST(length_with_sign, "give a length with a sign", "a request",
	"POST http://allowed.example/smuggled HTTP/1.1\r\n" HOST
	"Content-Length: +5\r\n\r\nabcde");
REQUEST(chunk_extension, "hide something in the size of a chunk", "allowed.example:80",
	"POST http://allowed.example/smuggled HTTP/1.1\r\n" HOST
	"Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nabcde\r\n0\r\n\r\n");
REQUEST(no_version, "ask without a version", "a request",
	"GET http://allowed.example/smuggled\r\n" HOST "\r\n");
REQUEST(other_version, "ask in another version", "a request",
	"GET http://allowed.example/smuggled HTTP/2.0\r\n" HOST "\r\n");
REQUEST(two_spaces, "put two spaces into the first line", "a request",
	"GET  http://allowed.example/smuggled HTTP/1.1\r\n" HOST "\r\n");
REQUEST(trace, "ask to be shown what was sent", "http://allowed.example/",
	"TRACE http://allowed.example/ HTTP/1.1\r\n" HOST "\r\n");
REQUEST(https_target, "ask for https without a tunnel", "https://private.t.example/",
	"GET https://private.t.example/ HTTP/1.1\r\nHost: private.t.example\r\n\r\n");
REQUEST(ftp_target, "ask for another protocol", "a request",
	"GET ftp://private.t.example/ HTTP/1.1\r\nHost: private.t.example\r\n\r\n");
REQUEST(connect_with_body, "connect with a body", "a request",
	"CONNECT private.t.example:80 HTTP/1.1\r\nHost: private.t.example:80\r\n"
	"Content-Length: 0\r\n\r\n");
REQUEST(connect_other_host, "connect with the name of an allowed host", "private.t.example:80",
	"CONNECT private.t.example:80 HTTP/1.1\r\nHost: allowed.example:80\r\n\r\n");

/* These are answered, but what they want does not get there. */
ANSWERED_REQUEST(upgrade, "change the protocol", "allowed.example:80",
	"GET http://allowed.example/ HTTP/1.1\r\n" HOST
	"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
ANSWERED_REQUEST(proxy_password, "have a proxy's password passed on", "allowed.example:80",
	"GET http://allowed.example/ HTTP/1.1\r\n" HOST
	"Proxy-Authorization: Basic eA==\r\n\r\n");
ANSWERED_REQUEST(pipelined, "ask another host in a second request", "allowed.example:80",
	"GET http://allowed.example/ HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n"
	"GET http://10.0.0.1/ HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n");
ANSWERED_REQUEST(behind_body, "ask another host behind a body", "allowed.example:80",
	"POST http://allowed.example/ HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\nxx" HIDDEN);

ATTEMPT(huge_head, MUST_NOT, "send a head without an end", "a request")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	CLEANUP(buf_release) struct buf head = BUF_INIT;

	buf_append_str(&head, TO HOST);
	for (int i = 0; i < 1000; i++)
		buf_appendf(&head, "X-%d: %0100d\r\n", i, i);
	buf_append_str(&head, "\r\n");
	exchange(head.data, head.len, &answer);
	return outcome_of(&answer);
}

ATTEMPT(after_tunnel, NO_EFFECT, "ask another host behind a tunnel", "allowed.example:80")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	CLEANUP(closep) int fd = open_proxy();

	send_text(
		fd, "CONNECT allowed.example:80 HTTP/1.1\r\nHost: allowed.example:80\r\n\r\n");
	read_until(fd, "\r\n\r\n", &answer);
	send_text(fd, "GET / HTTP/1.1\r\nHost: allowed.example\r\nConnection: close\r\n\r\n");
	read_until(fd, "public at", &answer);
	send_text(fd, "GET http://10.0.0.1/ HTTP/1.1\r\nHost: 10.0.0.1\r\n"
		      "Connection: close\r\n\r\n");
	read_until(fd, "SECRET", &answer);
	return outcome_of(&answer);
}
