/** Vertex programs a model brings along. */
import { findNode, type ModelDoc } from './document';
import type { Command } from './history';
import { freshId } from './ids';

/** A first program to edit: the mean of the neighbours through one matrix. */
function starter(name: string): string {
  return `def ${name}(v: Vertex(h="in"), weight: Param("in, out"), b: Param("out"), *, out=16):
    # v is one vertex, v.innbs are its in-neighbours
    y = mean(nb.h for nb in v.innbs) @ weight
    return y + b
`;
}

/** Adds a program and makes the layer run it: one step. */
export function newProgram(doc: ModelDoc, nodeId: string): Command {
  const node = findNode(doc, nodeId);
  const name = freshId('my_program', new Set(doc.programs.map((program) => program.name)));
  const program = { name, source: starter(name) };
  return {
    name: 'New program',
    operations: [
      { op: 'insert_program', program, index: doc.programs.length },
      ...(node
        ? [{ op: 'set_node' as const, node: { ...node, params: { ...node.params, program: name } } }]
        : []),
    ],
  };
}
