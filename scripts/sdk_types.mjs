// Writes events as TypeScript, each with the type of its SDK, for the compiler to check (see scripts/sdk_types). Fields
// that the events leave out may be missing; each field that they have must have its name and its type. The types of
// Mistral and Cohere are not those of the events, which their packages rename.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const TYPES = {
  chat: ["ChatCompletionChunk", "openai/resources/chat/completions"],
  responses: ["ResponseStreamEvent", "openai/resources/responses/responses"],
  messages: ["RawMessageStreamEvent", "@anthropic-ai/sdk/resources/messages"],
  gemini: ["GenerateContentResponse, FinishReason", "@google/genai"],
  vertex: ["GenerateContentResponse, FinishReason", "@google/genai"],
  ollama: ["ChatResponse", "ollama"],
};

const events = {};
for (const line of readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  const { api, event } = JSON.parse(line);
  (events[api] ??= []).push(event);
}
mkdirSync("events", { recursive: true });
for (const [api, [type, path]] of Object.entries(TYPES)) {
  const lines = events[api].map((event) => `  ${JSON.stringify(event)},\n`).join("")
    .replaceAll('"finishReason":"STOP"', '"finishReason":"STOP" as FinishReason');
  const sent = "type Sent<T> = T extends object ? { [K in keyof T]?: Sent<T[K]> } : T;\n";
  const head = `import type { ${type} } from "${path}";\n${sent}`;
  const text = `${head}export const events: Sent<${type.split(",")[0]}>[] = [\n${lines}];\n`;
  writeFileSync(`events/${api}.ts`, text);
}
