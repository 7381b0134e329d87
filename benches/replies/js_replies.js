// The replies of ai, zod and ajv to each call on standard input.
const fs = require("fs");
const { z } = require("zod");
const Ajv = require("ajv");
const { InvalidToolInputError } = require("ai");
const { asSchema, safeParseJSON } = require("@ai-sdk/provider-utils");

const search = z.object({
  query: z.string().min(2).max(80).describe("What to look for"),
  limit: z.int().min(1).max(50),
  mode: z.enum(["quick", "thorough"]),
  tags: z.array(z.string()),
  filter: z.object({ field: z.string(), minimum: z.int().optional() }),
  exact: z.boolean(),
  code: z.string().regex(/^[A-Z]{3}-[0-9]{4}$/),
  headers: z.record(z.string(), z.string()),
  price_max: z.number().optional(),
});
const ajv = new Ajv({ allErrors: true, strict: false });
const valid = ajv.compile(z.toJSONSchema(search, { target: "draft-7", io: "input" }));

async function main() {
  const calls = JSON.parse(fs.readFileSync(0, "utf8"));
  const replies = { ai: [], zod: [], ajv: [] };
  for (const { text } of calls) {
    // As `generateText` of ai parses the input of a call.
    const parsed = await safeParseJSON({ text, schema: asSchema(search) });
    const fault = { toolName: "search", toolInput: text, cause: parsed.error };
    replies.ai.push(parsed.success ? null : new InvalidToolInputError(fault).message);
    let value;
    try {
      value = JSON.parse(text);
    } catch (error) {
      replies.zod.push(error.message);
      replies.ajv.push(error.message);
      continue;
    }
    const read = search.safeParse(value);
    replies.zod.push(read.success ? null : read.error.message);
    replies.ajv.push(valid(value) ? null : ajv.errorsText(valid.errors, { separator: "\n" }));
  }
  process.stdout.write(JSON.stringify(replies));
}

main();
