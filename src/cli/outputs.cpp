// Reads `FORMAT[=FILE]` and settles what is on stdout.
#include "cli/outputs.h"
#include "base/suggest.h"
#include <algorithm>
#include <filesystem>
#include <map>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

Error unknown_format(const std::string& name) {
    const auto names = format_names();
    std::string all;
    for (const auto& known : names)
        all += (all.empty() ? "" : ", ") + known;
    const auto near = nearest(name, names);
    return {"there is no format `" + name + "`",
            {},
            {0, 0},
            near ? "did you mean `" + *near + "`? Formats are " + all : "formats are " + all};
}

bool means_stdout(const std::string& file) {
    return file == "-" || file == "/dev/stdout" || file == "/dev/fd/1" || file == "/proc/self/fd/1";
}

Result<Output> read_output(const std::string& word) {
    const auto sign = word.find('=');
    Output output;
    output.format = find_format(word.substr(0, sign));
    if (!output.format) return unknown_format(word.substr(0, sign));
    if (sign == std::string::npos) return output;
    output.file = word.substr(sign + 1);
    if (output.file.empty())
        return Error{"--output " + word + " names no file",
                     {},
                     {0, 0},
                     "write " + word + "FILE, or --output " + std::string(output.format->name) + " for stdout"};
    if (means_stdout(output.file)) output.file.clear();
    return output;
}

// One name for one file, however it is written. What is no regular file, such as /dev/null, may be written twice.
std::string identity(const std::string& file) {
    std::error_code bad;
    if (fs::exists(file, bad) && !fs::is_regular_file(file, bad)) return {};
    const fs::path whole = fs::weakly_canonical(fs::absolute(file, bad), bad);
    return bad ? file : whole.string();
}

std::optional<Error> same_file_twice(const std::vector<Output>& outputs) {
    std::map<std::string, const Output*> seen;
    for (const Output& output : outputs) {
        const std::string name = output.file.empty() ? std::string() : identity(output.file);
        if (name.empty()) continue;
        if (const auto [slot, fresh] = seen.emplace(name, &output); !fresh)
            return Error{"two reports go to one file: " + std::string(slot->second->format->name) + " and " +
                             std::string(output.format->name),
                         output.file,
                         {0, 0},
                         "give each --output a file of its own"};
    }
    return std::nullopt;
}

} // namespace

Result<std::vector<Output>> plan_outputs(const std::string& format, const std::vector<std::string>& outputs) {
    std::vector<Output> plan, on_stdout;
    const auto add = [&](const Output& output) {
        const auto same = [&](const Output& other) { return other.format == output.format; };
        if (!output.file.empty())
            plan.push_back(output);
        else if (std::none_of(on_stdout.begin(), on_stdout.end(), same))
            on_stdout.push_back(output);
    };
    if (!format.empty()) {
        const Format* named = find_format(format);
        if (!named) return unknown_format(format);
        add({named, {}});
    }
    for (const std::string& word : outputs) {
        auto output = read_output(word);
        if (!output) return output.error();
        add(*output);
    }
    if (auto error = same_file_twice(plan)) return *error;

    const Format* text = find_format("text");
    const auto is_text = [&](const Output& output) { return output.format == text; };
    const auto shares = [](const Output& output) { return output.format->lines; };
    const bool all_share = std::all_of(on_stdout.begin(), on_stdout.end(), shares);
    if (on_stdout.size() > 1 && !all_share)
        return Error{"two reports go to stdout: " + std::string(on_stdout[0].format->name) + " and " +
                         std::string(on_stdout[1].format->name),
                     {},
                     {0, 0},
                     "give one a file: --output " + std::string(on_stdout[1].format->name) + "=FILE"};
    if (format.empty() && all_share && std::none_of(on_stdout.begin(), on_stdout.end(), is_text))
        on_stdout.insert(on_stdout.begin(), {text, {}});
    plan.insert(plan.end(), on_stdout.begin(), on_stdout.end());
    return plan;
}

} // namespace lockstep
