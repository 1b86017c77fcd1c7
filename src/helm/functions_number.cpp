// sprig's arithmetic.
#include "helm/functions.h"
#include "helm/go_format.h"
#include "helm/go_number.h"
#include "helm/number_casts.h"
#include <array>
#include <cmath>
#include <limits>

namespace lockstep {

std::int64_t cast_int(const GoValue& value) {
    if (value.is_integer()) return value.integer;
    if (value.type == GoType::float64) return float_to_int(value.number);
    if (value.type == GoType::boolean) return value.boolean ? 1 : 0;
    if (!value.is_string()) return 0;
    std::string_view text = value.str(); // 1.00 is the integer 1
    if (const std::size_t point = text.find('.'); point != std::string_view::npos &&
                                                  text.find_first_not_of('0', point + 1) == std::string_view::npos &&
                                                  point + 1 < text.size())
        text = text.substr(0, point);
    const auto parsed = parse_int(text, 0);
    return parsed && !parsed->out_of_range ? parsed->value : 0;
}

double cast_float(const GoValue& value) {
    if (value.is_integer()) return static_cast<double>(value.integer);
    if (value.type == GoType::float64) return value.number;
    if (value.type == GoType::boolean) return value.boolean ? 1 : 0;
    if (!value.is_string()) return 0;
    const auto parsed = parse_float(value.str());
    return parsed.value_or(0);
}

namespace {

__extension__ typedef __int128 Wide;

// Overflow wraps, as in Go.
std::int64_t wrap_add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrap_sub(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t wrap_mul(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

GoValue int64_value(std::int64_t value) {
    return make_int(value, GoType::int64);
}

GoValue add(FunctionCall& call) {
    std::int64_t sum = 0;
    for (const GoValue& value : call.args)
        sum = wrap_add(sum, cast_int(value));
    return int64_value(sum);
}

GoValue add1(FunctionCall& call) {
    return int64_value(wrap_add(cast_int(call.args[0]), 1));
}

GoValue sub(FunctionCall& call) {
    return int64_value(wrap_sub(cast_int(call.args[0]), cast_int(call.args[1])));
}

GoValue mul(FunctionCall& call) {
    std::int64_t product = cast_int(call.args[0]);
    for (const GoValue& value : call.args.subspan(1))
        product = wrap_mul(product, cast_int(value));
    return int64_value(product);
}

GoValue divide(FunctionCall& call, bool remainder) {
    const std::int64_t a = cast_int(call.args[0]), b = cast_int(call.args[1]);
    if (b == 0) return call.fail("runtime error: integer divide by zero");
    if (b == -1) return int64_value(remainder ? 0 : wrap_sub(0, a));
    return int64_value(remainder ? a % b : a / b);
}

GoValue div(FunctionCall& call) {
    return divide(call, false);
}

GoValue mod(FunctionCall& call) {
    return divide(call, true);
}

// A decimal number, exact while it fits; sprig counts floats so.
struct Decimal {
    Wide digits = 0;
    int exponent = 0;
    bool exact = true;
    double rough = 0; // counts when it is not exact
};

Decimal decimal_of(double value) {
    Decimal made;
    made.rough = value;
    if (!std::isfinite(value)) {
        made.exact = false;
        return made;
    }
    const std::string text = format_float(value, 'e', -1);
    const std::size_t e = text.find('e');
    bool fraction = false;
    for (char c : text.substr(0, e)) {
        if (c == '.') fraction = true;
        if (c < '0' || c > '9') continue;
        made.digits = made.digits * 10 + (c - '0');
        if (fraction) --made.exponent;
    }
    if (text[0] == '-') made.digits = -made.digits;
    made.exponent += std::atoi(text.c_str() + e + 1);
    return made;
}

bool scale(Decimal& number, int exponent) {
    while (number.exponent > exponent) {
        if (__builtin_mul_overflow(number.digits, static_cast<Wide>(10), &number.digits)) return false;
        --number.exponent;
    }
    return true;
}

double to_double(const Decimal& number) {
    if (!number.exact) return number.rough;
    Wide rest = number.digits < 0 ? -number.digits : number.digits;
    std::string digits;
    for (; rest != 0; rest /= 10)
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    if (digits.empty()) return 0;
    const auto value = parse_float(digits + "e" + std::to_string(number.exponent));
    return number.digits < 0 ? -*value : *value;
}

Decimal combine(Decimal a, Decimal b, char op) {
    Decimal made;
    const double x = to_double(a), y = to_double(b);
    made.rough = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;
    made.exact = a.exact && b.exact;
    if (!made.exact) return made;
    if (op == '*') {
        made.exponent = a.exponent + b.exponent;
        made.exact = !__builtin_mul_overflow(a.digits, b.digits, &made.digits);
        return made;
    }
    if (op == '/') { // sixteen places behind the point, rounded half up
        Decimal top = a;
        const int wanted = b.exponent - 17;
        made.exact = top.exponent >= wanted ? scale(top, wanted) : true;
        if (top.exponent < wanted || !made.exact) {
            made.exact = false;
            return made;
        }
        Wide quotient = top.digits / b.digits;
        const Wide last = quotient % 10;
        quotient /= 10;
        if (last >= 5) quotient += 1;
        if (last <= -5) quotient -= 1;
        made.digits = quotient;
        made.exponent = -16;
        return made;
    }
    const int exponent = std::min(a.exponent, b.exponent);
    made.exact = scale(a, exponent) && scale(b, exponent);
    made.exponent = exponent;
    if (made.exact)
        made.exact = op == '+' ? !__builtin_add_overflow(a.digits, b.digits, &made.digits)
                               : !__builtin_sub_overflow(a.digits, b.digits, &made.digits);
    return made;
}

GoValue decimal_op(FunctionCall& call, double start, std::size_t from, char op) {
    Decimal result = decimal_of(start);
    for (std::size_t i = from; i < call.args.size(); ++i) {
        const double value = cast_float(call.args[i]);
        if (op == '/' && value == 0) return call.fail("decimal division by 0");
        if (!std::isfinite(value)) return call.fail("Cannot create a Decimal from " + format_float(value, 'g', -1));
        result = combine(result, decimal_of(value), op);
    }
    return make_float(to_double(result));
}

GoValue addf(FunctionCall& call) {
    return decimal_op(call, 0, 0, '+');
}

GoValue add1f(FunctionCall& call) {
    Decimal one = decimal_of(1);
    return make_float(to_double(combine(decimal_of(cast_float(call.args[0])), one, '+')));
}

GoValue subf(FunctionCall& call) {
    return decimal_op(call, cast_float(call.args[0]), 1, '-');
}

GoValue mulf(FunctionCall& call) {
    return decimal_op(call, cast_float(call.args[0]), 1, '*');
}

GoValue divf(FunctionCall& call) {
    return decimal_op(call, cast_float(call.args[0]), 1, '/');
}

GoValue max(FunctionCall& call) {
    std::int64_t best = cast_int(call.args[0]);
    for (const GoValue& value : call.args.subspan(1))
        best = std::max(best, cast_int(value));
    return int64_value(best);
}

GoValue min(FunctionCall& call) {
    std::int64_t best = cast_int(call.args[0]);
    for (const GoValue& value : call.args.subspan(1))
        best = std::min(best, cast_int(value));
    return int64_value(best);
}

GoValue maxf(FunctionCall& call) {
    double best = cast_float(call.args[0]);
    for (const GoValue& value : call.args.subspan(1))
        best = std::fmax(best, cast_float(value));
    return make_float(best);
}

GoValue minf(FunctionCall& call) {
    double best = cast_float(call.args[0]);
    for (const GoValue& value : call.args.subspan(1))
        best = std::fmin(best, cast_float(value));
    return make_float(best);
}

GoValue ceil(FunctionCall& call) {
    return make_float(std::ceil(cast_float(call.args[0])));
}

GoValue floor(FunctionCall& call) {
    return make_float(std::floor(cast_float(call.args[0])));
}

GoValue round(FunctionCall& call) {
    const double limit = call.args.size() > 2 ? call.args[2].number : 0.5;
    const double power = std::pow(10, static_cast<double>(call.args[1].integer));
    const double digit = power * cast_float(call.args[0]);
    double whole = 0;
    const double fraction = std::modf(digit, &whole);
    return make_float((fraction >= limit ? std::ceil(digit) : std::floor(digit)) / power);
}

GoValue to_int(FunctionCall& call) {
    return make_int(cast_int(call.args[0]));
}

GoValue to_int64(FunctionCall& call) {
    return int64_value(cast_int(call.args[0]));
}

GoValue to_float64(FunctionCall& call) {
    return make_float(cast_float(call.args[0]));
}

GoValue atoi(FunctionCall& call) {
    const auto parsed = parse_int(call.args[0].str(), 10);
    return make_int(parsed ? parsed->value : 0);
}

GoValue to_decimal(FunctionCall& call) {
    const auto parsed = parse_int(plain_text(call.args[0]), 8);
    return int64_value(parsed && !parsed->out_of_range ? parsed->value : 0);
}

constexpr std::array number_functions_table = {
    TemplateFunction{"add", "a*", add},       TemplateFunction{"add1", "a", add1},
    TemplateFunction{"add1f", "a", add1f},    TemplateFunction{"addf", "a*", addf},
    TemplateFunction{"atoi", "s", atoi},      TemplateFunction{"biggest", "aa*", max},
    TemplateFunction{"ceil", "a", ceil},      TemplateFunction{"div", "aa", div},
    TemplateFunction{"divf", "aa*", divf},    TemplateFunction{"float64", "a", to_float64},
    TemplateFunction{"floor", "a", floor},    TemplateFunction{"int", "a", to_int},
    TemplateFunction{"int64", "a", to_int64}, TemplateFunction{"max", "aa*", max},
    TemplateFunction{"maxf", "aa*", maxf},    TemplateFunction{"min", "aa*", min},
    TemplateFunction{"minf", "aa*", minf},    TemplateFunction{"mod", "aa", mod},
    TemplateFunction{"mul", "aa*", mul},      TemplateFunction{"mulf", "aa*", mulf},
    TemplateFunction{"round", "aif*", round}, TemplateFunction{"sub", "aa", sub},
    TemplateFunction{"subf", "aa*", subf},    TemplateFunction{"toDecimal", "a", to_decimal},
};

} // namespace

std::span<const TemplateFunction> number_functions() {
    return number_functions_table;
}

} // namespace lockstep
