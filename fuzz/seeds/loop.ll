; ModuleID = 'k.c'
%struct.pair = type { i32, double }
define dso_local double @sum(ptr noalias %a, i64 %0) local_unnamed_addr #0 !dbg !7 {
entry:
  %cmp = icmp sgt i64 %0, 0
  br i1 %cmp, label %body, label %end, !dbg !9
body:                                             ; preds = %body, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 0.000000e+00, %entry ], [ %t, %body ]
  %p = getelementptr inbounds %struct.pair, ptr %a, i64 %i, i32 1
  %v = load double, ptr %p, align 8, !tbaa !11
  %t = fadd fast double %s, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %0
  br i1 %done, label %end, label %body, !llvm.loop !12
end:
  %r = phi double [ 0.000000e+00, %entry ], [ %t, %body ]
  switch i64 %0, label %2 [
    i64 1, label %2
  ]
2:
  call void @llvm.dbg.value(metadata i64 %0, metadata !8, metadata !DIExpression()), !dbg !9
  ret double %r
}
declare void @llvm.dbg.value(metadata, metadata, metadata) #1
!7 = distinct !DISubprogram(name: "sum", scope: !1, file: !1, line: 3)
!9 = !DILocation(line: 4, column: 2, scope: !7)
!1 = !DIFile(filename: "k.c", directory: "/x")
!12 = distinct !{!12, !9}
