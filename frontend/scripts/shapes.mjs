// The types the canvas works out for itself: `node shapes.mjs FILE`, where the file holds {layers, cases: [{doc, sizes}]}.
// Prints one object a case, `node.port` to [kind, width]. A test compares them with the server's.
import { readFileSync } from 'node:fs';
import { createServer } from 'vite';

const { layers, cases } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const server = await createServer({
  server: { middlewareMode: true, ws: false },
  optimizeDeps: { noDiscovery: true },
  appType: 'custom',
  logLevel: 'error',
});
const load = (name) => server.ssrLoadModule(`/src/canvas/model/${name}.ts`);
const { indexCatalog } = await load('catalog');
const { localTypes } = await load('shapes');
const catalog = indexCatalog(layers);
const found = cases.map(({ doc, sizes }) => {
  const types = localTypes(catalog, doc, sizes, { doc, types: new Map() });
  return Object.fromEntries([...types].map(([key, { kind, shape }]) => [key, [kind, ...shape]]));
});
await server.close();
console.log(JSON.stringify(found));
