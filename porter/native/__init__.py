"""Native schedules: a kernel that computes a matrix product or attention is recognised by what it does, and written anew for
CDNA.

schedule    what becomes of files: the kernels that are written anew, and why others are not
device_ir   compiles the faithful port, to read what a kernel does
launches/   what becomes of launches: sites finds them, launch_config reads them, launches rewrites them
emit/       the new source: gemm and attention write what the port holds, gemm_text has the headers with gemm's schedule
            (porter/gemm.h);
            token_edits and unused_code take out what it replaces
recognise/  is a kernel a product? recognise tries readings, for each of instantiations, and recognition_cache remembers.
            traces are executions; operands, tensor_boxes and sync_order say what they multiply, results, stored_tiles and
            epilogue what they store;
            size_guesses, size_roles, tile_counts and batches say what the kernel's numbers are. problem is the answer
lift/       is a kernel attention? attention executes it and compares what it stores, rows says which rows of Q, K and V an
            element is made of; forms are values over the reals, by algebra; products are numbers as C++ over parameters;
            instances are all instantiations of a kernel
machine/    executes a block: machine runs it. operations, runtime_calls, copies, warp_instructions and matrix_products say
            what instructions do to state, memory, parameters and constants; values, loaded_values, lanes and arithmetic
            are what these compute with
ir/         LLVM IR: reader, module, types; kernel_arguments and members are what a kernel is given
unit_files  the files of a translation unit, by their tokens

An import leads down this list, or stays in its folder.
"""

from __future__ import annotations

__all__: list[str] = []
