// Standard headers that many files include, compiled once per library instead of once per file. A file still includes what it
// uses: it must build without this one, too (-Db_pch=false).
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
