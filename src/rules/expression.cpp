// The small language inside rule files: comparisons and messages, resolved to columns when the rule is loaded.
#include "base/semver.h"
#include "base/suggest.h"
#include "rules/load.h"
#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep {
namespace {

using Op = Comparison::Op;

constexpr std::array<std::pair<std::string_view, Op>, 12> operators = {{{"==", Op::equal},
                                                                        {"!=", Op::not_equal},
                                                                        {"<=", Op::less_equal},
                                                                        {">=", Op::greater_equal},
                                                                        {"<", Op::less},
                                                                        {">", Op::greater},
                                                                        {"same-minor", Op::same_minor},
                                                                        {"satisfies", Op::satisfies},
                                                                        {"matches", Op::matches},
                                                                        {"in", Op::in},
                                                                        {"exists", Op::exists},
                                                                        {"absent", Op::absent}}};

struct Token {
    enum class Kind : std::uint8_t { word, string, symbol, end } kind = Kind::end;
    std::string text;
};

bool is_word_byte(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
}

// Numbers, versions and booleans need no quotes.
bool is_plain_value(std::string_view text) {
    return std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text == "true" || text == "false";
}

Result<std::vector<Token>> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    std::size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n') {
            ++i;
        } else if (c == '"' || c == '\'') {
            const auto close = text.find(c, i + 1);
            if (close == std::string_view::npos) return Error{"unclosed quote in `" + std::string(text) + "`"};
            tokens.push_back({Token::Kind::string, std::string(text.substr(i + 1, close - i - 1))});
            i = close + 1;
        } else if (is_word_byte(c)) {
            std::size_t end = i;
            while (end < text.size() && is_word_byte(text[end]))
                ++end;
            tokens.push_back({Token::Kind::word, std::string(text.substr(i, end - i))});
            i = end;
        } else {
            const bool two =
                i + 1 < text.size() && text[i + 1] == '=' && (c == '=' || c == '!' || c == '<' || c == '>');
            tokens.push_back({Token::Kind::symbol, std::string(text.substr(i, two ? 2 : 1))});
            i += two ? 2 : 1;
        }
    }
    tokens.push_back({});
    return tokens;
}

std::optional<Op> operator_named(std::string_view text) {
    for (const auto& [name, op] : operators)
        if (name == text) return op;
    return std::nullopt;
}

Error unknown_column(const std::string& name, const FactSpec& fact) {
    std::string known;
    for (const auto& column : fact.columns)
        known += (known.empty() ? "" : ", ") + column;
    auto near = nearest(name, fact.columns);
    return {"`" + name + "` is not a field of fact `" + fact.name + "`",
            {},
            {0, 0},
            near ? "did you mean `" + *near + "`?" : "its fields: " + known + "; put text into quotes"};
}

Result<Operand> column_operand(const std::string& word, const std::vector<FactSpec>& facts, bool bare) {
    Operand operand;
    operand.name = word;
    std::string field = word;
    if (!bare) {
        const auto dot = word.find('.');
        const std::string name = word.substr(0, dot);
        std::vector<std::string> names;
        bool found = false;
        for (std::size_t i = 0; i < facts.size(); ++i) {
            names.push_back(facts[i].name);
            if (facts[i].name == name) {
                operand.fact = i;
                found = true;
            }
        }
        if (!found) {
            auto near = nearest(name, names);
            return Error{"`" + word + "` names no fact of this rule",
                         {},
                         {0, 0},
                         near ? "did you mean `" + *near + "`?" : "write fact.field, or put text into quotes"};
        }
        if (dot == std::string::npos)
            return Error{"`" + word + "` is a fact; a comparison needs one of its fields",
                         {},
                         {0, 0},
                         "write " + word + ".field"};
        field = word.substr(dot + 1);
    }
    const auto& fact = facts[operand.fact];
    for (std::size_t i = 0; i < fact.columns.size(); ++i)
        if (fact.columns[i] == field) {
            operand.column = i;
            operand.reading = fact.readings[i];
            return operand;
        }
    return unknown_column(field, fact);
}

