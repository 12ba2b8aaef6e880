// Times the canvas' own rules on one model, without a browser: `node bench-model.mjs FILE`, where the file holds
// {doc, layers}. Prints milliseconds as JSON.
import { readFileSync } from 'node:fs';
import { createServer } from 'vite';

const TIMES = 25;
const { doc, layers } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const server = await createServer({
  server: { middlewareMode: true, ws: false },
  appType: 'custom',
  logLevel: 'error',
});
const load = (name) => server.ssrLoadModule(`/src/canvas/model/${name}.ts`);

function median(times) {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

function timed(act) {
  const times = [];
  for (let i = 0; i < TIMES; i++) {
    const from = performance.now();
    act(i);
    times.push(performance.now() - from);
  }
  return median(times);
}

const { indexCatalog } = await load('catalog');
const { openConnection } = await load('connect');
const { localTypes, SYMBOLS } = await load('shapes');
const catalog = indexCatalog(layers);
const held = { end: { node: doc.nodes[1].id, port: 'y' }, side: 'output' };
const fresh = () => ({ ...doc, nodes: [...doc.nodes], wires: [...doc.wires] });
const open = openConnection(doc, catalog, new Map(), held);
const ports = doc.nodes.map((node) => ({ end: { node: node.id, port: 'x' }, side: 'input' }));
const slowest = (each) => {
  const times = each.map((port) => {
    const from = performance.now();
    open.judge(port);
    return performance.now() - from;
  });
  return Math.max(...times);
};

const figures = {
  judge: median(Array.from({ length: TIMES }, () => slowest(ports))),
  shapes: timed(() => localTypes(catalog, fresh(), SYMBOLS, { doc, types: new Map() })),
  'pick up': timed(() => openConnection(fresh(), catalog, new Map(), held)),
};
await server.close();
console.log(JSON.stringify(figures));
