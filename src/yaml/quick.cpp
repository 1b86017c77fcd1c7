// Reads plain YAML by recursive descent over lines and columns. Every rule here is one of libyaml's scanner, narrowed:
// where libyaml would go on in a way that is rare, this gives up, and events.cpp reads the text from its start.
#include "yaml/quick.h"
#include "yaml/builder.h"
#include "yaml/places.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace lockstep {
namespace {

using Offset = std::uint32_t;
using Step = TableBuilder::Step;

constexpr int deepest = 60;          // of collections in each other; what is deeper is libyaml's
constexpr Offset longest_key = 1000; // libyaml takes 1024 characters
constexpr int no_indent = -1;

// What can end or spoil a plain scalar.
constexpr std::array<bool, 256> special_bytes(std::string_view bytes) {
    std::array<bool, 256> table{};
    for (const char c : bytes)
        table[static_cast<unsigned char>(c)] = true;
    return table;
}
constexpr auto ends_plain = special_bytes(":#\n\t");
constexpr auto ends_flow_plain = special_bytes(":#\n\t,[]{}?");
constexpr auto starts_no_plain = special_bytes("-?:,[]{}#&*!|>'\"%@` \t\n");
constexpr auto ends_double_quoted = special_bytes("\"\\\n");

class QuickReader {
public:
    explicit QuickReader(const EventInput& input)
        : bytes_(input.parsed), size_(static_cast<Offset>(input.parsed.size())), builder_(input) {}

    std::optional<EventResult> run() {
        builder_.restart(0);
        to_content();
        while (ok_ && !at_end())
            read_document();
        if (!ok_) return std::nullopt;
        return builder_.take_result();
    }

private:
    struct Scalar {
        Offset begin = 0, end = 0;
        NodeStyle style = NodeStyle::plain;
        std::string_view value;
    };

    char at(Offset offset) const { return offset < size_ ? bytes_[offset] : '\0'; }
    bool is_blankz(Offset offset) const { return offset >= size_ || bytes_[offset] == ' ' || bytes_[offset] == '\n'; }
    bool at_end() const { return here_ >= size_; }
    bool at_marker() const { return marker_; }
    // Nothing more belongs to the collection at hand: the text, the document or the indentation has ended.
    bool is_outside(int column) const { return at_end() || marker_ || column_ < column; }
    bool at_entry() const { return at(here_) == '-' && is_blankz(here_ + 1); }
    bool fail() { return ok_ = false; }
    bool check(Step step) { return step == Step::go_on || fail(); }

    // To the next thing that is neither blank nor comment, over lines. Sets its column and whether it is a `---`.
    bool to_content() {
        Offset line = line_;
        for (;; ++here_) {
            const char c = at(here_);
            if (c == ' ') continue;
            if (c == '\n') {
                line = here_ + 1;
                continue;
            }
            if (c != '#' || here_ >= size_) break;
            if (here_ != line && bytes_[here_ - 1] != ' ') return fail();
            const void* end = std::memchr(bytes_.data() + here_, '\n', size_ - here_);
            here_ = end == nullptr ? size_ : static_cast<Offset>(static_cast<const char*>(end) - bytes_.data());
            if (here_ >= size_) break;
            line = here_ + 1;
        }
        line_ = line;
        column_ = static_cast<int>(here_ - line);
        marker_ = false;
        if (at_end()) return true;
        if (bytes_[here_] == '\t') return fail();
        if (column_ > 0) return true;
        const std::string_view three = bytes_.substr(here_, 3);
        if (three == "..." && is_blankz(here_ + 3)) return fail();
        marker_ = three == "---" && is_blankz(here_ + 3);
        return true;
    }

    // Over blanks: true when the line ends there, a comment aside.
    bool ends_line() {
        while (at(here_) == ' ')
            ++here_;
        if (at_end() || bytes_[here_] == '\n') return true;
        return bytes_[here_] == '#' && bytes_[here_ - 1] == ' ';
    }

