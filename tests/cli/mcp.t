# the MCP server is for agents: without their socket it says so, and without a host it lives on
== run ==
$ nanoclaw mcp
? 2
2> error: NANOCLAW_SOCKET is not set
2> hint: agents run this in their sandbox, where it is
$ printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}' nonsense '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_tasks"}}' | NANOCLAW_SOCKET=nothing nanoclaw mcp
> {"id":1,"jsonrpc":"2.0","result":{"capabilities":{"tools":{}},"instructions":"[..]","protocolVersion":"2025-11-25","serverInfo":{"name":"nanoclaw","title":"NanoClaw","version":"[..]"}}}
> {"error":{"code":-32700,"message":"Parse error: line:1:8: invalid token near 'nonsense'"},"id":null,"jsonrpc":"2.0"}
> {"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"cannot reach the host: no such file or directory.","type":"text"}],"isError":true}}
$ printf '{"jsonrpc":"2.0","id":1,"method":"ping"}' | NANOCLAW_SOCKET=nothing nanoclaw mcp
> {"id":1,"jsonrpc":"2.0","result":{}}
