// Lists the tools of `callpact serve` over HTTP with the tokens of two people whose scopes differ, with the official
// TypeScript client: each gets another list.
//
//   node scripts/mcp_lists.mjs SDK URL WRITER READER     SDK is the folder of @modelcontextprotocol/sdk

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [sdk, url, writer, reader] = process.argv.slice(2);
const load = (part) => import(pathToFileURL(join(sdk, "dist/esm/client", part)));
const { Client } = await load("index.js");
const { StreamableHTTPClientTransport } = await load("streamableHttp.js");

async function names(token) {
    const client = new Client({ name: "lists", version: "1.0.0" });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const { tools } = await client.listTools();
    await client.close();
    return new Set(tools.map(({ name }) => name));
}

const all = await names(writer);
const fewer = await names(reader);
if (!all.has("file_write") || !fewer.has("file_read") || fewer.has("file_write") || fewer.size >= all.size) {
    throw new Error(`lists: ${[...all]} and ${[...fewer]}`);
}
console.log(`typescript client: ${all.size} tools for a writer, ${fewer.size} for a reader: passed`);
