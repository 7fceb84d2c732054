; ModuleID = '/work/main/src/foretell/uses/cpu/kernels/jacobi27.c'
source_filename = "/work/main/src/foretell/uses/cpu/kernels/jacobi27.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @jacobi27(i64 noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef writeonly %2) local_unnamed_addr #0 {
  %4 = add i64 %0, -1
  %5 = icmp sgt i64 %0, 2
  br i1 %5, label %6, label %136

6:                                                ; preds = %3
  %7 = mul nuw i64 %0, %0
  br label %8

8:                                                ; preds = %134, %6
  %9 = phi i64 [ 1, %6 ], [ %15, %134 ]
  %10 = mul nsw i64 %9, %7
  %11 = getelementptr inbounds double, ptr %1, i64 %10
  %12 = add nsw i64 %9, -1
  %13 = mul nsw i64 %12, %7
  %14 = getelementptr inbounds double, ptr %1, i64 %13
  %15 = add nuw nsw i64 %9, 1
  %16 = mul nsw i64 %15, %7
  %17 = getelementptr inbounds double, ptr %1, i64 %16
  %18 = getelementptr inbounds double, ptr %2, i64 %10
  br label %19

19:                                               ; preds = %132, %8
  %20 = phi i64 [ 1, %8 ], [ %26, %132 ]
  %21 = mul nuw nsw i64 %20, %0
  %22 = getelementptr inbounds double, ptr %11, i64 %21
  %23 = add nsw i64 %20, -1
  %24 = mul nsw i64 %23, %0
  %25 = getelementptr inbounds double, ptr %11, i64 %24
  %26 = add nuw nsw i64 %20, 1
  %27 = mul nuw nsw i64 %26, %0
  %28 = getelementptr inbounds double, ptr %11, i64 %27
  %29 = getelementptr inbounds double, ptr %14, i64 %21
  %30 = getelementptr inbounds double, ptr %17, i64 %21
  %31 = getelementptr inbounds double, ptr %14, i64 %24
  %32 = getelementptr inbounds double, ptr %14, i64 %27
  %33 = getelementptr inbounds double, ptr %17, i64 %24
  %34 = getelementptr inbounds double, ptr %17, i64 %27
  %35 = getelementptr inbounds double, ptr %18, i64 %21
  %36 = getelementptr inbounds i8, ptr %22, i64 8
  %37 = load double, ptr %36, align 8, !tbaa !5
  %38 = getelementptr inbounds i8, ptr %25, i64 8
  %39 = load double, ptr %38, align 8, !tbaa !5
  %40 = getelementptr inbounds i8, ptr %28, i64 8
  %41 = load double, ptr %40, align 8, !tbaa !5
  %42 = getelementptr inbounds i8, ptr %29, i64 8
  %43 = load double, ptr %42, align 8, !tbaa !5
  %44 = getelementptr inbounds i8, ptr %30, i64 8
  %45 = load double, ptr %44, align 8, !tbaa !5
  %46 = getelementptr inbounds i8, ptr %31, i64 8
  %47 = load double, ptr %46, align 8, !tbaa !5
  %48 = getelementptr inbounds i8, ptr %32, i64 8
  %49 = load double, ptr %48, align 8, !tbaa !5
  %50 = getelementptr inbounds i8, ptr %33, i64 8
  %51 = load double, ptr %50, align 8, !tbaa !5
  %52 = getelementptr inbounds i8, ptr %34, i64 8
  %53 = load double, ptr %52, align 8, !tbaa !5
  br label %54

