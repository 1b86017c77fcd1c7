// Text that may be printed: the only kind that main takes. Names, values and paths of a repository can hold anything,
// so no plain string turns into it by itself; each way in says what it does about foreign bytes.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

class PlainText {
public:
    PlainText() = default;

    // Lines in which foreign text may be anywhere. Control characters, and what turns the direction of writing, are
    // spelled out; no line opens a command of a CI system (`::name::`, `##[name]`), whoever put the line break there.
    static PlainText lines(std::string_view text);
    // What a writer of src/report made: it knows its format, and escapes by its rules.
    static PlainText report(std::string text) { return PlainText(std::move(text)); }
    // JSON that a writer made, in ASCII: strings in it may still hold what a runner looks for anywhere in a line.
    static PlainText json(std::string text);
    // Words of this program alone, such as --help.
    static PlainText own(std::string text) { return PlainText(std::move(text)); }

    PlainText& operator+=(const PlainText& more) {
        bytes_ += more.bytes_;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }
    bool empty() const { return bytes_.empty(); }

private:
    explicit PlainText(std::string bytes) : bytes_(std::move(bytes)) {}
    std::string bytes_;
};

} // namespace lockstep
