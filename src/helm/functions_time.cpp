// Dates and durations. What the clock says is unknown; what a chart writes down is not.
#include "helm/functions.h"
#include "helm/go_number.h"
#include "helm/go_time.h"
#include "helm/objects.h"
#include "helm/unknowns.h"
#include <array>

namespace lockstep {
namespace {

bool is_time(const GoValue& value) {
    return value.type == GoType::object && value.object->kind == StructKind::time;
}

std::int64_t seconds_of(const GoValue& time) {
    return time.object->fields[0].value.integer;
}

GoValue now(FunctionCall& call) {
    GoValue time = make_struct(make_time(call.arena, 0));
    time.origin = unknown_origin(call);
    return time;
}

GoValue formatted(FunctionCall& call, std::string_view layout, const GoValue& date) {
    if (is_time(date)) return make_string(call.arena, format_time(seconds_of(date), layout));
    if (date.is_integer()) return make_string(call.arena, format_time(date.integer, layout));
    GoValue text = make_string(call.arena, format_time(0, layout)); // sprig takes the clock for anything else
    text.origin = unknown_origin(call);
    return text;
}

GoValue date(FunctionCall& call) {
    return formatted(call, call.args[0].str(), call.args[1]);
}

GoValue html_date(FunctionCall& call) {
    return formatted(call, "2006-01-02", call.args[0]);
}

GoValue date_modify(FunctionCall& call) {
    const auto duration = parse_duration(call.args[0].str());
    if (!duration) return call.args[1];
    return make_struct(make_time(call.arena, seconds_of(call.args[1]) + *duration / 1000000000));
}

GoValue must_date_modify(FunctionCall& call) {
    const auto duration = parse_duration(call.args[0].str());
    if (!duration) return call.fail("time: invalid duration \"" + std::string(call.args[0].str()) + "\"");
    return make_struct(make_time(call.arena, seconds_of(call.args[1]) + *duration / 1000000000));
}

GoValue to_date(FunctionCall& call) {
    const auto time = parse_time(call.args[0].str(), call.args[1].str());
    return make_struct(make_time(call.arena, time.value_or(-62135596800)));
}

GoValue must_to_date(FunctionCall& call) {
    const auto time = parse_time(call.args[0].str(), call.args[1].str());
    if (!time)
        return call.fail("parsing time \"" + std::string(call.args[1].str()) + "\" as \"" +
                         std::string(call.args[0].str()) + "\": cannot parse");
    return make_struct(make_time(call.arena, *time));
}

GoValue unix_epoch(FunctionCall& call) {
    return make_string(call.arena, std::to_string(seconds_of(call.args[0])));
}

GoValue ago(FunctionCall& call) {
    GoValue text = make_string(call.arena, "0s");
    text.origin = unknown_origin(call);
    return text;
}

GoValue duration(FunctionCall& call) {
    const GoValue& value = call.args[0];
    std::int64_t seconds = 0;
    if (value.is_string()) {
        const auto parsed = parse_int(value.str(), 10);
        seconds = parsed ? parsed->value : 0;
    } else if (value.type == GoType::int64) {
        seconds = value.integer;
    }
    std::int64_t nanoseconds = 0;
    if (__builtin_mul_overflow(seconds, std::int64_t{1000000000}, &nanoseconds))
        nanoseconds = static_cast<std::int64_t>(static_cast<std::uint64_t>(seconds) * 1000000000U);
    return make_string(call.arena, format_duration(nanoseconds));
}

GoValue duration_round(FunctionCall& call) {
    const GoValue& value = call.args[0];
    std::int64_t nanoseconds = 0;
    if (value.is_string())
        nanoseconds = parse_duration(value.str()).value_or(0);
    else if (value.type == GoType::int64)
        nanoseconds = value.integer;
    else if (is_time(value))
        return ago(call);
    const std::uint64_t size =
        nanoseconds < 0 ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
    constexpr std::uint64_t second = 1000000000;
    constexpr std::array<std::pair<std::uint64_t, std::string_view>, 6> units = {
        std::pair{second * 3600 * 24 * 365, std::string_view("y")},
        {second * 3600 * 24 * 30, "mo"},
        {second * 3600 * 24, "d"},
        {second * 3600, "h"},
        {second * 60, "m"},
        {second, "s"}};
    for (const auto& [unit, name] : units)
        if (size > unit) return make_string(call.arena, std::to_string(size / unit) + std::string(name));
    return make_string(call.arena, "0s");
}

constexpr std::array time_functions_table = {
    TemplateFunction{"ago", "a", ago},
    TemplateFunction{"date", "sa", date},
    TemplateFunction{"dateInZone", "sas", date},
    TemplateFunction{"dateModify", "st", date_modify},
    TemplateFunction{"date_in_zone", "sas", date},
    TemplateFunction{"date_modify", "st", date_modify},
    TemplateFunction{"duration", "a", duration},
    TemplateFunction{"durationRound", "a", duration_round},
    TemplateFunction{"htmlDate", "a", html_date},
    TemplateFunction{"htmlDateInZone", "as", html_date},
    TemplateFunction{"mustDateModify", "st", must_date_modify},
    TemplateFunction{"mustToDate", "ss", must_to_date},
    TemplateFunction{"must_date_modify", "st", must_date_modify},
    TemplateFunction{"now", "", now},
    TemplateFunction{"toDate", "ss", to_date},
    TemplateFunction{"unixEpoch", "t", unix_epoch},
};

} // namespace

std::span<const TemplateFunction> time_functions() {
    return time_functions_table;
}

} // namespace lockstep
