// The replies of zod and ajv to each call on standard input.
const { z } = require("zod");
const Ajv = require("ajv");

const search = z.object({
  query: z.string().min(2).max(80).describe("What to look for"),
  limit: z.int().min(1).max(50),
  mode: z.enum(["quick", "thorough"]),
  tags: z.array(z.string()),
  filter: z.object({ field: z.string(), minimum: z.int().optional() }),
  exact: z.boolean(),
  price_max: z.number().optional(),
});
const ajv = new Ajv({ allErrors: true, strict: false });
const valid = ajv.compile(z.toJSONSchema(search, { target: "draft-7" }));

const calls = JSON.parse(require("fs").readFileSync(0, "utf8"));
const replies = { zod: [], ajv: [] };
for (const { text } of calls) {
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
