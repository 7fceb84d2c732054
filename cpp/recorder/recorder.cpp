#include "recorder/recorder.hpp"

#include <elf.h>

#include <cstdlib>
#include <cstring>

namespace foretell::recorder {

namespace {

// Launches of a kernel with other arguments or sizes whose memory is read; later ones are given what was read last.
constexpr std::uint32_t most_variants = 32;
constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;

Contents wanted_contents() {
    const char* text = getenv("FORETELL_RECORD_CONTENTS");
    if (text == nullptr) return Contents::all;
    return strcmp(text, "none") == 0 ? Contents::none : strcmp(text, "index") == 0 ? Contents::index : Contents::all;
}

Launch from(const LaunchParameters& given, bool cooperative) {
    Launch result;
    result.function = given.function;
    memcpy(result.grid, given.grid, sizeof result.grid);
    memcpy(result.block, given.block, sizeof result.block);
    result.shared = given.shared;
    result.stream = given.stream;
    result.single = given.single;
    result.packed = cooperative ? nullptr : given.packed;
    result.cooperative = cooperative;
    return result;
}

Launch from(const KernelNode& given) {
    Launch result;
    result.function = given.function != nullptr ? given.function : given.kernel;
    memcpy(result.grid, given.grid, sizeof result.grid);
    memcpy(result.block, given.block, sizeof result.block);
    result.shared = given.shared;
    result.single = given.single;
    result.packed = given.packed;
    return result;
}

Launch from(const LaunchExParameters& given) {
    Launch result;
    result.function = given.function;
    memcpy(result.grid, given.how->grid, sizeof result.grid);
    memcpy(result.block, given.how->block, sizeof result.block);
    result.shared = given.how->shared;
    result.stream = given.how->stream;
    result.single = given.single;
    result.packed = given.packed;
    for (unsigned place = 0; place < given.how->count; ++place) {
        const LaunchAttribute& item = given.how->attributes[place];
        if (item.id == cooperative_attribute) result.cooperative = item.number != 0;
        if (item.id == cluster_attribute) memcpy(result.cluster, item.sizes, sizeof result.cluster);
    }
    return result;
}

// Names of the variables of a cubin: its symbols that are objects.
std::vector<std::string> variable_names(const std::string& cubin) {
    std::vector<std::string> result;
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(cubin.data());
    if (cubin.size() < sizeof *header) return result;
    if (header->e_shoff + std::uint64_t{header->e_shnum} * sizeof(Elf64_Shdr) > cubin.size()) return result;
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(cubin.data() + header->e_shoff);
    for (unsigned place = 0; place < header->e_shnum; ++place) {
        const Elf64_Shdr& table = sections[place];
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) continue;
        const Elf64_Shdr& names = sections[table.sh_link];
        if (table.sh_offset + table.sh_size > cubin.size() || names.sh_offset + names.sh_size > cubin.size()) continue;
        const auto* symbols = reinterpret_cast<const Elf64_Sym*>(cubin.data() + table.sh_offset);
        for (std::uint64_t number = 0; number < table.sh_size / sizeof(Elf64_Sym); ++number)
            if (ELF64_ST_TYPE(symbols[number].st_info) == STT_OBJECT && symbols[number].st_name < names.sh_size)
                result.emplace_back(cubin.data() + names.sh_offset + symbols[number].st_name);
    }
    return result;
}

}  // namespace

bool Recorder::start() {
    const char* folder = getenv("FORETELL_RECORD");
    const char* limit = getenv("FORETELL_RECORD_LIMIT");
    if (folder == nullptr) return false;
    contents_ = wanted_contents();
    if (!log_.open(folder, limit == nullptr ? default_limit : strtoull(limit, nullptr, 10))) return false;
    if (cupti.load()) return true;
    log_.note("CUPTI is not installed here: nothing was recorded");
    log_.close();
    return false;
}

void Recorder::loaded(const ModuleData& data) {
    const std::lock_guard lock(mutex_);
    modules_.emplace_back();
    modules_.back().number = static_cast<std::uint32_t>(modules_.size() - 1);
    modules_.back().cubin.assign(data.cubin, data.bytes);
    last_loaded_ = &modules_.back();
}

void Recorder::call(std::uint32_t id, const CallbackData& data) {
    const std::lock_guard lock(mutex_);
    const int result = data.result == nullptr ? 0 : *data.result;
    if (data.site == 0) return entered(id, data);
    steps_.left(id, data.parameters, result);
    if (result == 0) left(id, data.parameters);
}

