// Strict reading of our own YAML files (config, rules, tables): unknown keys and wrong types are errors with their
// place.
#pragma once
#include "base/result.h"
#include "yaml/node.h"
#include <initializer_list>
#include <optional>

namespace lockstep {

// One mapping of one of our files. The first error is kept; later questions answer with nothing, so that a reader asks
// all its questions and checks once at the end.
class StrictReader {
public:
    StrictReader(std::string path, const YamlText& yaml);

    // Reports the first problem of the file itself: syntax, a key twice, or template actions, which nobody fills here.
    bool check_syntax();
    // False, and an error, when `node` is not a mapping, or holds a key not in `known` (with a suggestion) or a key
    // twice.
    bool check_keys(NodeRef node, std::string_view what, std::initializer_list<std::string_view> known);

    std::optional<std::string> text(NodeRef map, std::string_view key); // optional scalar
    std::string require_text(NodeRef map, std::string_view key, std::string_view what);
    std::optional<bool> boolean(NodeRef map, std::string_view key);    // true / false only
    std::vector<std::string> texts(NodeRef map, std::string_view key); // a scalar or a list of scalars
    // Keeps the error unless there is one already. Its place is where `at` starts; an empty reference has none.
    void fail(NodeRef at, std::string message, std::string hint = {});

    const std::optional<Error>& error() const { return error_; }
    // The error, and goes on without it: a reader that tells all errors of a file.
    std::optional<Error> take_error() { return std::exchange(error_, std::nullopt); }
    const std::string& path() const { return path_; }

private:
    NodeRef ask(NodeRef map, std::string_view key) const;
    bool check_text(NodeRef value, std::string_view key, std::string_view expected);
    void fail_at(std::uint32_t offset, std::string message, std::string hint);

    std::string path_;
    const YamlText& yaml_;
    std::optional<Error> error_;
};

} // namespace lockstep
