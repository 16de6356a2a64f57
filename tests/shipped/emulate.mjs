// emulate.mjs MODULES SERVICE SEED: a service of the npm package emulate, on a port of 127.0.0.1, which
// it prints. The package itself would listen on all interfaces. SEED is JSON.
import net from 'node:net';
import { pathToFileURL } from 'node:url';

const [modules, service, seed] = process.argv.slice(2);
const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function () {
	return listen.call(this, { port: 0, host: '127.0.0.1' }, () => console.log(this.address().port));
};
const { createEmulator } = await import(pathToFileURL(`${modules}/emulate/dist/api.js`));
await createEmulator({ service, port: 4003, seed: { [service]: JSON.parse(seed) } });
