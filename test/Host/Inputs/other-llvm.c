// What another release of LLVM says of itself.
void LLVMGetVersion(unsigned *Major, unsigned *Minor, unsigned *Patch) {
  *Major = 23;
  *Minor = 1;
  *Patch = 0;
}
