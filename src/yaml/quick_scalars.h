// One scalar of plain YAML at a time, for the quick reader: where it ends and what its value is. As quick.h, every rule
// is one of libyaml's scanner, narrowed: what is rare fails.
#pragma once
#include "yaml/node.h"
#include <algorithm>
#include <string>
#include <string_view>

namespace lockstep {

class QuickScalars {
protected:
    using Offset = std::uint32_t;
    explicit QuickScalars(std::string_view bytes) : bytes_(bytes), size_(static_cast<Offset>(bytes.size())) {}

    struct Scalar {
        Offset begin = 0, end = 0;
        NodeStyle style = NodeStyle::plain;
        std::string_view value;
    };

    char at(Offset offset) const { return offset < size_ ? bytes_[offset] : '\0'; }
    bool is_blankz(Offset offset) const { return offset >= size_ || bytes_[offset] == ' ' || bytes_[offset] == '\n'; }
    bool at_end() const { return here_ >= size_; }
    Offset line_end(Offset from) const { // of the text, when no line break follows
        return static_cast<Offset>(std::min<std::size_t>(bytes_.find('\n', from), size_));
    }
    bool fail() { return ok_ = false; }
    bool ends_line(); // over blanks: true when the line ends there, a comment aside

    // A scalar on one line; in brackets, some more bytes end it. Leaves `here_` behind it.
    bool read_scalar(Scalar& scalar, bool flow);
    // `|` or `>` inside a collection whose column is `parent`. Leaves `here_` at the start of the first line behind it.
    bool read_block_text(Scalar& scalar, int parent);

    std::string_view bytes_;
    Offset size_;
    Offset here_ = 0;
    Offset line_ = 0; // start of the line that `here_` is on
    bool ok_ = true;

private:
    bool read_single_quoted(Scalar& scalar);
    bool read_double_quoted(Scalar& scalar);
    bool decode_double_quoted();
    bool read_block_lines(bool literal, int parent, char chomping);

    std::string decoded_; // of the scalar at hand
};

} // namespace lockstep
