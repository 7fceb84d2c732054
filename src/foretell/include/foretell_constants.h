/* Constants that a tuning space gives where macros are not replaced: in #pragma unroll NAME. */
FORETELL_CONSTANTS
