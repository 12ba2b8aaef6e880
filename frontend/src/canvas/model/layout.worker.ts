import { type LayoutRequest, layoutGraph } from './layout';

self.onmessage = (event: MessageEvent<LayoutRequest>) => {
  self.postMessage([...layoutGraph(event.data)]);
};
