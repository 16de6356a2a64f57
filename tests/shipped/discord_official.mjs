// discord_official.mjs MODULES API TOKEN: discord.js against a server. It prints a line for each thing
// that it saw; the test that runs this compares them.
import { createRequire } from 'node:module';

const [modules, api, token] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { Client, Events, GatewayIntentBits, Partials } = require('discord.js');

const client = new Client({
	intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages,
		GatewayIntentBits.GuildMessageReactions, GatewayIntentBits.MessageContent],
	partials: [Partials.Message, Partials.Reaction],
	rest: { api },
});

client.on(Events.ClientReady, () => console.log(`ready ${client.user.username}`));
client.on(Events.ShardReady, () => console.log('session'));
client.on(Events.ShardResume, () => console.log('resumed'));
client.on(Events.MessageCreate, async (message) => {
	console.log(`message ${message.channel.name} ${message.author.username} ${message.content}`);
	if (message.content !== 'hello')
		return;
	const nonce = '123';
	const sent = await message.reply({ content: 'hi', nonce, enforceNonce: true });
	const again = await message.reply({ content: 'hi', nonce, enforceNonce: true });
	const found = await message.channel.messages.fetch({ after: message.id, limit: 10 });
	console.log(`replied ${sent.id === again.id} ${found.size} ${sent.reference.messageId === message.id}`);
});
client.on(Events.MessageUpdate, (_, message) => console.log(`edited ${message.content}`));
client.on(Events.MessageReactionAdd, (reaction) => console.log(`reaction ${reaction.emoji.name}`));
client.on(Events.ThreadCreate, (thread) => console.log(`thread ${thread.parent.name} ${thread.name}`));
await client.login(token);
