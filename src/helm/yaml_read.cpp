// From the node table to values.
#include "helm/yaml_read.h"
#include "helm/go_number.h"
#include "helm/text_builder.h"
#include "helm/yaml_scalar.h"
#include "yaml/bytes.h"
#include "yaml/events.h"
#include "yaml/quick.h"
#include <cmath>
#include <utility>

namespace lockstep {
namespace {

constexpr int deepest_yaml = 500;
constexpr std::size_t most_values = 5'000'000;

class YamlReader {
public:
    YamlReader(ValueArena& arena, FileId file, const GoValue* text, bool keep_integers)
        : arena_(arena), file_(file), text_(text), keep_integers_(keep_integers) {}

    GoValue read(NodeRef node, int depth) {
        if (depth > deepest_yaml || ++count_ > most_values || arena_.exhausted()) {
            fail("yaml: document contains excessive aliasing");
            return {};
        }
        if (!node || !error.empty()) return make_nil();
        if (node.node().kind == NodeKind::alias) {
            const NodeRef target = node.resolved();
            if (!target) {
                fail("yaml: unknown anchor '" + std::string(node.source().substr(1)) + "' referenced");
                return {};
            }
            return read(target, depth + 1);
        }
        if (node.is_scalar()) return scalar(node);
        if (node.is_sequence()) {
            GoValue list = make_list(arena_);
            list.origin = origin(node);
            for (const NodeRef& item : node.items())
                push(arena_, *list.list, read(item, depth + 1));
            return list;
        }
        GoValue map = make_map(arena_);
        map.origin = origin(node);
        read_map(node, *map.map, depth);
        return map;
    }

    std::string error;

private:
    void fail(std::string message) {
        if (error.empty()) error = "error converting YAML to JSON: " + std::move(message);
    }

    void read_map(NodeRef node, GoMap& map, int depth) {
        for (const NodeRef::Entry& entry : node.entries()) {
            if (!error.empty()) return;
            const bool merge = entry.key.is_scalar() && entry.key.node().style == NodeStyle::plain &&
                               entry.key.text() == "<<" && entry.key.tag().empty();
            if (merge) {
                merge_from(entry.value, map, depth + 1);
                continue;
            }
            const std::string_view key = key_text(entry.key);
            const ValueOrigin* key_origin = origin(entry.key);
            const ValueOrigin* outer = std::exchange(below_, key_origin);
            const GoValue value = read(entry.value, depth + 1);
            below_ = outer;
            put(arena_, map, key, value, key_origin);
        }
    }

    // Keys that are there already, or come later, win over merged ones.
    void merge_from(NodeRef value, GoMap& map, int depth) {
        const NodeRef target = value.resolved();
        if (target.is_sequence()) {
            const auto all = target.items();
            for (std::size_t i = all.size(); i > 0; --i)
                merge_from(all[i - 1], map, depth + 1);
            return;
        }
        if (!target.is_mapping() || depth > deepest_yaml)
            return fail("yaml: map merge requires map or sequence of maps as the value");
        GoMap merged;
        read_map(target, merged, depth + 1);
        for (const GoEntry& entry : merged.all())
            put(arena_, map, entry.key, entry.value, entry.key_origin);
    }

    std::string_view key_text(NodeRef key) {
        const NodeRef node = key.resolved();
        if (!node.is_scalar()) {
            fail("yaml: invalid map key: " + std::string(key.source()));
            return {};
        }
        const GoValue value = scalar(node);
        if (value.is_string()) return value.str();
        if (value.type == GoType::boolean) return value.boolean ? "true" : "false";
        if (value.type == GoType::float64 || value.is_integer()) {
            const PlainScalar plain = resolve_plain(node.text());
            if (plain.meaning == ScalarMeaning::integer) return arena_.copy(std::to_string(plain.integer));
            if (plain.meaning == ScalarMeaning::natural) return arena_.copy(std::to_string(plain.natural));
            return arena_.copy(format_float(value.number, 'g', -1));
        }
        fail("Unsupported map key of type: %!s(<nil>), key: %!+#v(<nil>), value: ");
        return {};
    }

    GoValue scalar(NodeRef node) {
        const std::string_view text = node.text();
        const ValueOrigin* at = origin(node);
        const std::string_view tag = node.tag();
        const bool plain = node.node().style == NodeStyle::plain;
        const bool typed = tag.empty()
                               ? plain
                               : tag.starts_with("tag:yaml.org,2002:") && tag.find(":str") == std::string_view::npos &&
                                     tag.find(":binary") == std::string_view::npos;
        GoValue value;
        const PlainScalar meaning = typed ? resolve_plain(text) : PlainScalar{};
        switch (meaning.meaning) {
        case ScalarMeaning::null:
            value = make_nil();
            break;
        case ScalarMeaning::boolean:
            value = make_bool(meaning.boolean);
            break;
        case ScalarMeaning::integer:
            value = keep_integers_ ? make_int(meaning.integer, GoType::int64)
                                   : make_float(static_cast<double>(meaning.integer));
            break;
        case ScalarMeaning::natural:
            value = keep_integers_ ? make_int(static_cast<std::int64_t>(meaning.natural), GoType::uint64)
                                   : make_float(static_cast<double>(meaning.natural));
            break;
        case ScalarMeaning::number:
            if (!std::isfinite(meaning.number))
                fail("json: unsupported value: " + format_float(meaning.number, 'g', -1));
            value = make_float(meaning.number);
            break;
        default:
            if (node.node().style == NodeStyle::literal) return block(node, text, at);
            return make_text(arena_, {keep(node, text), {}}, at);
        }
        value.origin = at;
        return value;
    }