    void read_document() {
        Offset begin = here_, end = here_;
        if (at_marker()) {
            end = here_ += 3;
            if (!ends_line()) return void(fail());
            if (!to_content()) return;
        }
        if (!check(builder_.start_document(begin, end))) return;
        if (at_end() || at_marker())
            add_nothing(here_);
        else
            read_block_node(no_indent);
        if (!ok_ || !(at_end() || at_marker())) return void(fail());
        builder_.end_document();
    }

    bool add_nothing(Offset place) { return add({place, place, NodeStyle::plain, {}}); }

    bool add(const Scalar& scalar) {
        TableBuilder::Event event;
        event.style = scalar.style;
        event.begin = scalar.begin;
        event.end = scalar.end;
        event.value = scalar.value;
        return check(builder_.add_scalar(event));
    }

    bool start(NodeKind kind, NodeStyle style) {
        if (++depth_ > deepest) return fail();
        TableBuilder::Event event;
        event.kind = kind;
        event.style = style;
        event.begin = here_;
        event.end = here_;
        return check(builder_.start_collection(event));
    }

    void end(Offset bracket_end) {
        --depth_;
        builder_.end_collection(bracket_end);
    }

    // What stands at `here_`, on a line of its own or behind `- `, inside a collection whose column is `parent`. Leaves
    // `here_` at the next content behind it.
    bool read_block_node(int parent) {
        if (at_entry()) return read_sequence(column_);
        const char c = bytes_[here_];
        if (c == '{' || c == '[') return read_flow() && end_of_value();
        if (c == '|' || c == '>') return read_block_scalar(parent);
        Scalar scalar;
        const int column = column_;
        if (!read_scalar(scalar, false)) return false;
        if (is_key(scalar)) return read_mapping(column, scalar);
        return add(scalar) && end_of_value();
    }

    // Behind a value on one line: nothing else may stand there.
    bool end_of_value() { return ends_line() ? to_content() : fail(); }

    // A `:` behind the scalar on its line, then a blank.
    bool is_key(const Scalar& scalar) {
        while (at(here_) == ' ')
            ++here_;
        return at(here_) == ':' && is_blankz(here_ + 1) && here_ - scalar.begin < longest_key;
    }

    bool read_mapping(int column, Scalar key) {
        const Offset after_key = here_;
        here_ = key.begin;
        if (!start(NodeKind::mapping, NodeStyle::block)) return false;
        here_ = after_key;
        while (true) {
            if (!add(key)) return false;
            ++here_; // the `:`
            if (!read_value(column)) return false;
            if (is_outside(column)) break;
            if (column_ != column) return fail();
            if (at_entry()) return fail();
            if (!read_scalar(key, false)) return false;
            if (!is_key(key)) return fail();
        }
        end(0);
        return true;
    }

    // Behind the `:` of a key in this column.
    bool read_value(int column) {
        const Offset colon_end = here_;
        if (ends_line()) {
            if (!to_content()) return false;
            if (is_outside(column)) return add_nothing(colon_end);
            if (column_ > column) return read_block_node(column);
            return at_entry() ? read_sequence(column) : add_nothing(colon_end);
        }
        const char c = bytes_[here_];
        if (c == '{' || c == '[') return read_flow() && end_of_value();
        if (c == '|' || c == '>') return read_block_scalar(column);
        Scalar scalar;
        return read_scalar(scalar, false) && add(scalar) && end_of_value(); // a second `:` is no end of a value
    }

    bool read_sequence(int column) {
        if (!start(NodeKind::sequence, NodeStyle::block)) return false;
        do {
            const Offset dash_end = ++here_;
            if (ends_line()) {
                if (!to_content()) return false;
                if (!is_outside(column + 1) ? !read_block_node(column) : !add_nothing(dash_end)) return false;
            } else {
                column_ = static_cast<int>(here_ - line_);
                if (!read_block_node(column)) return false;
            }
            if (is_outside(column)) break;
            if (column_ != column) return fail();
        } while (at_entry());
        end(0); // what follows in the same column is for the mapping around: it takes keys only
        return true;
    }