// `count(fact)`
Result<Operand> counted_operand(const std::vector<Token>& tokens, std::size_t& i, const std::vector<FactSpec>& facts) {
    const std::string name = tokens[i + 2].text;
    if (tokens[i + 2].kind != Token::Kind::word || tokens[i + 3].text != ")")
        return Error{"count takes the name of a joined fact", {}, {0, 0}, "count(fact) >= 2"};
    const auto found =
        std::find_if(facts.begin(), facts.end(), [&](const FactSpec& fact) { return fact.name == name; });
    if (found == facts.end()) return Error{"`" + name + "` names no fact of this rule"};
    Operand operand;
    operand.counted = true;
    operand.fact = static_cast<std::size_t>(found - facts.begin());
    operand.name = "count(" + name + ")";
    i += 4;
    return operand;
}

Result<Operand> parse_operand(const std::vector<Token>& tokens, std::size_t& i, const std::vector<FactSpec>& facts,
                              bool bare) {
    const Token& token = tokens[i];
    if (token.kind == Token::Kind::word && token.text == "count" && tokens[i + 1].text == "(") {
        if (bare) return Error{"`count` counts joined rows: it goes with assert, forbid and when"};
        return counted_operand(tokens, i, facts);
    }
    Operand operand;
    operand.literal = true;
    operand.name = token.text;
    if (token.kind == Token::Kind::string) {
        operand.values.push_back(token.text);
        ++i;
        return operand;
    }
    if (token.kind == Token::Kind::symbol && token.text == "[") {
        ++i;
        while (tokens[i].kind == Token::Kind::word || tokens[i].kind == Token::Kind::string) {
            if (tokens[i].kind == Token::Kind::word && !is_plain_value(tokens[i].text))
                return Error{"`" + tokens[i].text + "` in a list is text, and text is put in quotes"};
            operand.values.push_back(tokens[i++].text);
            if (tokens[i].text == ",") ++i;
        }
        if (tokens[i].text != "]") return Error{"a list is written [\"a\", \"b\"]"};
        ++i;
        return operand;
    }
    if (token.kind != Token::Kind::word)
        return Error{token.kind == Token::Kind::end ? "a value is missing at the end"
                                                    : "unexpected `" + token.text + "`"};
    ++i;
    if (is_plain_value(token.text)) {
        operand.values.push_back(token.text);
        return operand;
    }
    return column_operand(token.text, facts, bare);
}

std::optional<Error> check_literals(Comparison& comparison) {
    const bool is_list_op = comparison.op == Op::in || comparison.op == Op::not_in;
    if (comparison.right.counted)
        return Error{"`count` comes first, and a number behind it", {}, {0, 0}, "count(fact) >= 2"};
    if (comparison.left.counted) {
        const bool compares = comparison.op == Op::equal || comparison.op == Op::not_equal ||
                              comparison.op == Op::less || comparison.op == Op::less_equal ||
                              comparison.op == Op::greater || comparison.op == Op::greater_equal;
        const auto& values = comparison.right.values;
        const bool number =
            comparison.right.literal && values.size() == 1 && !values[0].empty() && values[0].size() < 9 &&
            std::all_of(values[0].begin(), values[0].end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!compares || !number)
            return Error{"`" + comparison.left.name + "` is compared with a number", {}, {0, 0}, "count(fact) >= 2"};
        return std::nullopt;
    }
    if (!comparison.right.literal) {
        if (comparison.op == Op::matches) return Error{"`matches` needs a quoted pattern on its right"};
        if (is_list_op) return Error{"`in` needs a list on its right", {}, {0, 0}, "a.x in [\"p\", \"q\"]"};
        return std::nullopt;
    }
    if (is_list_op && comparison.right.values.empty()) return Error{"`in` needs a list with something in it"};
    if (!is_list_op && comparison.right.values.size() != 1) return Error{"a list goes with `in` only"};
    const std::string& value = comparison.right.values.front();
    if (comparison.op == Op::matches) {
        auto pattern = Pattern::compile(value);
        if (!pattern) return pattern.error();
        comparison.pattern = *pattern;
    }
    if (comparison.op == Op::satisfies && !Range::parse(value)) return Error{"`" + value + "` is not a version range"};
    const bool ordered = comparison.op == Op::less || comparison.op == Op::less_equal || comparison.op == Op::greater ||
                         comparison.op == Op::greater_equal || comparison.op == Op::same_minor;
    if (ordered && !parse_version(value)) return Error{"`" + value + "` is not a version"};
    return std::nullopt;
}

} // namespace

