// Reads plain YAML by recursive descent over lines and columns. Every rule here is one of libyaml's scanner, narrowed:
// where libyaml would go on in a way that is rare, this gives up, and events.cpp reads the text from its start.
#include "yaml/quick.h"
#include "yaml/builder.h"
#include "yaml/places.h"
#include "yaml/quick_scalars.h"

namespace lockstep {
namespace {

using Step = TableBuilder::Step;

constexpr int deepest = 60;                       // of collections in each other; what is deeper is libyaml's
constexpr std::uint32_t longest_quick_key = 1000; // libyaml takes 1024 characters
constexpr int no_indent = -1;

class QuickReader : QuickScalars {
public:
    explicit QuickReader(const EventInput& input) : QuickScalars(input.parsed), builder_(input) {}

    std::optional<EventResult> run() {
        builder_.restart(0);
        to_content();
        while (ok_ && !at_end())
            read_document();
        if (!ok_) return std::nullopt;
        return builder_.take_result();
    }

private:
    bool at_marker() const { return marker_; }
    // Nothing more belongs to the collection at hand: the text, the document or the indentation has ended.
    bool is_outside(int column) const { return at_end() || marker_ || column_ < column; }
    bool at_entry() const { return at(here_) == '-' && is_blankz(here_ + 1); }
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
            here_ = line_end(here_);
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

    // What is at `here_`, on a line of its own or behind `- `, inside a collection whose column is `parent`. Leaves
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

    // Behind a value on one line: nothing else may be there.
    bool end_of_value() { return ends_line() ? to_content() : fail(); }

    // A `:` behind the scalar on its line, then a blank.
    bool is_key(const Scalar& scalar) {
        while (at(here_) == ' ')
            ++here_;
        return at(here_) == ':' && is_blankz(here_ + 1) && here_ - scalar.begin < longest_quick_key;
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

    bool read_block_scalar(int parent) {
        Scalar scalar;
        return read_block_text(scalar, parent) && add(scalar) && to_content();
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

    TableBuilder builder_;
    int column_ = 0; // of the content that to_content() found
    int depth_ = 0;
    bool marker_ = false; // that content is `---`
};

} // namespace

std::optional<EventResult> read_quickly(const EventInput& input) {
    // Indented texts have separators of their own, and a run of blanks has a message of its own.
    if (input.indent > 0 || input.odd_breaks || input.parsed.find('\r') != std::string_view::npos) return std::nullopt;
    if (long_blank_run(input.parsed)) return std::nullopt;
    return QuickReader(input).run();
}

} // namespace lockstep
