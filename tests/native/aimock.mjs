// aimock.mjs: the npm package @copilotkit/aimock as a provider of both APIs. Prints its port; a line
// on stdin ends it. The conversation: 'count files' calls bash, and its result is said; 'overload'
// fails once; 'think' thinks first; 'cut' breaks off; 'both' calls twice.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.NODE_MODULES, "index.js"));
const { LLMock } = await import(pathToFileURL(require.resolve("@copilotkit/aimock")));
const mock = new LLMock({ port: 0 });
const bash = (command) => ({ name: "bash", arguments: JSON.stringify({ command }) });

mock.on({ userMessage: "count files", hasToolResult: false }, { toolCalls: [bash("echo one >>effects")] });
mock.on({ userMessage: "count files", hasToolResult: true }, { content: "There is one." });
mock.on({ userMessage: "both", hasToolResult: false },
  { toolCalls: [bash("echo one >>effects"), bash("echo two >>effects")] });
mock.on({ userMessage: "both", hasToolResult: true }, { content: "There are two." });
mock.on({ userMessage: "think" }, { content: "Forty-two.", reasoning: "Deep thought." });
mock.on({ userMessage: "overload", sequenceIndex: 0 },
  { error: { message: "Overloaded", type: "overloaded_error" }, status: 529 });
mock.on({ userMessage: "overload" }, { content: "Here again." });
mock.on({ userMessage: "cut", sequenceIndex: 0 }, { content: "This is a long answer. ".repeat(20) },
  { truncateAfterChunks: 3 });
mock.on({ userMessage: "cut" }, { content: "The whole answer." });
await mock.start();
console.log(new URL(mock.url).port);
process.stdin.once("data", () => process.exit(0));
process.stdin.once("end", () => process.exit(0));