    // A scalar on one line; in brackets, some more bytes end it. Leaves `here_` behind it.
    bool read_scalar(Scalar& scalar, bool flow) {
        scalar = {here_, here_, NodeStyle::plain, {}};
        const char c = at(here_);
        if (c == '"') return read_double_quoted(scalar);
        if (c == '\'') return read_single_quoted(scalar);
        // `-` may start a number or a word, but no entry.
        const bool dash =
            c == '-' && !is_blankz(here_ + 1) && !starts_no_plain[static_cast<unsigned char>(at(here_ + 1))];
        if (at_end() || (starts_no_plain[static_cast<unsigned char>(c)] && !dash)) return fail();
        const auto& ends = flow ? ends_flow_plain : ends_plain;
        Offset i = here_ + 1;
        for (; i < size_; ++i) {
            const char d = bytes_[i];
            if (!ends[static_cast<unsigned char>(d)]) continue;
            if (d == '\n') break;
            if (d == '\t' || (flow && d == '?')) return fail();
            if (d == '#' && bytes_[i - 1] != ' ') continue;
            if (d == ':' && !is_blankz(i + 1)) {
                if (flow) return fail();
                continue;
            }
            break;
        }
        here_ = i;
        while (bytes_[i - 1] == ' ')
            --i;
        scalar.end = i;
        scalar.value = bytes_.substr(scalar.begin, i - scalar.begin);
        return true;
    }

    bool read_single_quoted(Scalar& scalar) {
        scalar.style = NodeStyle::single_quoted;
        const Offset begin = ++here_;
        bool escaped = false;
        for (; at(here_) != '\'' || at(here_ + 1) == '\''; ++here_) {
            if (at_end() || bytes_[here_] == '\n') return fail();
            if (bytes_[here_] == '\'') {
                escaped = true;
                ++here_;
            }
        }
        scalar.value = bytes_.substr(begin, here_ - begin);
        scalar.end = ++here_;
        if (!escaped) return true;
        decoded_.clear();
        for (std::size_t i = 0; i < scalar.value.size(); ++i) {
            decoded_ += scalar.value[i];
            if (scalar.value[i] == '\'') ++i;
        }
        scalar.value = decoded_;
        return true;
    }

    bool read_double_quoted(Scalar& scalar) {
        scalar.style = NodeStyle::double_quoted;
        const Offset begin = ++here_;
        while (here_ < size_ && !ends_double_quoted[static_cast<unsigned char>(bytes_[here_])])
            ++here_;
        scalar.value = bytes_.substr(begin, here_ - begin);
        if (at(here_) == '\\') {
            decoded_ = scalar.value;
            if (!decode_double_quoted()) return false;
            scalar.value = decoded_;
        }
        if (at(here_) != '"') return fail();
        scalar.end = ++here_;
        return true;
    }

    bool decode_double_quoted() {
        for (; at(here_) != '"'; ++here_) {
            if (at_end() || bytes_[here_] == '\n') return fail();
            if (bytes_[here_] != '\\') {
                decoded_ += bytes_[here_];
                continue;
            }
            switch (at(++here_)) {
            case '"':
            case '\\':
            case '/':
                decoded_ += bytes_[here_];
                break;
            case 'n':
                decoded_ += '\n';
                break;
            case 't':
                decoded_ += '\t';
                break;
            default:
                return fail();
            }
        }
        return true;
    }

    // `{ … }` or `[ … ]`. Leaves `here_` behind the bracket.
    bool read_flow() {
        const bool mapping = bytes_[here_] == '{';
        const char close = mapping ? '}' : ']';
        if (!start(mapping ? NodeKind::mapping : NodeKind::sequence, NodeStyle::flow)) return false;
        ++here_;
        while (true) {
            if (!to_flow_token()) return false;
            if (bytes_[here_] == close) break;
            if (mapping && !read_flow_key()) return false;
            if (!read_flow_value() || !to_flow_token()) return false;
            if (bytes_[here_] == close) break;
            if (bytes_[here_] != ',') return fail();
            ++here_;
        }
        end(++here_);
        return true;
    }

