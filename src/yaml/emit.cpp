// Trees as block YAML and as JSON.
#include "yaml/emit.h"
#include "base/text.h"
#include "yaml/emit_scalar.h"
#include "yaml/scalar_type.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace lockstep {
namespace {

constexpr std::size_t longest_simple_key = 128;

bool is_key_letter(unsigned char c) { // beyond ASCII nearly everything that is in a key is one
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

// The order of keys in go-yaml 2: digits before letters, numbers by their value.
bool key_less(std::string_view a, std::string_view b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (a[i] == b[i]) continue;
        const auto ca = static_cast<unsigned char>(a[i]), cb = static_cast<unsigned char>(b[i]);
        if (is_key_letter(ca) && is_key_letter(cb)) return ca < cb;
        if (is_key_letter(ca) || is_key_letter(cb)) return is_key_letter(cb);
        std::uint64_t na = 0, nb = 0;
        if (a[i] == '0' || b[i] == '0')
            for (std::size_t j = i; j-- > 0 && is_digit(a[j]);)
                if (a[j] != '0') {
                    na = nb = 1;
                    break;
                }
        std::size_t ea = i, eb = i;
        for (; ea < a.size() && is_digit(a[ea]); ++ea)
            na = na * 10 + static_cast<unsigned>(a[ea] - '0');
        for (; eb < b.size() && is_digit(b[eb]); ++eb)
            nb = nb * 10 + static_cast<unsigned>(b[eb] - '0');
        if (na != nb) return na < nb;
        if (ea != eb) return ea < eb;
        return ca < cb;
    }
    return a.size() < b.size();
}

std::vector<std::uint32_t> key_order(const Value& mapping, bool sort_them, bool bytewise = false) {
    std::vector<std::uint32_t> order(mapping.size());
    std::iota(order.begin(), order.end(), 0U);
    if (sort_them)
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const std::string_view first = mapping.key_at(a)->text, second = mapping.key_at(b)->text;
            return bytewise ? first < second : key_less(first, second);
        });
    return order;
}

class YamlEmitter {
public:
    YamlEmitter(std::string& out, const EmitOptions& options) : sink_{out, out.size()}, options_(options) {}

    void document(const Value& value) {
        if (value.count == 0) mark(value);
        if (value.is_mapping() && value.count > 0)
            mapping(value, 0);
        else if (value.is_sequence() && value.count > 0)
            sequence(value, 0);
        else
            leaf(value, 2);
        sink_.out += '\n';
        mark_lines({});
    }

private:
    // The place of the line that is being written: the first node that asks for it.
    void mark(const Value& value) {
        if (!options_.places || marked_) return;
        line_ = {value.place, value.changed_by};
        marked_ = true;
    }

    // All lines up to here come from the node that was marked on the first of them.
    void mark_lines(LinePlace next) {
        if (!options_.places) return;
        for (; counted_ < sink_.out.size(); ++counted_)
            if (sink_.out[counted_] == '\n') options_.places->push_back(line_);
        line_ = next;
        marked_ = false;
    }

    void start_line(std::size_t indent) {
        sink_.newline(indent);
        mark_lines({});
    }

    // Keys and items begin at `indent`; the first of them is where the sink is already.
    void mapping(const Value& value, std::size_t indent) {
        bool first = true;
        for (const std::uint32_t i : key_order(value, options_.sort_keys)) {
            if (!first) start_line(indent);
            first = false;
            entry(*value.key_at(i), *value.value_at(i), indent);
        }
    }

