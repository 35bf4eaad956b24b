#include <cstdio>
int main() {
  std::puts("xrunlab");
}