    bool to_flow_token() { return to_content() && ((!at_end() && !marker_) || fail()); }

    bool read_flow_key() {
        Scalar key;
        if (!read_scalar(key, true)) return false;
        if (!is_key(key)) return fail();
        ++here_;
        return add(key) && to_flow_token();
    }

    bool read_flow_value() {
        const char c = bytes_[here_];
        if (c == '{' || c == '[') return read_flow();
        Scalar scalar;
        return read_scalar(scalar, true) && add(scalar);
    }

    // As libyaml's scan_block_scalar, with LF as the only line break.
    bool read_block_scalar(int parent) {
        Scalar scalar{here_, here_, bytes_[here_] == '|' ? NodeStyle::literal : NodeStyle::folded, {}};
        char chomping = '\0';
        ++here_;
        if (at(here_) == '-' || at(here_) == '+') chomping = bytes_[here_++];
        if (!ends_line()) return fail(); // an indentation indicator, too
        const void* line_end = std::memchr(bytes_.data() + here_, '\n', size_ - here_);
        if (line_end == nullptr) return fail();
        here_ = static_cast<Offset>(static_cast<const char*>(line_end) - bytes_.data()) + 1;
        line_ = here_;
        if (!read_block_lines(scalar.style == NodeStyle::literal, parent, chomping)) return false;
        scalar.value = decoded_;
        scalar.end = here_;
        return add(scalar) && to_content();
    }

    // `here_` is at the start of the first line behind the header; leaves it at the start of the first line behind the
    // scalar.
    bool read_block_lines(bool literal, int parent, char chomping) {
        decoded_.clear();
        Offset breaks = 0; // line breaks since the last line with content, its own left out
        Offset indent = 0; // 0: not known yet
        Offset widest = 0;
        bool first = true, deeper_before = false;
        bool broken = false; // the last line with content had a line break
        while (true) {
            Offset text = here_;
            while (text < size_ && bytes_[text] == ' ' && (indent == 0 || text - here_ < indent))
                ++text;
            widest = std::max(widest, text - here_);
            if (at(text) == '\t' && (indent == 0 || text - here_ < indent)) return fail();
            if (at(text) == '\n') {
                ++breaks;
                here_ = line_ = text + 1;
                continue;
            }
            if (indent == 0) indent = std::max({widest, static_cast<Offset>(parent + 1), Offset{1}});
            if (text >= size_ || text - here_ != indent) break;

            const bool deeper = bytes_[text] == ' ' || bytes_[text] == '\t';
            if (!first) {
                if (literal || deeper || deeper_before)
                    decoded_ += '\n';
                else if (breaks == 0)
                    decoded_ += ' ';
            }
            decoded_.append(breaks, '\n');
            breaks = 0;
            first = false;
            deeper_before = deeper;
            const void* found = std::memchr(bytes_.data() + text, '\n', size_ - text);
            broken = found != nullptr;
            const Offset end = broken ? static_cast<Offset>(static_cast<const char*>(found) - bytes_.data()) : size_;
            decoded_.append(bytes_.substr(text, end - text));
            here_ = line_ = broken ? end + 1 : end;
        }
        if (chomping != '-' && broken) decoded_ += '\n';
        if (chomping == '+') decoded_.append(breaks, '\n');
        return true;
    }

    std::string_view bytes_;
    Offset size_;
    TableBuilder builder_;
    std::string decoded_; // of the scalar at hand
    Offset here_ = 0;
    Offset line_ = 0; // start of the line that `here_` is on
    int column_ = 0;  // of the content that to_content() found
    int depth_ = 0;
    bool marker_ = false; // that content is `---`
    bool ok_ = true;
};

} // namespace

std::optional<EventResult> read_quickly(const EventInput& input) {
    // Indented texts have separators of their own, and a run of blanks has a message of its own.
    if (input.indent > 0 || input.odd_breaks || input.parsed.find('\r') != std::string_view::npos) return std::nullopt;
    if (long_blank_run(input.parsed)) return std::nullopt;
    return QuickReader(input).run();
}

} // namespace lockstep
