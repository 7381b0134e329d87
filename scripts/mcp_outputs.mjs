// Lists and calls the tools of the example `serve_outputs` with the official TypeScript client, which refuses a list
// with a schema that it does not take, and a result that does not fit the schema of its tool.
//
//   node scripts/mcp_outputs.mjs SDK PROGRAM     SDK is the folder of @modelcontextprotocol/sdk

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [sdk, program] = process.argv.slice(2);
const load = (part) => import(pathToFileURL(join(sdk, "dist/esm/client", part)));
const { Client } = await load("index.js");
const { StdioClientTransport } = await load("stdio.js");

const client = new Client({ name: "outputs", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: program, args: [] }));
const { tools } = await client.listTools();
if (tools.length < 40) throw new Error(`outputs: ${tools.length} tools`);
for (const { name, outputSchema } of tools) {
    if (outputSchema?.type !== "object") throw new Error(`outputs: ${name} has no schema of an object`);
    const numbers = [...Array(50).keys()].map(String);
    const results = await Promise.all(numbers.map((input) => client.callTool({ name, arguments: { input } })));
    results.forEach(({ isError, structuredContent }, number) => {
        if (isError || structuredContent === undefined) throw new Error(`outputs: ${name} ${number}: no output`);
    });
}
await client.close();
console.log(`typescript client: ${tools.length} tools, 50 results each: all taken`);
