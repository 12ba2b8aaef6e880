"""Runs compiled programs on torch tensors."""

from workers.compiler.runtime.graph import GraphIndex
from workers.compiler.runtime.module import CompiledProgram, KernelInfo, compile_program

__all__ = ["CompiledProgram", "GraphIndex", "KernelInfo", "compile_program"]