54:                                               ; preds = %54, %19
  %55 = phi double [ %53, %19 ], [ %127, %54 ]
  %56 = phi double [ %51, %19 ], [ %121, %54 ]
  %57 = phi double [ %49, %19 ], [ %115, %54 ]
  %58 = phi double [ %47, %19 ], [ %109, %54 ]
  %59 = phi double [ %45, %19 ], [ %99, %54 ]
  %60 = phi double [ %43, %19 ], [ %93, %54 ]
  %61 = phi double [ %41, %19 ], [ %87, %54 ]
  %62 = phi double [ %39, %19 ], [ %81, %54 ]
  %63 = phi double [ %37, %19 ], [ %70, %54 ]
  %64 = phi i64 [ 1, %19 ], [ %68, %54 ]
  %65 = add nsw i64 %64, -1
  %66 = getelementptr inbounds double, ptr %22, i64 %65
  %67 = load double, ptr %66, align 8, !tbaa !5
  %68 = add nuw nsw i64 %64, 1
  %69 = getelementptr inbounds double, ptr %22, i64 %68
  %70 = load double, ptr %69, align 8, !tbaa !5
  %71 = fadd double %67, %70
  %72 = fadd double %71, %62
  %73 = fadd double %72, %61
  %74 = fadd double %73, %60
  %75 = fadd double %74, %59
  %76 = fmul double %75, 4.000000e-02
  %77 = tail call double @llvm.fmuladd.f64(double %63, double 3.000000e-01, double %76)
  %78 = getelementptr inbounds double, ptr %25, i64 %65
  %79 = load double, ptr %78, align 8, !tbaa !5
  %80 = getelementptr inbounds double, ptr %25, i64 %68
  %81 = load double, ptr %80, align 8, !tbaa !5
  %82 = fadd double %79, %81
  %83 = getelementptr inbounds double, ptr %28, i64 %65
  %84 = load double, ptr %83, align 8, !tbaa !5
  %85 = fadd double %82, %84
  %86 = getelementptr inbounds double, ptr %28, i64 %68
  %87 = load double, ptr %86, align 8, !tbaa !5
  %88 = fadd double %85, %87
  %89 = getelementptr inbounds double, ptr %29, i64 %65
  %90 = load double, ptr %89, align 8, !tbaa !5
  %91 = fadd double %88, %90
  %92 = getelementptr inbounds double, ptr %29, i64 %68
  %93 = load double, ptr %92, align 8, !tbaa !5
  %94 = fadd double %91, %93
  %95 = getelementptr inbounds double, ptr %30, i64 %65
  %96 = load double, ptr %95, align 8, !tbaa !5
  %97 = fadd double %94, %96
  %98 = getelementptr inbounds double, ptr %30, i64 %68
  %99 = load double, ptr %98, align 8, !tbaa !5
  %100 = fadd double %97, %99
  %101 = fadd double %100, %58
  %102 = fadd double %101, %57
  %103 = fadd double %102, %56
  %104 = fadd double %103, %55
  %105 = tail call double @llvm.fmuladd.f64(double %104, double 2.000000e-02, double %77)
  %106 = getelementptr inbounds double, ptr %31, i64 %65
  %107 = load double, ptr %106, align 8, !tbaa !5
  %108 = getelementptr inbounds double, ptr %31, i64 %68
  %109 = load double, ptr %108, align 8, !tbaa !5
  %110 = fadd double %107, %109
  %111 = getelementptr inbounds double, ptr %32, i64 %65
  %112 = load double, ptr %111, align 8, !tbaa !5
  %113 = fadd double %110, %112
  %114 = getelementptr inbounds double, ptr %32, i64 %68
  %115 = load double, ptr %114, align 8, !tbaa !5
  %116 = fadd double %113, %115
  %117 = getelementptr inbounds double, ptr %33, i64 %65
  %118 = load double, ptr %117, align 8, !tbaa !5
  %119 = fadd double %116, %118
  %120 = getelementptr inbounds double, ptr %33, i64 %68
  %121 = load double, ptr %120, align 8, !tbaa !5
  %122 = fadd double %119, %121
  %123 = getelementptr inbounds double, ptr %34, i64 %65
  %124 = load double, ptr %123, align 8, !tbaa !5
  %125 = fadd double %122, %124
  %126 = getelementptr inbounds double, ptr %34, i64 %68
  %127 = load double, ptr %126, align 8, !tbaa !5
  %128 = fadd double %125, %127
  %129 = tail call double @llvm.fmuladd.f64(double %128, double 1.000000e-02, double %105)
  %130 = getelementptr inbounds double, ptr %35, i64 %64
  store double %129, ptr %130, align 8, !tbaa !5
  %131 = icmp eq i64 %68, %4
  br i1 %131, label %132, label %54, !llvm.loop !9

132:                                              ; preds = %54
  %133 = icmp eq i64 %26, %4
  br i1 %133, label %134, label %19, !llvm.loop !12

134:                                              ; preds = %132
  %135 = icmp eq i64 %15, %4
  br i1 %135, label %136, label %8, !llvm.loop !13

136:                                              ; preds = %134, %3
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="cascadelake" "target-features"="+adx,+aes,+avx,+avx2,+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl,+avx512vnni,+bmi,+bmi2,+clflushopt,+clwb,+cmov,+crc32,+cx16,+cx8,+evex512,+f16c,+fma,+fsgsbase,+fxsr,+invpcid,+lzcnt,+mmx,+movbe,+pclmul,+pku,+popcnt,+prfchw,+rdrnd,+rdseed,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave,+xsavec,+xsaveopt,+xsaves" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"double", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = distinct !{!12, !10, !11}
!13 = distinct !{!13, !10, !11}