bool Recorder::prepared() {
    if (!driver_known_) {
        driver_known_ = true;
        driver_loaded_ = driver_.load();
        if (!driver_loaded_) log_.note("the driver is older than CUDA 12.4: launches are not recorded");
    }
    return driver_loaded_;
}

void Recorder::entered(std::uint32_t id, const CallbackData& data) {
    if (!prepared() || steps_.entered(id, data.parameters, data.correlation, driver_)) return;
    switch (id) {
        case launch:
        case launch_ptsz:
            return kernel_called(from(*static_cast<const LaunchParameters*>(data.parameters), false), data.symbol,
                                 id == launch_ptsz, data.correlation);
        case launch_cooperative:
        case launch_cooperative_ptsz:
            return kernel_called(from(*static_cast<const LaunchParameters*>(data.parameters), true), data.symbol,
                                 id == launch_cooperative_ptsz, data.correlation);
        case launch_ex:
        case launch_ex_ptsz:
            return kernel_called(from(*static_cast<const LaunchExParameters*>(data.parameters)), data.symbol,
                                 id == launch_ex_ptsz, data.correlation);
        case graph_launch:
        case graph_launch_ptsz:
            return graph_called(*static_cast<const GraphLaunchParameters*>(data.parameters), id == graph_launch_ptsz,
                                data.correlation);
        case module_load:
        case module_load_data:
        case module_load_data_ex:
        case module_load_fatbin: last_loaded_ = nullptr; return;
        case free_device:
        case free_host:
        case free_async:
        case free_async_ptsz:
        case unmap: return memory_.release(static_cast<const FreeParameters*>(data.parameters)->address);
        default: return;
    }
}

void Recorder::left(std::uint32_t id, const void* parameters) {
    const auto& made = *static_cast<const AllocParameters*>(parameters);
    switch (id) {
        case alloc:
        case alloc_managed:
        case alloc_async:
        case alloc_async_ptsz:
        case alloc_pool:
        case alloc_pool_ptsz: return memory_.allocate(*made.result, made.bytes, false);
        case host_alloc:
        case host_alloc_2:
        case alloc_host: return memory_.allocate(*made.result, made.bytes, true);
        case alloc_pitch: {
            const auto& rows = *static_cast<const PitchParameters*>(parameters);
            return memory_.allocate(*rows.result, *rows.pitch * rows.height, false);
        }
        case map: {
            const auto& range = *static_cast<const FreeParameters*>(parameters);
            return memory_.allocate(range.address, range.bytes, false);
        }
        case begin_capture:
        case begin_capture_ptsz:
        case begin_capture_2:
        case begin_capture_2_ptsz: ++steps_.capturing; return;
        case end_capture:
        case end_capture_ptsz: --steps_.capturing; return;
        case graph_instantiate:
        case graph_instantiate_2:
        case graph_instantiate_flags:
        case graph_instantiate_params:
        case graph_instantiate_params_ptsz: {
            const auto& graph = *static_cast<const GraphInstantiateParameters*>(parameters);
            return add_nodes(graph.graph, graphs_[*graph.result] = {});
        }
        case module_load:
        case module_load_data:
        case module_load_data_ex:
        case module_load_fatbin:
            if (last_loaded_ != nullptr)
                handles_[*static_cast<const ModuleLoadParameters*>(parameters)->result] = last_loaded_;
            return;
        default: return;
    }
}

// ------------------------------------------------------------------------------------------ kernels

// The code of a kernel: the module that its driver handle was made with, or the last one loaded that has its name.
Module* Recorder::module_of(void* handle, const std::string& name) {
    if (const auto known = handles_.find(handle); known != handles_.end()) return known->second;
    const std::string text = ".text." + name;
    for (auto item = modules_.rbegin(); item != modules_.rend(); ++item)
        if (memmem(item->cubin.data(), item->cubin.size(), text.c_str(), text.size() + 1) != nullptr) {
            handles_[handle] = &*item;
            return &*item;
        }
    return nullptr;
}

void Recorder::write_module(Module& module, void* handle) {
    if (module.written) return;
    module.written = true;
    log_.write(Entry::module, Packer().put(module.number).put(std::string_view(module.cubin)));
    for (const std::string& name : variable_names(module.cubin)) {
        Address address = 0;
        std::size_t bytes = 0;
        if (driver_.global(&address, &bytes, handle, name.c_str()) != 0 || bytes == 0) continue;
        log_.write(Entry::variable,
                   Packer().put(module.number).put(std::string_view(name)).put(address).put<std::uint64_t>(bytes));
        Allocation& item = module.variables.emplace_back();
        item.address = address;
        item.bytes = bytes;
    }
}

