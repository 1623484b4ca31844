; Rows of a table that this function has filled, with memory that it has made for it, are no memory of
; the caller's, and no rows of another such table.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s --check-prefix=SWAPS

declare noalias ptr @malloc(i64)
declare void @keep(ptr)

; What constructors of containers look like: each row is memory of its own.
define internal ptr @fill(ptr %first, i64 %n) noinline {
entry:
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %row = call ptr @malloc(i64 80)
  %at = getelementptr ptr, ptr %first, i64 %i
  store ptr %row, ptr %at
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %for, label %done
done:
  %end = getelementptr ptr, ptr %first, i64 %n
  ret ptr %end
}

; The same row at two places of two tables.
define internal void @share(ptr %one, ptr %other) noinline {
  %row = call ptr @malloc(i64 80)
  store ptr %row, ptr %one
  store ptr %row, ptr %other
  ret void
}

define internal noalias ptr @filledTable(ptr %x) noinline {
  %t = call ptr @malloc(i64 80)
  %end = call ptr @fill(ptr %t, i64 9)
  store ptr %x, ptr %end
  ret ptr %t
}

; CHECK-LABEL: plan for reverse(@filled
; CHECK: %v primal {{.*}}  reload  (not overwritten afterwards)
define double @filled(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %t = call ptr @malloc(i64 80)
  %end = call ptr @fill(ptr %t, i64 10)
  %at = getelementptr ptr, ptr %t, i64 %n
  %row = load ptr, ptr %at
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %to = getelementptr inbounds double, ptr %row, i64 %i
  store double %w, ptr %to
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, 10
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %row
  ret double %r
}

; CHECK-LABEL: plan for reverse(@setHere
; CHECK: %v primal {{.*}}  reload  (not overwritten afterwards)
define double @setHere(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %t = alloca [2 x ptr]
  %a = call ptr @malloc(i64 80)
  %b = call ptr @malloc(i64 80)
  store ptr %a, ptr %t
  %second = getelementptr ptr, ptr %t, i64 1
  store ptr %b, ptr %second
  %at = getelementptr ptr, ptr %t, i64 %n
  %row = load ptr, ptr %at
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %to = getelementptr inbounds double, ptr %row, i64 %i
  store double %w, ptr %to
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, 10
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %row
  ret double %r
}

; One row is memory of the caller's.
; CHECK-LABEL: plan for reverse(@callersRow
; CHECK: %v primal {{.*}}  cache {{.*}}(may be overwritten
define double @callersRow(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %t = alloca [2 x ptr]
  %a = call ptr @malloc(i64 80)
  store ptr %a, ptr %t
  %second = getelementptr ptr, ptr %t, i64 1
  store ptr %x, ptr %second
  %at = getelementptr ptr, ptr %t, i64 %n
  %row = load ptr, ptr %at
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %to = getelementptr inbounds double, ptr %row, i64 %i
  store double %w, ptr %to
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, 10
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %row
  ret double %r
}

; Somebody else may put rows into the table.
; CHECK-LABEL: plan for reverse(@known
; CHECK: %v primal {{.*}}  cache {{.*}}(may be overwritten
define double @known(ptr %x, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %t = call ptr @malloc(i64 80)
  store ptr %t, ptr %out
  %end = call ptr @fill(ptr %t, i64 10)
  %at = getelementptr ptr, ptr %t, i64 %n
  %row = load ptr, ptr %at
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %to = getelementptr inbounds double, ptr %row, i64 %i
  store double %w, ptr %to
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, 10
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %row
  ret double %r
}

; The function that has made the table may have put rows into it.
; CHECK-LABEL: plan for reverse(@madeElsewhere
; CHECK: %v primal {{.*}}  cache {{.*}}(may be overwritten
define double @madeElsewhere(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %t = call noalias ptr @filledTable(ptr %x)
  %at = getelementptr ptr, ptr %t, i64 %n
  %row = load ptr, ptr %at
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %to = getelementptr inbounds double, ptr %row, i64 %i
  store double %w, ptr %to
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, 10
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %row
  ret double %r
}

; What is read somewhere else is no row.
; CHECK-LABEL: plan for reverse(@readElsewhere
; CHECK: %v primal {{.*}}  reload  (not overwritten afterwards)
define double @readElsewhere(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %t = call ptr @malloc(i64 80)
  %end = call ptr @fill(ptr %t, i64 10)
  %at = getelementptr ptr, ptr %t, i64 %n
  %row = load ptr, ptr %at
  %other = load ptr, ptr %x
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %from = getelementptr inbounds double, ptr %other, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %to = getelementptr inbounds double, ptr %row, i64 %i
  store double %w, ptr %to
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, 10
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %row
  ret double %r
}

; A row has been put where the other address is read.
; CHECK-LABEL: plan for reverse(@shownRow
; CHECK: %v primal {{.*}}  cache {{.*}}(may be overwritten
define double @shownRow(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %t = call ptr @malloc(i64 80)
  %end = call ptr @fill(ptr %t, i64 10)
  %at = getelementptr ptr, ptr %t, i64 %n
  %row = load ptr, ptr %at
  %first = load ptr, ptr %t
  store ptr %first, ptr %x
  %other = load ptr, ptr %x
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %from = getelementptr inbounds double, ptr %other, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %to = getelementptr inbounds double, ptr %row, i64 %i
  store double %w, ptr %to
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, 10
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %row
  ret double %r
}

; It is read from the table itself, counted from its end.
; CHECK-LABEL: plan for reverse(@fromTheEnd
; CHECK: %v primal {{.*}}  cache {{.*}}(may be overwritten
define double @fromTheEnd(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %t = call ptr @malloc(i64 80)
  %end = call ptr @fill(ptr %t, i64 10)
  %at = getelementptr ptr, ptr %t, i64 %n
  %row = load ptr, ptr %at
  %last = getelementptr ptr, ptr %end, i64 -1
  %other = load ptr, ptr %last
  call void @llvm.memcpy(ptr %other, ptr %x, i64 80, i1 false)
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %from = getelementptr inbounds double, ptr %other, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %to = getelementptr inbounds double, ptr %row, i64 %i
  store double %w, ptr %to
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, 10
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %row
  ret double %r
}

; SWAPS-LABEL: plan for reverse(@twoTables
; SWAPS: carries the adjoints of %left +0 %right +1
define double @twoTables(ptr %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %a = call ptr @malloc(i64 80)
  %ea = call ptr @fill(ptr %a, i64 10)
  %b = call ptr @malloc(i64 80)
  %eb = call ptr @fill(ptr %b, i64 10)
  %first = load ptr, ptr %a
  call void @llvm.memcpy(ptr %first, ptr %x, i64 80, i1 false)
  br label %steps
steps:
  %s = phi i64 [ 0, %entry ], [ %s1, %next ]
  %u = phi ptr [ %a, %entry ], [ %v, %next ]
  %v = phi ptr [ %b, %entry ], [ %u, %next ]
  %atu = getelementptr ptr, ptr %u, i64 %n
  %atv = getelementptr ptr, ptr %v, i64 %n
  %rowu = load ptr, ptr %atu
  %rowv = load ptr, ptr %atv
  br label %for
for:
  %i = phi i64 [ 0, %steps ], [ %i1, %for ]
  %i1 = add nuw nsw i64 %i, 1
  %atl = getelementptr inbounds double, ptr %rowu, i64 %i
  %atr = getelementptr inbounds double, ptr %rowu, i64 %i1
  %left = load double, ptr %atl
  %right = load double, ptr %atr
  %sum = fadd double %left, %right
  %to = getelementptr inbounds double, ptr %rowv, i64 %i
  store double %sum, ptr %to
  %more = icmp slt i64 %i1, 9
  br i1 %more, label %for, label %next
next:
  %s1 = add nuw nsw i64 %s, 1
  %again = icmp slt i64 %s1, %m
  br i1 %again, label %steps, label %done
done:
  %r = load double, ptr %rowv
  ret double %r
}

; Both tables have one row that is the same.
; SWAPS-LABEL: plan for reverse(@sharedRow
; SWAPS-NOT: carries the adjoints
define double @sharedRow(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %a = call ptr @malloc(i64 80)
  %b = call ptr @malloc(i64 80)
  call void @share(ptr %a, ptr %b)
  %rowu = load ptr, ptr %a
  call void @llvm.memcpy(ptr %rowu, ptr %x, i64 80, i1 false)
  %rowv = load ptr, ptr %b
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %i1 = add nuw nsw i64 %i, 1
  %atl = getelementptr inbounds double, ptr %rowu, i64 %i
  %atr = getelementptr inbounds double, ptr %rowu, i64 %i1
  %left = load double, ptr %atl
  %right = load double, ptr %atr
  %sum = fadd double %left, %right
  %to = getelementptr inbounds double, ptr %rowv, i64 %i
  store double %sum, ptr %to
  %more = icmp slt i64 %i1, 9
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %rowv
  ret double %r
}

; A row goes from one table to the other.
; SWAPS-LABEL: plan for reverse(@movedRow
; SWAPS-NOT: carries the adjoints
define double @movedRow(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %a = call ptr @malloc(i64 80)
  %ea = call ptr @fill(ptr %a, i64 10)
  %b = call ptr @malloc(i64 80)
  %eb = call ptr @fill(ptr %b, i64 10)
  %rowu = load ptr, ptr %a
  call void @llvm.memcpy(ptr %rowu, ptr %x, i64 80, i1 false)
  store ptr %rowu, ptr %b
  %atv = getelementptr ptr, ptr %b, i64 %n
  %rowv = load ptr, ptr %atv
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %i1 = add nuw nsw i64 %i, 1
  %atl = getelementptr inbounds double, ptr %rowu, i64 %i
  %atr = getelementptr inbounds double, ptr %rowu, i64 %i1
  %left = load double, ptr %atl
  %right = load double, ptr %atr
  %sum = fadd double %left, %right
  %to = getelementptr inbounds double, ptr %rowv, i64 %i
  store double %sum, ptr %to
  %more = icmp slt i64 %i1, 9
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %rowv
  ret double %r
}

; The table of the iteration before holds the row that goes into the table of this one, too.
; SWAPS-LABEL: plan for reverse(@carriedRow
; SWAPS-NOT: carries the adjoints
define double @carriedRow(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %spare = call ptr @malloc(i64 80)
  call void @llvm.memcpy(ptr %spare, ptr %x, i64 80, i1 false)
  %t0 = call ptr @malloc(i64 80)
  br label %steps
steps:
  %s = phi i64 [ 0, %entry ], [ %s1, %next ]
  %old = phi ptr [ %t0, %entry ], [ %t, %next ]
  %made = phi ptr [ %spare, %entry ], [ %row, %next ]
  %t = call ptr @malloc(i64 80)
  %row = call ptr @malloc(i64 80)
  call void @llvm.memset(ptr %row, i8 0, i64 80, i1 false)
  store ptr %made, ptr %t
  %second = getelementptr ptr, ptr %t, i64 1
  store ptr %row, ptr %second
  %first = icmp eq i64 %s, 0
  br i1 %first, label %next, label %work
work:
  %ato = getelementptr ptr, ptr %old, i64 1
  %rowo = load ptr, ptr %ato
  %rown = load ptr, ptr %t
  br label %for
for:
  %i = phi i64 [ 0, %work ], [ %i1, %for ]
  %i1 = add nuw nsw i64 %i, 1
  %atl = getelementptr inbounds double, ptr %rowo, i64 %i
  %atr = getelementptr inbounds double, ptr %rowo, i64 %i1
  %left = load double, ptr %atl
  %right = load double, ptr %atr
  %sum = fadd double %left, %right
  %to = getelementptr inbounds double, ptr %rown, i64 %i
  store double %sum, ptr %to
  %more = icmp slt i64 %i1, 9
  br i1 %more, label %for, label %next
next:
  %s1 = add nuw nsw i64 %s, 1
  %again = icmp slt i64 %s1, %n
  br i1 %again, label %steps, label %done
done:
  %r0 = load ptr, ptr %t
  %r = load double, ptr %r0
  ret double %r
}

; Nobody knows what is done with a row.
; SWAPS-LABEL: plan for reverse(@givenAway
; SWAPS-NOT: carries the adjoints
define double @givenAway(ptr %x, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %a = call ptr @malloc(i64 80)
  %row = call ptr @malloc(i64 80)
  store ptr %row, ptr %a
  store ptr %row, ptr %out
  call void @llvm.memcpy(ptr %row, ptr %x, i64 80, i1 false)
  %rowu = load ptr, ptr %a
  %rowv = load ptr, ptr %out
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i1, %for ]
  %i1 = add nuw nsw i64 %i, 1
  %atl = getelementptr inbounds double, ptr %rowu, i64 %i
  %atr = getelementptr inbounds double, ptr %rowu, i64 %i1
  %left = load double, ptr %atl
  %right = load double, ptr %atr
  %sum = fadd double %left, %right
  %to = getelementptr inbounds double, ptr %rowv, i64 %i
  store double %sum, ptr %to
  %more = icmp slt i64 %i1, 9
  br i1 %more, label %for, label %done
done:
  %r = load double, ptr %rowv
  ret double %r
}
