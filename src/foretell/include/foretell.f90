! Marks regions of a Fortran program for `foretell profile`:
!
!     use foretell
!     call foretell_begin("solve")
!     ...
!     call foretell_end()
!
! Compile foretell.c with the program.
module foretell
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char
  implicit none
  private
  public :: foretell_begin, foretell_end

  interface
    subroutine begin_c(name) bind(c, name="foretell_begin_c")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine foretell_end() bind(c, name="foretell_end_c")
    end subroutine
  end interface

contains

  subroutine foretell_begin(name)
    character(len=*), intent(in) :: name
    call begin_c(trim(name) // c_null_char)
  end subroutine

end module
