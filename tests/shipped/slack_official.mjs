// slack_official.mjs MODULES URL BOT_TOKEN APP_TOKEN: Slack's own clients against a server. They print
// a line for each thing that they saw; the test that runs this compares them.
import { createRequire } from 'node:module';

const [modules, slackApiUrl, botToken, appToken] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { LogLevel, SocketModeClient } = require('@slack/socket-mode');
const { WebClient } = require('@slack/web-api');

const clientOptions = { slackApiUrl: `${slackApiUrl}/` };
const web = new WebClient(botToken, clientOptions);
const socket = new SocketModeClient({ appToken, clientOptions, logLevel: LogLevel.ERROR });

socket.on('message', async ({ event, ack }) => {
	await ack();
	console.log(`event ${event.channel} ${event.text}`);
	if (event.text !== 'hello')
		return;
	const sent = await web.chat.postMessage({ channel: event.channel, markdown_text: '**hello**' });
	const { messages } = await web.conversations.history({ channel: event.channel, limit: 1 });
	console.log(`posted ${sent.ts === messages[0].ts}`);
});
await socket.start();
console.log(`connected as ${(await web.auth.test()).user_id}`);
const { user } = await web.users.info({ user: 'U7' });
console.log(`user ${user.profile.display_name}`);