void Recorder::describe(Function& made, void* handle, void* module, const std::string& name) {
    if (driver_.function_load != nullptr) driver_.function_load(handle);
    made.module = module_of(module, name);
    if (made.module == nullptr) return log_.note("no code was seen for the kernel " + name);
    write_module(*made.module, module);
    std::size_t offset = 0, bytes = 0;
    while (driver_.function_parameter(handle, made.parameters.size(), &offset, &bytes) == 0)
        made.parameters.emplace_back(offset, bytes);
    log_.write(Entry::function, Packer().put(made.number).put(made.module->number).put(std::string_view(name)));
    made.recordable = true;
}

// A handle is of a function, or of a kernel that becomes a function in this context (cuLaunchKernel takes both).
Function& Recorder::function(void* handle, const char* symbol) {
    const auto [at, is_new] = functions_.try_emplace(handle);
    Function& made = at->second;
    if (!is_new) return made;
    made.number = static_cast<std::uint32_t>(functions_.size() - 1);
    void *module = nullptr, *own = handle;
    if (driver_.function_module(&module, own) != 0 &&
        (driver_.kernel_function(&own, handle) != 0 || driver_.function_module(&module, own) != 0))
        own = handle;
    const char* name = nullptr;
    if (driver_.function_name(&name, own) != 0 || name == nullptr) name = symbol;
    if (name == nullptr) log_.note("a kernel has no name that the driver tells: its launches are missing");
    else describe(made, own, module, name);
    return made;
}

// Parameters one by one, or as one buffer with its size (CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE).
const std::string& Recorder::gathered(const Function& known, const Launch& how) {
    std::string& bytes = parameters_;
    bytes.clear();
    if (how.single != nullptr || how.packed == nullptr) {
        for (std::size_t place = 0; place < known.parameters.size() && how.single != nullptr; ++place) {
            const auto [offset, size] = known.parameters[place];
            if (bytes.size() < offset + size) bytes.resize(offset + size);
            memcpy(bytes.data() + offset, how.single[place], size);
        }
        return bytes;
    }
    const char* buffer = nullptr;
    std::size_t size = 0;
    for (void** item = how.packed; *item != nullptr; item += 2) {
        if (item[0] == reinterpret_cast<void*>(1)) buffer = static_cast<const char*>(item[1]);
        if (item[0] == reinterpret_cast<void*>(2)) size = *static_cast<const std::size_t*>(item[1]);
    }
    if (buffer != nullptr) bytes.assign(buffer, size);
    return bytes;
}

// ------------------------------------------------------------------------------------------ launches

// Waits for what the launch waits for, so that its memory can be read.
void Recorder::waited(void* stream) {
    const RelaxedCapture relaxed(driver_);
    const bool is_default = stream == nullptr || stream == reinterpret_cast<void*>(1);
    if ((is_default ? driver_.context_synchronise() : driver_.stream_synchronise(stream)) != 0)
        log_.note("what a launch waits for could not be waited for: its memory may be of an earlier time");
}

// Launches into a graph are recorded when it is launched.
void Recorder::kernel_called(const Launch& how, const char* symbol, bool per_thread, std::uint32_t correlation) {
    int status = 0;
    if (steps_.capturing > 0 && driver_.stream_capturing(how.stream, &status) == 0 && status != 0) return;
    Function& known = function(how.function, symbol);
    if (!known.recordable) return;
    const std::uint32_t number = launched(known, how, gathered(known, how));
    steps_.write(Step::launch, {number, steps_.stream(how.stream, per_thread), correlation, 0});
}

// The number of a launch. One with equal arguments is written again after 1, 2, 4, 8 ... others: its memory may have
// changed, and unknown programs are not slowed by more than the logarithm of their launches.
std::uint32_t Recorder::launched(Function& known, const Launch& how, const std::string& parameters) {
    key_.clear().put(known.number).put(std::string_view(parameters)).put(how.shared).put(how.cooperative);
    for (const unsigned* sizes : {how.grid, how.block, how.cluster})
        for (int axis = 0; axis < 3; ++axis) key_.put(sizes[axis]);
    Written& item = launches_[fingerprint(key_.bytes().data(), key_.bytes().size())];
    const std::uint32_t before = item.count++;
    const bool again = contents_ != Contents::none && known.variants < most_variants;
    if (before != 0 && !(again && (before & (before - 1)) == 0)) return item.number;
    item.number = launch_count_++;
    write_launch(known, how, parameters);
    return item.number;
}

