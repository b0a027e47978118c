// Exceptions, virtual functions, templates, the standard library.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Base {
    virtual ~Base() {}
    virtual int number() const { return 1; }
    static int shared;
};
struct Derived : virtual Base, std::string {
    int &reference;
    explicit Derived(int &x) : reference(x) {}
    int number() const override { return 2; }
};
int Base::shared = 3;
thread_local std::vector<int> per_thread;

namespace outer {
template <class T> T square(T x) { return x * x; }
enum class Kind : unsigned char { A, B };
namespace {
int hidden;
}
} // namespace outer

int main() {
    std::vector<int> numbers{3, 1, 2};
    std::sort(numbers.begin(), numbers.end());
    std::map<std::string, int> words;
    words["x"] = 1;
    std::mutex mutex;
    std::thread thread([&] {
        std::lock_guard<std::mutex> guard(mutex);
        numbers.push_back(4);
        per_thread.push_back(1);
    });
    thread.join();
    try {
        throw std::runtime_error("x");
    } catch (const std::exception &e) {
        std::cout << e.what();
    } catch (int) {
    }
    int x = 0;
    std::unique_ptr<Base> base(new Derived(x));
    auto member = &Base::number;
    std::function<int(int)> add = [&](int i) { return i + x; };
    std::cout << (base.get()->*member)() << outer::square(2.5);
    return add(1) + dynamic_cast<Derived *>(base.get())->number() + outer::hidden +
           static_cast<int>(outer::Kind::B);
}
