// sdk.mjs PORT COUNT API: ask a provider COUNT times with the vendor's own SDK, in streams; a line
// of JSON for each message: {text, calls: [[name, input]], thinking, usage: [input, output]}.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [port, count, api] = process.argv.slice(2);
const require = createRequire(join(process.env.NODE_MODULES, "index.js"));
const load = async (name) => (await import(pathToFileURL(require.resolve(name)))).default;
const messages = [{ role: "user", content: "Go on." }];

async function askAnthropic(client) {
  const message = await client.messages
    .stream({ model: "played", max_tokens: 1000, messages })
    .finalMessage();
  const of = (type) => message.content.filter((block) => block.type === type);
  return {
    text: of("text").map((block) => block.text).join(""),
    calls: of("tool_use").map((block) => [block.name, block.input]),
    thinking: of("thinking").map((block) => [block.thinking, block.signature]),
    usage: [message.usage.input_tokens, message.usage.output_tokens],
  };
}

async function askOpenai(client) {
  const completion = await client.chat.completions
    .stream({ model: "played", messages, stream_options: { include_usage: true } })
    .finalChatCompletion();
  const message = completion.choices[0].message;
  return {
    text: message.content ?? "",
    calls: (message.tool_calls ?? []).map((call) => [
      call.function.name,
      JSON.parse(call.function.arguments),
    ]),
    thinking: [],
    usage: [completion.usage.prompt_tokens, completion.usage.completion_tokens],
  };
}

const anthropic = api === "anthropic";
const SDK = await load(anthropic ? "@anthropic-ai/sdk" : "openai");
const client = new SDK({
  apiKey: "none",
  baseURL: `http://127.0.0.1:${port}${anthropic ? "" : "/v1"}`,
  maxRetries: 0,
});
for (let i = 0; i < Number(count); i++) {
  console.log(JSON.stringify(await (anthropic ? askAnthropic : askOpenai)(client)));
}