void Recorder::write_launch(Function& known, const Launch& how, const std::string& parameters) {
    const bool fresh = contents_ != Contents::none && known.variants++ < most_variants;
    if (contents_ != Contents::none && !fresh)
        log_.note("of a kernel with more than 32 launches that differ, later ones have the memory of earlier ones");
    if (fresh) waited(how.stream);
    variables_.clear();
    for (Allocation& item : known.module->variables) variables_.push_back(&item);
    const auto& arrays = memory_.reached(parameters, variables_, fresh, contents_, driver_, log_);
    Packer& entry = entry_.clear();
    entry.put(known.number);
    for (const unsigned* sizes : {how.grid, how.block, how.cluster})
        for (int axis = 0; axis < 3; ++axis) entry.put(sizes[axis]);
    entry.put(how.shared).put<std::uint32_t>(how.cooperative).put(std::string_view(parameters));
    entry.put(static_cast<std::uint32_t>(arrays.size()));
    for (const Allocation* item : arrays) {
        entry.put(item->address).put<std::uint64_t>(item->bytes).put(item->number);
        entry.put(static_cast<std::uint32_t>(item->blocks.size()));
        for (const std::uint32_t number : item->blocks) entry.put(number);
    }
    log_.write(Entry::launch, entry);
}

// ------------------------------------------------------------------------------------------ graphs

// What a graph does, in the order in which its nodes were made.
void Recorder::add_nodes(void* graph, std::vector<Node>& result) {
    std::size_t count = 0;
    if (driver_.graph_nodes(graph, nullptr, &count) != 0) return log_.note("a graph could not be read");
    std::vector<void*> nodes(count);
    driver_.graph_nodes(graph, nodes.data(), &count);
    for (void* handle : nodes) {
        Node made;
        KernelNode kernel{};
        SetNode set{};
        void* child = nullptr;
        driver_.node_type(handle, &made.type);
        if (made.type == kernel_node && driver_.kernel_node(handle, &kernel) == 0) {
            made.launch = from(kernel);
            Function& known = function(made.launch.function, nullptr);
            if (!known.recordable) continue;
            made.parameters = gathered(known, made.launch);
        } else if (made.type == copy_node) {
            driver_.copy_node(handle, &made.copy);
        } else if (made.type == set_node && driver_.set_node(handle, &set) == 0) {
            made.set_bytes = set.element * set.width * set.height;
        } else if (made.type == child_node && driver_.child_graph(handle, &child) == 0) {
            add_nodes(child, result);
            continue;
        } else {
            continue;
        }
        result.push_back(std::move(made));
    }
}

void Recorder::graph_called(const GraphLaunchParameters& call, bool per_thread, std::uint32_t correlation) {
    const auto known = graphs_.find(call.executable);
    if (known == graphs_.end()) return log_.note("a graph was launched that was not seen before: it is missing");
    const std::uint64_t stream = steps_.stream(call.stream, per_thread);
    std::uint64_t kernels = 0;
    steps_.write(Step::graph, {1});
    for (Node& node : known->second) {
        node.launch.stream = call.stream;
        if (node.type == kernel_node) {
            Function& kernel = function(node.launch.function, nullptr);
            const std::uint32_t number = launched(kernel, node.launch, node.parameters);
            steps_.write(Step::launch, {number, stream, correlation, kernels++});
        } else if (node.type == copy_node) {
            steps_.copied(node.copy, stream, true, correlation, driver_);
        } else {
            steps_.write(Step::set, {stream, node.set_bytes, correlation});
        }
    }
    steps_.write(Step::graph, {0});
}

// ------------------------------------------------------------------------------------------ times

void Recorder::activities(std::uint8_t* buffer, std::size_t valid) {
    const std::lock_guard lock(times_mutex_);
    void* item = nullptr;
    while (cupti.activity_next(buffer, valid, &item) == 0) {
        const auto& kernel = *static_cast<const KernelActivity*>(item);
        if (kernel.kind == concurrent_kernel) times_.put(kernel.correlation).put(kernel.start).put(kernel.end);
    }
}

void Recorder::finish() {
    cupti.activity_flush(1);
    const std::lock_guard lock(mutex_);
    const std::lock_guard times(times_mutex_);
    log_.write(Entry::times, times_);
    log_.close();
}

}  // namespace foretell::recorder
