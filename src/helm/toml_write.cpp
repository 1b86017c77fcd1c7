// The encoder: plain keys of a table first, then its tables, all sorted by name.
#include "helm/go_number.h"
#include "helm/runes.h"
#include "helm/toml_io.h"
#include <algorithm>
#include <cstdio>

namespace lockstep {
namespace {

constexpr int deepest_written_toml = 100;

std::string toml_quoted(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        switch (c) {
        case '\t':
            out += "\\t";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        default:
            if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
                char code[8];
                std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
                out += code;
            } else {
                out += c;
            }
        }
    }
    return out + "\"";
}

std::string key_text(std::string_view key) {
    const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    return bare ? std::string(key) : toml_quoted(key);
}

bool is_toml_table(const GoValue& value) {
    return value.is_map();
}

bool is_table_list(const GoValue& value) {
    if (!value.is_list() || items(value).empty()) return false;
    return std::all_of(items(value).begin(), items(value).end(), is_toml_table);
}

class TomlWriter {
public:
    explicit TomlWriter(TextBuilder& out) : out_(out) {}

    std::string error;

    void element(const GoValue& value, int depth) {
        if (depth > deepest_written_toml || !error.empty() || !out_.spend(1)) return;
        const std::size_t begin = out_.size();
        if (value.is_list()) {
            out_.add("[");
            bool first = true;
            for (const GoValue& item : items(value)) {
                if (item.is_nil()) {
                    error = "toml: cannot encode array with nil element";
                    return;
                }
                if (!first) out_.add(", ");
                first = false;
                element(item, depth + 1);
            }
            out_.add("]");
            return;
        }
        if (value.is_map()) {
            out_.add("{");
            bool first = true;
            for (const GoEntry& entry : entries(value)) {
                if (entry.value.is_nil()) continue;
                if (!first) out_.add(", ");
                first = false;
                out_.add(key_text(entry.key), entry.key_origin);
                out_.add(" = ");
                element(entry.value, depth + 1);
            }
            out_.add("}");
            return;
        }
        if (value.is_string()) {
            out_.bytes += toml_quoted(value.str());
        } else if (value.type == GoType::boolean) {
            out_.bytes += value.boolean ? "true" : "false";
        } else if (value.is_integer()) {
            out_.bytes += std::to_string(value.integer);
        } else {
            std::string text = format_float(value.number, 'g', -1);
            if (text.find_first_of(".e") == std::string::npos) text += ".0";
            out_.bytes += text;
        }
        out_.mark(begin, value.origin);
    }

    void table(const GoValue& value, const std::string& path, int depth) {
        if (depth > deepest_written_toml || !error.empty() || !out_.spend(1)) return;
        const std::string indent(depth > 0 ? static_cast<std::size_t>(depth - 1) * 2 : 0, ' ');
        const std::string inner(static_cast<std::size_t>(depth) * 2, ' ');
        for (const GoEntry& entry : entries(value)) {
            if (entry.value.is_nil() || is_toml_table(entry.value) || is_table_list(entry.value)) continue;
            out_.add(inner + key_text(entry.key), entry.key_origin);
            out_.add(" = ");
            element(entry.value, 0);
            out_.add("\n");
        }
        for (const GoEntry& entry : entries(value)) {
            const std::string name = path.empty() ? key_text(entry.key) : path + "." + key_text(entry.key);
            if (is_toml_table(entry.value)) {
                if (depth == 0 && out_.size() > 0) out_.add("\n");
                out_.add(inner + "[" + name + "]\n", entry.key_origin);
                table(entry.value, name, depth + 1);
            } else if (is_table_list(entry.value)) {
                for (const GoValue& item : items(entry.value)) {
                    if (out_.size() > 0) out_.add("\n");
                    out_.add(inner + "[[" + name + "]]\n", entry.key_origin);
                    table(item, name, depth + 1);
                }
            }
        }
    }

private:
    TextBuilder& out_;
};

} // namespace

std::string write_toml(TextBuilder& out, const GoValue& value) {
    TomlWriter writer(out);
    if (value.is_map())
        writer.table(value, "", 0);
    else if (is_table_list(value))
        return "toml: top-level values must be Go maps or structs";
    else
        writer.element(value, 0);
    return writer.error;
}

} // namespace lockstep
