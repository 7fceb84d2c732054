// A textbook simulator to compare with: sets as lists of lines, the newest first; loads and stores one by one.
//
// textbook_lru TRIPS... : {l|s} BASE STRIDE... : ...     prints CPU seconds and the misses of each level
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Level {
    std::size_t sets, ways;
    using Set = std::vector<std::pair<std::uint64_t, bool>>;  // line, dirty
    std::vector<Set> lines = std::vector<Set>(sets);
    std::uint64_t misses = 0;
};

std::vector<Level> levels = {{64, 12}, {2048, 16}, {32768, 16}};

void access(std::size_t k, std::uint64_t line, bool dirty, bool back) {
    if (k == levels.size()) return;
    Level& level = levels[k];
    auto& set = level.lines[line % level.sets];
    std::size_t place = 0;
    while (place < set.size() && set[place].first != line) ++place;
    if (place < set.size()) {
        const auto found = set[place];
        set.erase(set.begin() + place);
        set.insert(set.begin(), {line, found.second || dirty});
        return;
    }
    if (!back) {
        ++level.misses;
        access(k + 1, line, false, false);
    }
    set.insert(set.begin(), {line, dirty});
    if (set.size() <= level.ways) return;
    const auto leaving = set.back();
    set.pop_back();
    if (leaving.second) access(k + 1, leaving.first, true, true);
}

struct Reference {
    bool store;
    std::int64_t base;
    std::vector<std::int64_t> strides;
};

}  // namespace

int main(int count, char** words) {
    std::vector<std::int64_t> trips;
    std::vector<Reference> references;
    int at = 1;
    for (; at < count && *words[at] != ':'; ++at) trips.push_back(std::atoll(words[at]));
    while (++at < count) {
        Reference reference{*words[at] == 's', std::atoll(words[at + 1]), {}};
        for (at += 2; at < count && *words[at] != ':'; ++at) reference.strides.push_back(std::atoll(words[at]));
        references.push_back(reference);
    }
    std::vector<std::int64_t> place(trips.size(), 0);
    const std::clock_t start = std::clock();
    for (std::size_t depth = trips.size(); depth > 0;) {
        for (const Reference& reference : references) {
            std::int64_t address = reference.base;
            for (std::size_t k = 0; k < place.size(); ++k) address += reference.strides[k] * place[k];
            access(0, static_cast<std::uint64_t>(address) / 64, reference.store, false);
        }
        for (depth = trips.size(); depth > 0 && ++place[depth - 1] == trips[depth - 1]; --depth) place[depth - 1] = 0;
    }
    std::printf("%.6f", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    for (const Level& level : levels) std::printf(" %llu", static_cast<unsigned long long>(level.misses));
    std::printf("\n");
}
