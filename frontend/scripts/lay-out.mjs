// Where the canvas puts the nodes of vertex programs: `node lay-out.mjs FILE`, where the file holds a list of program graphs.
// Prints one object a graph: boxes by node, lanes, and the points of every wire. A test judges whether one can read them.
import { readFileSync } from 'node:fs';
import { createServer } from 'vite';

const graphs = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const server = await createServer({
  server: { middlewareMode: true, ws: false },
  optimizeDeps: { noDiscovery: true },
  appType: 'custom',
  logLevel: 'error',
});
const { layOut } = await server.ssrLoadModule('/src/canvas/vertex/layout.ts');
const found = graphs.map((graph) => {
  const { boxes, lanes, routes } = layOut(graph);
  return { boxes: Object.fromEntries(boxes), lanes, routes: [...routes.values()] };
});
await server.close();
console.log(JSON.stringify(found));
