// A value or the reason there is none: how a run that cannot go on tells main why, with file, line and what to do.
#pragma once
#include "base/span.h"
#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace lockstep {

struct Error {
    std::string message;
    std::string path = {}; // empty when the error has no file
    Position at = {0, 0};  // line 0: no position
    std::string hint = {}; // what to do, may be empty
};

// `path:line:col: error: message` and, on a second line, the hint; what is not known is left out. Foreign bytes in it
// are spelled out: it may be printed.
std::string to_string(const Error& error);

template <class T> class Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}
    explicit operator bool() const { return std::holds_alternative<T>(state_); }
    T& operator*() {
        assert(*this);
        return std::get<T>(state_);
    }
    const T& operator*() const {
        assert(*this);
        return std::get<T>(state_);
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }
    const Error& error() const { return std::get<Error>(state_); }

private:
    std::variant<T, Error> state_;
};

} // namespace lockstep
