/* Included before every recorded program: without a name of their own, symbols of assembly are said to come from a
 * temporary file, another one in every build. */
#ifdef __ASSEMBLER__
.file "assembly"
#endif