    void entry(const Value& key, const Value& value, std::size_t indent) {
        if (options_.places) mark(value.is_scalar() || value.count == 0 ? value : key);
        const std::string_view text = key.text;
        const bool simple = text.size() <= longest_simple_key && text.find('\n') == std::string_view::npos;
        if (!simple) {
            sink_.out += "? ";
            write_scalar(sink_, text, scalar_style(text, false), indent + 2, false);
            start_line(indent);
        } else
            write_scalar(sink_, text, scalar_style(text, true), indent, true);
        sink_.out += ':';
        if (value.is_mapping() && value.count > 0) {
            if (simple)
                start_line(indent + 2);
            else
                sink_.out += ' ';
            mapping(value, indent + 2);
        } else if (value.is_sequence() && value.count > 0) {
            start_line(indent);
            sequence(value, indent);
        } else {
            sink_.out += ' ';
            leaf(value, indent + 2);
        }
    }

    void sequence(const Value& value, std::size_t indent) {
        bool first = true;
        for (const Value* item : value.items()) {
            if (!first) start_line(indent);
            first = false;
            if (item->count == 0) mark(*item);
            sink_.out += "- ";
            if (item->is_mapping() && item->count > 0)
                mapping(*item, indent + 2);
            else if (item->is_sequence() && item->count > 0)
                sequence(*item, indent + 2);
            else
                leaf(*item, indent + 2);
        }
    }

    void leaf(const Value& value, std::size_t indent) {
        if (value.is_mapping()) {
            sink_.out += "{}";
            return;
        }
        if (value.is_sequence()) {
            sink_.out += "[]";
            return;
        }
        const JsonScalar scalar = json_scalar(value);
        if (scalar.type == JsonType::text || scalar.type == JsonType::bad) {
            const std::string_view text = scalar.type == JsonType::bad ? value.text : scalar.shown();
            write_scalar(sink_, text, scalar_style(text, false), indent, false);
        } else if (scalar.type == JsonType::number && scalar.shown().find_first_of(".e") != std::string_view::npos)
            sink_.out += go_float(std::strtod(std::string(scalar.shown()).c_str(), nullptr));
        else
            sink_.out.append(scalar.shown());
    }

    EmitSink sink_;
    const EmitOptions& options_;
    LinePlace line_;
    bool marked_ = false;
    std::size_t counted_ = sink_.out.size();
};

void json_text(std::string_view text, std::string& out) {
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out.append({'\\', c});
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (c == '\r')
            out += "\\r";
        else if (c == '\b')
            out += "\\b";
        else if (c == '\f')
            out += "\\f";
        else if (byte < 0x20) {
            out += "\\u00";
            out += "0123456789abcdef"[byte >> 4U];
            out += "0123456789abcdef"[byte & 15U];
        } else
            out += c;
    }
    out += '"';
}

void json_break(std::string& out, unsigned indent, unsigned depth) {
    if (indent == 0) return;
    out += '\n';
    out.append(std::size_t{indent} * depth, ' ');
}

void json_value(const Value& value, std::string& out, unsigned indent, unsigned depth) {
    if (value.is_scalar()) {
        const JsonScalar scalar = json_scalar(value);
        if (scalar.type == JsonType::text || scalar.type == JsonType::bad)
            json_text(scalar.type == JsonType::bad ? value.text : scalar.shown(), out);
        else
            out.append(scalar.shown());
        return;
    }
    const bool mapping = value.is_mapping();
    out += mapping ? '{' : '[';
    bool first = true;
    const auto separate = [&] {
        if (!first) out += ',';
        first = false;
        json_break(out, indent, depth + 1);
    };
    if (mapping)
        for (const std::uint32_t i : key_order(value, true, true)) {
            separate();
            json_text(value.key_at(i)->text, out);
            out += indent > 0 ? ": " : ":";
            json_value(*value.value_at(i), out, indent, depth + 1);
        }
    else
        for (const Value* item : value.items()) {
            separate();
            json_value(*item, out, indent, depth + 1);
        }
    if (!first) json_break(out, indent, depth);
    out += mapping ? '}' : ']';
}

} // namespace

void emit_yaml(const Value& value, std::string& out, const EmitOptions& options) {
    YamlEmitter(out, options).document(value);
}

void emit_json(const Value& value, std::string& out, unsigned indent) {
    json_value(value, out, indent, 0);
}

} // namespace lockstep
