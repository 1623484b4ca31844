set print frame-arguments none
set print address off
break gdb.cpp:18
run
backtrace
frame 1
printf "parts_adj[2] = %g\n", parts_adj[2]
continue
continue
continue
backtrace
frame 1
printf "parts_adj[2] = %g\n", parts_adj[2]
printf "i = %d\n", i
frame 0
next
next
info locals
