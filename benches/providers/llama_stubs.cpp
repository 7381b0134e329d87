// What llama.cpp's grammar needs from its other files, so that neither a model nor a device is built.

#include "common.h"
#include "llama-impl.h"
#include "llama-vocab.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

void ggml_abort(const char * file, int line, const char *, ...) {
    fprintf(stderr, "%s:%d: aborted\n", file, line);
    abort();
}

void llama_log_internal(ggml_log_level, const char *, ...) {}

int32_t llama_vocab::tokenize(const char *, int32_t, llama_token *, int32_t, bool, bool) const { return 0; }

std::string string_join(const std::vector<std::string> & values, const std::string & separator) {
    std::string joined;
    for (size_t i = 0; i < values.size(); i++) {
        joined += (i ? separator : "") + values[i];
    }
    return joined;
}

std::vector<std::string> string_split(const std::string & text, const std::string & delimiter) {
    std::vector<std::string> parts;
    size_t start = 0;
    for (size_t end; (end = text.find(delimiter, start)) != std::string::npos; start = end + delimiter.size()) {
        parts.push_back(text.substr(start, end - start));
    }
    parts.push_back(text.substr(start));
    return parts;
}

std::string string_repeat(const std::string & text, size_t count) {
    std::string repeated;
    for (size_t i = 0; i < count; i++) {
        repeated += text;
    }
    return repeated;
}