    // A literal block: each line of it is a line of the source without its indentation.
    GoValue block(NodeRef node, std::string_view text, const ValueOrigin* whole) {
        const std::string_view source = node.source();
        std::size_t line = source.find('\n'); // behind `|`
        TextBuilder out(arena_);
        for (std::size_t at = 0; at < text.size() && line != std::string_view::npos;) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::size_t close = std::min(source.find('\n', line + 1), source.size());
            std::string_view written = source.substr(line + 1, close - line - 1);
            if (written.ends_with('\r')) written.remove_suffix(1);
            if (!written.ends_with(text.substr(at, end - at))) break;
            const auto stop = node.node().begin + static_cast<std::uint32_t>(line + 1 + written.size());
            out.add(text.substr(at, end - at), origin_at({stop - static_cast<std::uint32_t>(end - at), stop}, true));
            if (end < text.size()) out.add("\n", whole);
            at = end + 1;
            line = close < source.size() ? close : std::string_view::npos;
        }
        if (out.bytes != text) return make_text(arena_, {keep(node, text), {}}, whole);
        return out.finish(whole);
    }

    // Bytes that are in the source stay there; decoded ones are copied out of the table.
    std::string_view keep(NodeRef node, std::string_view text) {
        return node.node().decoded ? arena_.copy(text) : text;
    }

    const ValueOrigin* origin(NodeRef node) {
        const Node& raw = node.node();
        const bool copied = raw.kind == NodeKind::scalar && !raw.decoded && raw.text_size > 0;
        const Span span = copied ? Span{raw.text_begin, raw.text_begin + raw.text_size} : Span{raw.begin, raw.end};
        return origin_at(span, copied);
    }

    const ValueOrigin* origin_at(Span span, bool copied) {
        if (text_ != nullptr) return origin_of_part(arena_, *text_, span.begin, span.end);
        if (file_ == no_file) return nullptr;
        ValueOrigin made;
        made.at = {file_, span};
        made.linear = copied;
        made.left = below_;
        return arena_.make<ValueOrigin>(made);
    }

    ValueArena& arena_;
    FileId file_;
    const GoValue* text_;
    const ValueOrigin* below_ = nullptr; // the key that holds what is read now: with another name it were not found
    bool keep_integers_;
    std::size_t count_ = 0;
};

YamlRead read(ValueArena& arena, std::string_view text, FileId file, const GoValue* source,
              bool keep_integers = false) {
    YamlRead result;
    result.value = make_nil();
    ByteScan scan = scan_bytes(text);
    for (const YamlProblem& problem : scan.problems) {
        if (problem.kind == YamlProblem::Kind::line_separator) continue;
        result.error =
            "error converting YAML to JSON: yaml: " +
            std::string(scan.readable ? "control characters are not allowed" : "invalid leading UTF-8 octet");
        result.error_at = problem.span.begin;
        return result;
    }
    EventInput input;
    input.source = input.parsed = text;
    input.ascii = scan.ascii;
    input.odd_breaks = scan.odd_breaks;
    auto quick = read_quickly(input);
    EventResult events = quick ? std::move(*quick) : read_events(input);
    YamlText& yaml = events.yaml;
    yaml.text = text;
    for (const YamlProblem& problem : yaml.problems) {
        if (problem.kind != YamlProblem::Kind::syntax || (!problem.in_first_document && !problem.limit)) continue;
        result.error =
            "error converting YAML to JSON: yaml: " + (problem.limit ? problem.message : problem.reader_message);
        result.error_at = problem.span.begin;
        return result;
    }
    if (yaml.documents.empty() || yaml.documents[0].root == no_node) return result;
    YamlReader reader(arena, file, source, keep_integers);
    result.value = reader.read(NodeRef(&yaml, yaml.documents[0].root), 0);
    result.error = std::move(reader.error);
    return result;
}

} // namespace

YamlRead read_yaml(ValueArena& arena, std::string_view text, FileId file, bool keep_integers) {
    return read(arena, text, file, nullptr, keep_integers);
}

YamlRead read_yaml(ValueArena& arena, const GoValue& text) {
    return read(arena, text.str(), no_file, arena.make<GoValue>(text));
}

std::string_view json_kind(const GoValue& value) {
    if (value.type == GoType::boolean) return "bool";
    if (value.is_string()) return "string";
    if (value.is_list()) return "array";
    if (value.is_map()) return "object";
    return "number";
}

std::string wrong_for_map(const GoValue& value, std::string_view go_type) {
    if (value.is_nil() || value.is_map()) return {};
    return "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " + std::string(json_kind(value)) +
           " into Go value of type " + std::string(go_type);
}

} // namespace lockstep
