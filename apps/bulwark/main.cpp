// The command line of Bulwark.
int main() {
  return 0;
}
