// The numbers of o200k tokens of the texts on standard input.
const { Tiktoken } = require("js-tiktoken/lite");
const ranks = require("js-tiktoken/ranks/o200k_base");

const encoder = new Tiktoken(ranks);
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => encoder.encode(text, [], []).length)));
