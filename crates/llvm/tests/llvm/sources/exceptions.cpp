// Exceptions and classes without any header, so that it compiles for every machine.
struct Base {
    virtual ~Base();
    int x;
};
struct Derived : virtual Base {
    ~Derived();
    int y;
};
struct Guard {
    Guard();
    ~Guard();
};

extern "C" void may_throw(int);

Base::~Base() {}
Derived::~Derived() { may_throw(1); }
Guard::Guard() { may_throw(0); }
Guard::~Guard() {}

static Guard at_start;
int Base::*member = &Base::x;

int handle(int n) {
    try {
        Guard guard;
        may_throw(n);
    } catch (int i) {
        Guard other;
        return i;
    } catch (Base &base) {
        return base.x;
    } catch (...) {
        throw;
    }
    return 0;
}

void never() noexcept { may_throw(3); }

template <class T> struct Four {
    T values[4];
    T sum() const {
        T total{};
        for (auto value : values) total += value;
        return total;
    }
};
template struct Four<double>;
template struct Four<long long>;

int main() {
    auto add = [](auto x) { return x + 1; };
    return add(handle(2));
}
