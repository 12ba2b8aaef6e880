import { type LevelRequest, layoutLevels } from './layout-levels';

self.onmessage = (event: MessageEvent<LevelRequest>) => {
  self.postMessage([...layoutLevels(event.data)]);
};
