// mcp-client.mjs SERVER: public MCP clients, an old one and the newest of each era,
// list and call the tools of a host that runs. The sockets of its groups are in this folder.
// In TAP.

import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const server = process.argv[2];
const modules = process.env.NODE_MODULES;
if (process.versions.node.split('.')[0] < 20) {
  console.log('1..0 # SKIP node is too old');
  process.exit(0);
}
const load = (name) => import(pathToFileURL(path.join(modules, name)));

let count = 0;
let failed = false;

function result(ok, name, ...notes) {
  console.log(`${ok ? 'ok' : 'not ok'} ${++count} - ${name}`);
  if (!ok) {
    failed = true;
    for (const note of notes) console.log('# ' + JSON.stringify(note));
  }
}

const clients = [
  { version: '2024-11-05', folder: 'mcp-sdk-old/dist' },
  { version: '2025-11-25', folder: '@modelcontextprotocol/sdk/dist/esm' },
  {
    version: '2026-07-28',
    parts: ['@modelcontextprotocol/client/dist/index.mjs', '@modelcontextprotocol/client/dist/stdio.mjs'],
    options: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  },
];

// A client that is connected, as the agent of this group would be.
async function connect({ folder, parts, options }, group) {
  const [index, stdio] = parts ?? [`${folder}/client/index.js`, `${folder}/client/stdio.js`];
  const { Client } = await load(index);
  const { StdioClientTransport } = await load(stdio);
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: {}, ...options });
  const env = { PATH: process.env.PATH, NANOCLAW_SOCKET: `group-${group}.sock` };
  await client.connect(new StdioClientTransport({ command: server, args: [], env }));
  return client;
}

const task = { prompt: 'p', schedule_type: 'interval', schedule_value: '1h' };

async function try_client(kind) {
  const client = await connect(kind, 'main');
  const { tools } = await client.listTools();
  result(tools.length === 21 && client.getServerVersion().name === 'nanoclaw',
    `${kind.version}: main has its tools`, tools);
  const call = (name, args) => client.callTool({ name, arguments: args });
  const sent = await call('send_message', { text: `from ${kind.version}` });
  result(!sent.isError, `${kind.version}: a message is sent`, sent);
  const made = await call('schedule_task', task);
  const { id } = JSON.parse(made.content[0].text).task;
  const cancelled = await call('cancel_task', { task_id: id });
  result(!made.isError && !cancelled.isError, `${kind.version}: a task is made and cancelled`,
    made, cancelled);
  const wrong = await call('schedule_task', { ...task, schedule_type: 'cron' });
  result(wrong.isError && wrong.content[0].text.includes('schedule_task was not done'),
    `${kind.version}: a mistake is told to the model`, wrong);
  const unknown = await call('format_disk', {}).then(() => null, (error) => error);
  result(unknown?.code === -32602, `${kind.version}: an unknown tool is an error`, unknown);
  await client.close();
  const other = await connect(kind, 'g1');
  const names = (await other.listTools()).tools.map((tool) => tool.name);
  const refused = await other.callTool({ name: 'remove_group', arguments: { group: 'main' } });
  result(names.length === 13 && !names.includes('remove_group') && refused.isError,
    `${kind.version}: another group has fewer`, names, refused);
  await other.close();
}

const samples = [
  ['send_message', {}],
  ['send_message', { text: '' }],
  ['send_message', { text: 'x'.repeat(65537) }],
  ['send_message', { text: '\u{1f600}'.repeat(300) }],
  ['send_message', { text: 5 }],
  ['send_message', { text: 'x', folder: 'main' }],
  ['schedule_task', { ...task, schedule_type: 'daily' }],
  ['schedule_task', { ...task, context_mode: 'isolated', missed: 'skip' }],
  ['schedule_task', { ...task, prompt: null }],
  ['list_tasks', { all: 'yes' }],
  ['list_tasks', { all: true }],
  ['get_task_runs', { task_id: 1, limit: 10 }],
  ['get_task_runs', { task_id: 1.5 }],
  ['get_task_runs', { task_id: '1', limit: 0 }],
  ['get_task_runs', { task_id: '1', limit: '5' }],
  ['register_group', { jid: 'x', name: 'n', folder: '../up' }],
  ['register_group', { jid: 'x', name: 'n', folder: 'Up' }],
  ['register_group', { jid: 'x', name: 'é'.repeat(201) }],
  ['register_group', { jid: 'x', name: 'n', allow: 'everybody' }],
  ['register_group', { jid: 'x', name: 'n', is_main: true }],
  ['list_groups', { group: 'main' }],
];

// The schema that is published means the same to a validator of others as to us.
async function compare_schemas(kind) {
  const Ajv = createRequire(path.join(modules, 'x'))('ajv');
  const client = await connect(kind, 'main');
  const { tools } = await client.listTools();
  for (const [name, args] of samples) {
    const schema = tools.find((tool) => tool.name === name).inputSchema;
    const valid = new (Ajv.default ?? Ajv)({ allowUnionTypes: true }).validate(schema, args);
    const answer = await client.callTool({ name, arguments: args });
    const refused = answer.isError && answer.content[0].text.includes('was not done: ');
    const shown = [...JSON.stringify(args)].slice(0, 60).join('');
    result(valid === !refused, `${name} ${shown} is ${valid ? 'right' : 'wrong'}`, answer);
  }
  await client.close();
}

for (const kind of clients) await try_client(kind);
await compare_schemas(clients[1]);
console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
