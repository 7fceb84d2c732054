#include "standin/device.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace foretell::standin {

Device& device() {
    static auto* only = new Device;  // never destroyed: the program may call us while it ends
    return *only;
}

int Device::ready() {
    if (broken) return broken_with_;
    if (tried_) return connected_ ? success : no_device;
    tried_ = true;
    if (!channel.open()) {
        fputs("foretell: this program uses CUDA; foretell run -- PROGRAM runs it without a GPU\n", stderr);
        return no_device;
    }
    Answer answer = channel.ask(Operation::hello, Writer().put(protocol_version).put<std::int32_t>(getpid()));
    const auto base = answer.get<std::uint64_t>(), bytes = answer.get<std::uint64_t>();
    const auto device_bytes = answer.get<std::uint64_t>();
    arch = answer.get<std::int32_t>();
    name = answer.text();
    for (auto left = answer.get<std::uint32_t>(); left > 0; --left) {
        const auto number = answer.get<std::int32_t>();
        attributes[number] = answer.get<std::int64_t>();
    }
    if (!memory.map(channel.descriptor(), base, bytes, device_bytes)) {
        fputs("foretell: the addresses of the simulated device are taken in this program\n", stderr);
        give_up();
    }
    close(channel.descriptor());
    per_thread_.id = 2;
    connected_ = true;
    return success;
}

void missing(const char* name) {
    Device& gpu = device();
    const std::lock_guard lock(gpu.mutex);
    if (gpu.ready() == success) gpu.channel.ask(Operation::missing, Writer().put(std::string_view(name)));
    fprintf(stderr, "foretell: %s is not among the CUDA functions that foretell has\n", name);
    give_up();
}

// ------------------------------------------------------------------------------------------ modules and kernels

Module* Device::add_module(const void* image) {
    modules_.emplace_back();
    modules_.back().image = image;
    return &modules_.back();
}

namespace {

// Bytes of a fatbin, of a cubin or of several of them in memory, by their headers; 0 for other images (PTX text).
std::uint64_t image_bytes(const void* image) {
    const auto* bytes = static_cast<const unsigned char*>(image);
    auto number = [&](std::size_t offset, auto kind) {
        decltype(kind) value;
        memcpy(&value, bytes + offset, sizeof value);
        return value;
    };
    if (number(0, std::uint32_t{}) == 0x4B4C5446U) return number(8, std::uint64_t{});  // several inputs (linking.cpp)
    if (number(0, std::uint32_t{}) == 0xBA55ED50U) return number(6, std::uint16_t{}) + number(8, std::uint64_t{});
    if (memcmp(bytes, "\177ELF", 4) == 0) {
        const std::uint64_t sections = number(40, std::uint64_t{}), programs = number(32, std::uint64_t{});
        const std::uint64_t after_sections =
            sections + std::uint64_t{number(58, std::uint16_t{})} * number(60, std::uint16_t{});
        const std::uint64_t after_programs =
            programs + std::uint64_t{number(54, std::uint16_t{})} * number(56, std::uint16_t{});
        return std::max(after_sections, after_programs);
    }
    return strlen(static_cast<const char*>(image)) + 1;
}

}  // namespace

int Device::load(Module& module) {
    if (module.loaded) return module.status;
    module.loaded = true;
    const std::string_view image =
        module.bytes.empty() ? std::string_view(static_cast<const char*>(module.image), image_bytes(module.image))
                             : std::string_view(module.bytes);
    Answer answer = channel.ask(Operation::module, Writer().put(image));
    if (answer.status != success) {
        module.problem = answer.text();
        return module.status = answer.status;
    }
    module.id = answer.get<std::uint32_t>();
    const auto globals = answer.get<std::uint64_t>(), constants = answer.get<std::uint64_t>();
    const bool has_heap = answer.get<std::uint32_t>() != 0;
    module.kernels.resize(answer.get<std::uint32_t>());
    for (std::string& name : module.kernels) name = answer.text();
    for (const auto& [bytes, address] :
         {std::pair{globals, &module.globals}, std::pair{constants, &module.constants}}) {
        if (bytes == 0) continue;
        *address = memory.allocate(bytes, Space::module, 0);
        if (*address == 0) return module.status = out_of_memory;
        channel.tell(Operation::allocate,
                     Writer().put(*address).put(bytes).put(static_cast<std::uint32_t>(Space::module)));
    }
    if (const int error = has_heap ? make_heap() : static_cast<int>(success)) return module.status = error;
    return module.status =
               channel.ask(Operation::place, Writer().put(module.id).put(module.globals).put(module.constants)).status;
}

