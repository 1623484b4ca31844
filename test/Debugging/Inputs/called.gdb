set print frame-arguments none
set print address off
break gdb.cpp:18
run
backtrace
disable
break gdb.cpp:19
continue
continue
continue
continue
backtrace
printf "this_adj->stiffness = %g\n", this_adj->stiffness
continue
continue
continue
info locals
