// The official TypeScript client at the example `asking`: prints what it gets, as one line of JSON.
//
//   node scripts/mcp_clients.mjs SDK URL     SDK is the folder of @modelcontextprotocol/sdk

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [sdk, url] = process.argv.slice(2);
const load = (part) => import(pathToFileURL(join(sdk, "dist/esm", part)));
const { Client } = await load("client/index.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
const { ElicitRequestSchema } = await load("types.js");

async function call(name, args, decision, options) {
    const client = new Client({ name: "table", version: "1.0.0" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { decision } }));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const result = await client.callTool({ name, arguments: args }, undefined, options);
    await client.close();
    return result;
}

const text = (result) => result.content[0].text;
const heard = [];
const read = await call("stock", { item: "lamp" });
await call("count", {}, "", { onprogress: ({ progress, total }) => heard.push([progress, total]) });
console.log(JSON.stringify({
    read: text(read),
    write: text(await call("pay", { euros: 90 }, "approve")),
    refused: text(await call("pay", { euros: 90 }, "refuse")),
    progress: heard,
    structured: read.structuredContent,
    bad: text(await call("pay", { euros: -1 })),
}));