int Device::resolve(Function& function) {
    if (function.resolved) return function.status;
    if (const int error = load(*function.module); error != success) return error;
    function.resolved = true;
    Answer answer =
        channel.ask(Operation::function, Writer().put(function.module->id).put(std::string_view(function.name)));
    if (answer.status != success) return function.status = answer.status;
    function.id = answer.get<std::uint32_t>();
    for (auto* field : {&function.registers, &function.shared_bytes, &function.constant_bytes, &function.local_bytes,
                        &function.most_threads, &function.arch, &function.dynamic_limit})
        *field = answer.get<std::int32_t>();
    for (auto left = answer.get<std::uint32_t>(); left > 0; --left) {
        const auto offset = answer.get<std::uint32_t>(), size = answer.get<std::uint32_t>();
        function.parameters.emplace_back(offset, size);
        function.parameter_bytes = std::max(function.parameter_bytes, offset + size);
    }
    return success;
}

int Device::variable(Module& module, const std::string& name, Variable& result) {
    if (const int error = load(module); error != success) return error;
    if (const auto known = module.variables.find(name); known != module.variables.end()) {
        result = known->second;
        return success;
    }
    Answer answer = channel.ask(Operation::variable, Writer().put(module.id).put(std::string_view(name)));
    if (answer.status != success) return answer.status;
    result.address = answer.get<std::uint64_t>();
    result.bytes = answer.get<std::uint64_t>();
    module.variables[name] = result;
    return success;
}

int Device::launch(Function& function, const Launch& how, std::string parameters, Stream* where) {
    if (const int error = resolve(function); error != success) return error;
    auto kept = std::make_shared<KernelCall>(KernelCall{&function, how, std::move(parameters), {}});
    auto run = [this, kept](std::uint32_t stream) {
        const auto& [known, how, bytes, each] = *kept;
        Writer message;
        message.put(known->id).put(stream);
        for (const Dim3& size : {how.grid, how.block, how.cluster}) message.put(size.x).put(size.y).put(size.z);
        message.put(how.shared_bytes).put<std::uint32_t>(how.cooperative).put(std::string_view(bytes));
        Answer answer = channel.ask(Operation::launch, message);
        const auto later = answer.get<std::int32_t>();
        printed_ += answer.text();
        if (later != success) broken_with_ = later;  // as on a GPU, the next call that waits learns of it
        return answer.status;
    };
    const int error = submit(where, 0, std::move(run));
    if (error != success || !where->capture) return error;
    for (const auto& [offset, size] : function.parameters) kept->each.push_back(kept->arguments.data() + offset);
    where->capture->nodes.back()->kernel = std::move(kept);
    return success;
}

int Device::occupancy(Function& function, int threads, std::uint64_t shared_bytes, int& blocks) {
    if (const int error = resolve(function); error != success) return error;
    Answer answer = channel.ask(Operation::occupancy, Writer().put(function.id).put(threads).put(shared_bytes));
    blocks = answer.get<std::int32_t>();
    return answer.status;
}

void Device::limit_dynamic(Function& function, int bytes) {
    function.dynamic_limit = bytes;
    channel.tell(Operation::function_limit, Writer().put(function.id).put(bytes));
}

}  // namespace foretell::standin
