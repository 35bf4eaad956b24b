// Does nothing: the program exists for its precompiled header.
int main() {
  return 0;
}
