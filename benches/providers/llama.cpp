// The converter and the matcher of llama.cpp, without a model.
//
// Reads lines of JSON: {"schema": text} or {"gbnf": text}, with "texts": [text, ..], "walks": number and "seed": number.
// Writes a line for each: {"error": text} or {"taken": [bool, ..], "walks": [text, ..]}.

#include "json-schema-to-grammar.h"
#include "json.h"
#include "llama-grammar.h"

#include <iostream>
#include <map>
#include <random>

using json = common_json;

static std::vector<uint32_t> code_points(const std::string & text) {
    std::vector<uint32_t> points;
    for (size_t i = 0; i < text.size();) {
        unsigned char first = text[i];
        int length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        uint32_t point = length == 1 ? first : first & (0x7F >> length);
        for (int j = 1; j < length && i + j < text.size(); j++) {
            point = point << 6 | (text[i + j] & 0x3F);
        }
        points.push_back(point);
        i += length;
    }
    return points;
}

static void put(std::string & text, uint32_t point) {
    if (point < 0x80) {
        text += char(point);
    } else if (point < 0x800) {
        text += char(0xC0 | point >> 6);
        text += char(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        text += char(0xE0 | point >> 12);
        text += char(0x80 | (point >> 6 & 0x3F));
        text += char(0x80 | (point & 0x3F));
    } else {
        text += char(0xF0 | point >> 18);
        text += char(0x80 | (point >> 12 & 0x3F));
        text += char(0x80 | (point >> 6 & 0x3F));
        text += char(0x80 | (point & 0x3F));
    }
}

static bool takes(const std::string & grammar, const std::string & text) {
    llama_grammar * matcher = llama_grammar_init_impl(nullptr, grammar.c_str(), "root", false, nullptr, 0, nullptr, 0);
    if (!matcher) {
        return false;
    }
    bool alive = true;
    for (uint32_t point : code_points(text)) {
        llama_grammar_accept(matcher, point);
        if (llama_grammar_get_stacks(matcher).empty()) {
            alive = false;
            break;
        }
    }
    bool ends = false;
    for (const auto & stack : llama_grammar_get_stacks(matcher)) {
        ends = ends || stack.empty();
    }
    llama_grammar_free_impl(matcher);
    return alive && ends;
}

// Derives texts from the rules that the parser of llama.cpp has made.
struct Walker {
    const llama_grammar_rules & rules;
    std::mt19937_64 random;
    std::vector<size_t> depth; // the fewest levels of rules below each rule

    using Element = const llama_grammar_element *;
    static const size_t NEVER = 1000000;

    Walker(const llama_grammar_rules & rules, uint64_t seed) : rules(rules), random(seed), depth(rules.size(), NEVER) {
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < rules.size(); i++) {
                size_t least = NEVER;
                for (Element way : ways(i)) {
                    least = std::min(least, depth_of(way));
                }
                if (least < depth[i]) {
                    depth[i] = least;
                    changed = true;
                }
            }
        }
    }

    size_t below(size_t bound) { return random() % bound; }

    std::vector<Element> ways(size_t rule) {
        std::vector<Element> found;
        if (rules[rule].empty()) {
            return found;
        }
        Element at = rules[rule].data();
        found.push_back(at);
        for (; at->type != LLAMA_GRETYPE_END; at++) {
            if (at->type == LLAMA_GRETYPE_ALT) {
                found.push_back(at + 1);
            }
        }
        return found;
    }

    size_t depth_of(Element at) {
        size_t most = 0;
        for (; at->type != LLAMA_GRETYPE_END && at->type != LLAMA_GRETYPE_ALT; at++) {
            if (at->type == LLAMA_GRETYPE_RULE_REF) {
                most = std::max(most, std::min(NEVER, depth[at->value] + 1));
            }
        }
        return most;
    }

    Element character(Element at, std::string & text) {
        bool negated = at->type == LLAMA_GRETYPE_CHAR_NOT;
        std::vector<std::pair<uint32_t, uint32_t>> ranges;
        bool any = at->type == LLAMA_GRETYPE_CHAR_ANY;
        do {
            if (at[1].type == LLAMA_GRETYPE_CHAR_RNG_UPPER) {
                ranges.push_back({at->value, at[1].value});
                at += 2;
            } else {
                ranges.push_back({at->value, at->value});
                at += 1;
            }
        } while (at->type == LLAMA_GRETYPE_CHAR_ALT);
        if (!negated && !any) {
            for (;;) {
                auto range = ranges[below(ranges.size())];
                // Half of the characters are of the first ones of a range.
                uint64_t size = range.second - range.first + 1;
                uint32_t point = range.first + below(below(2) ? std::min<uint64_t>(size, 0x60) : size);
                // A part of a pair is no character.
                if (point < 0xD800 || point > 0xDFFF) {
                    put(text, point);
                    return at;
                }
            }
        }
        for (;;) {
            uint32_t point = below(8) ? 0x20 + below(0x60) : below(0xD000);
            bool named = false;
            for (auto range : ranges) {
                named = named || (range.first <= point && point <= range.second);
            }
            if (any || !named) {
                put(text, point);
                return at;
            }
        }
    }

    void derive(size_t rule, size_t room, std::string & text) {
        auto all = ways(rule);
        size_t least = NEVER;
        for (Element way : all) {
            least = std::min(least, depth_of(way));
        }
        std::vector<Element> fitting;
        for (Element way : all) {
            // A long text ends on the shortest way.
            if (text.size() > 1500 || room < 4 ? depth_of(way) == least : depth_of(way) < room || depth_of(way) == least) {
                fitting.push_back(way);
            }
        }
        Element at = fitting[below(fitting.size())];
        while (at->type != LLAMA_GRETYPE_END && at->type != LLAMA_GRETYPE_ALT) {
            if (at->type == LLAMA_GRETYPE_RULE_REF) {
                derive(at->value, room > 0 ? room - 1 : 0, text);
                at++;
            } else {
                at = character(at, text);
            }
        }
    }
};

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        json out = json::object();
        try {
            json task = json::parse(line);
            std::string grammar = task.contains("gbnf") ? task.at("gbnf").get<std::string>()
                : json_schema_to_grammar(json::parse(task.at("schema").get<std::string>()));
            llama_grammar_parser parser;
            if (!parser.parse(grammar.c_str()) || parser.rules.empty()) {
                throw std::runtime_error("the grammar is not taken");
            }
            out["size"] = grammar.size();
            json taken = json::array();
            for (const auto & text : task.at("texts")) {
                taken.push_back(takes(grammar, text.get<std::string>()));
            }
            out["taken"] = taken;
            json walks = json::array();
            Walker walker(parser.rules, task.at("seed").get<uint64_t>());
            for (size_t i = 0; i < task.at("walks").get<size_t>(); i++) {
                std::string text;
                walker.derive(parser.symbol_ids.at("root"), 60 + walker.below(60), text);
                walks.push_back(text);
            }
            out["walks"] = walks;
        } catch (const std::exception & error) {
            out = json::object();
            out["error"] = std::string(error.what());
        }
        std::cout << out.dump() << "\n" << std::flush;
    }
}
