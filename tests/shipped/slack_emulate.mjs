// slack_emulate.mjs MODULES: the Slack of the npm package emulate, on a port of 127.0.0.1, which it
// prints. The package itself would listen on all interfaces.
import net from 'node:net';
import { pathToFileURL } from 'node:url';

const scopes = ['app_mentions:read', 'channels:history', 'channels:join', 'channels:read', 'chat:write',
	'files:read', 'files:write', 'groups:history', 'groups:read', 'im:history', 'mpim:history',
	'mpim:read', 'reactions:write', 'users:read'];
const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function () {
	return listen.call(this, { port: 0, host: '127.0.0.1' }, () => console.log(this.address().port));
};
const { createEmulator } = await import(pathToFileURL(`${process.argv[2]}/emulate/dist/api.js`));
await createEmulator({
	service: 'slack',
	port: 4003,
	seed: {
		slack: {
			strict_scopes: true,
			users: [{ name: 'alice', real_name: 'Alice' }, { name: 'andy', real_name: 'Andy' }],
			tokens: [
				{ token: 'xoxb-1-andy', user: 'andy', scopes },
				{ token: 'xoxp-1-alice', user: 'alice', scopes },
			],
		},
	},
});
