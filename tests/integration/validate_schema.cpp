// `validate_schema SCHEMA FILE…`: names every file that does not satisfy the JSON schema, exit code 1 when there is
// one.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: validate_schema SCHEMA FILE...\n";
        return 2;
    }
    std::ifstream schema_file(argv[1]);
    const json schema_json = json::parse(schema_file);
    valijson::Schema schema;
    valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(schema_json), schema);
    int bad = 0;
    for (int i = 2; i < argc; ++i) {
        std::ifstream file(argv[i]);
        const json document = json::parse(file);
        valijson::ValidationResults results;
        if (valijson::Validator().validate(schema, NlohmannJsonAdapter(document), &results)) continue;
        bad = 1;
        valijson::ValidationResults::Error error;
        while (results.popError(error)) {
            std::cout << argv[i] << ": ";
            for (const auto& step : error.context)
                std::cout << step;
            std::cout << ": " << error.description << '\n';
        }
    }
    return bad;
}
