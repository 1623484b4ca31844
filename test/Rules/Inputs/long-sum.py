"""Prints a product with a factor that is a sum of so many terms: long-sum.py TERMS."""
import sys

terms = int(sys.argv[1])
sums = "\n".join(f"  %s{i + 1} = fadd double %s{i}, %y" for i in range(terms))
print(f"""declare double @__enzyme_fwddiff(...)
define double @sum(double %x, double %y) {{
  %s0 = fmul double %y, %y
{sums}
  %r = fmul double %x, %s{terms}
  ret double %r
}}
define double @tangent(double %x, double %y, double %dx) {{
  %d = call double (...) @__enzyme_fwddiff(ptr @sum, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}}""")