Result<Comparison> parse_comparison(std::string_view text, const std::vector<FactSpec>& facts, bool bare) {
    auto tokens = tokens_of(text);
    if (!tokens) return tokens.error();
    Comparison comparison;
    comparison.text = text;
    std::size_t i = 0;
    auto left = parse_operand(*tokens, i, facts, bare);
    if (!left) return left.error();
    if (left->literal)
        return Error{
            "`" + std::string(text) + "` must start with a field", {}, {0, 0}, "write the field first, then the value"};
    comparison.left = *left;
    auto op = operator_named((*tokens)[i].text);
    if ((*tokens)[i].kind == Token::Kind::word && (*tokens)[i].text == "not" && (*tokens)[i + 1].text == "in") {
        op = Op::not_in;
        ++i;
    }
    if (!op || (*tokens)[i].kind == Token::Kind::string)
        return Error{"`" + std::string(text) + "` has no comparison after `" + left->name + "`",
                     {},
                     {0, 0},
                     "one of ==, !=, <, <=, >, >=, same-minor, satisfies, matches, in, not in, exists, absent"};
    comparison.op = *op;
    ++i;
    if (comparison.left.counted && (*op == Op::exists || *op == Op::absent))
        return Error{"`" + left->name + "` is compared with a number", {}, {0, 0}, "count(fact) >= 2"};
    if (*op != Op::exists && *op != Op::absent) {
        auto right = parse_operand(*tokens, i, facts, bare);
        if (!right) return right.error();
        comparison.right = *right;
        if (auto error = check_literals(comparison)) return *error;
    }
    if ((*tokens)[i].kind != Token::Kind::end)
        return Error{"unexpected `" + (*tokens)[i].text + "` after `" + std::string(text) + "`",
                     {},
                     {0, 0},
                     "one comparison per line; a list of them is «and»"};
    return comparison;
}

std::vector<Comparison> read_condition(StrictReader& reader, NodeRef node, std::string_view key,
                                       const std::vector<FactSpec>& facts, bool bare) {
    std::vector<Comparison> all;
    if (!node) return all;
    for (auto item : node.is_sequence() ? node.items() : std::vector<NodeRef>{node}) {
        if (item.is_mapping()) {
            if (!reader.check_keys(item, "a condition", {"any"})) return {};
            Comparison either;
            either.op = Op::any;
            either.left.literal = either.right.literal = true;
            either.right.values.emplace_back();
            for (auto way : item.get("any").items())
                either.any.push_back(read_condition(reader, way, "any", facts, bare));
            if (!reader.error() && either.any.size() < 2)
                reader.fail(item, "`any` is a list of conditions, one of which must hold",
                            "any: [a.x absent, a.x == \"y\"]");
            all.push_back(std::move(either));
        } else if (!item.is_scalar() || item.is_null()) {
            reader.fail(item, "`" + std::string(key) + "` is a comparison, or a list of them");
        } else if (auto comparison = parse_comparison(item.text(), facts, bare)) {
            all.push_back(std::move(*comparison));
        } else {
            reader.fail(item, comparison.error().message, comparison.error().hint);
        }
        if (reader.error()) return {};
    }
    return all;
}

Result<MessagePart> parse_message(std::string_view text, const std::vector<FactSpec>& facts) {
    MessagePart message;
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '{' && i + 1 < text.size() && text[i + 1] == '{') {
            plain += '{';
            ++i;
        } else if (text[i] == '}' && i + 1 < text.size() && text[i + 1] == '}') {
            plain += '}';
            ++i;
        } else if (text[i] == '{') {
            const auto close = text.find('}', i);
            if (close == std::string_view::npos)
                return Error{"unclosed { in the message", {}, {0, 0}, "write {fact.field}, or {{ for a brace"};
            auto operand = column_operand(std::string(text.substr(i + 1, close - i - 1)), facts, false);
            if (!operand) return operand.error();
            message.texts.push_back(plain);
            message.operands.push_back(*operand);
            plain.clear();
            i = close;
        } else {
            plain += text[i];
        }
    }
    message.texts.push_back(plain);
    return message;
}

} // namespace lockstep
