// Runs before the page's own code and keeps what the browser says about speed in `window.__probe`.
(() => {
  const probe = { lcp: 0, cls: 0, long: [], inputs: [], frames: [], paints: [] };
  window.__probe = probe;
  const watch = (type, each, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', (entry) => (probe.lcp = entry.startTime));
  watch('layout-shift', (entry) => (probe.cls += entry.hadRecentInput ? 0 : entry.value));
  watch('longtask', (entry) => probe.long.push([entry.startTime, entry.duration]));
  watch('event', (entry) => entry.interactionId && probe.inputs.push([entry.interactionId, entry.duration]), {
    durationThreshold: 16,
  });

  // Time from each event of one type to the picture that follows it, the work of that picture included.
  probe.follow = (type) => {
    probe.paints = [];
    const note = (event) => {
      const at = event.timeStamp;
      requestAnimationFrame(() => {
        const after = new MessageChannel();
        after.port1.onmessage = () => probe.paints.push(performance.now() - at);
        after.port2.postMessage(0);
      });
    };
    window.addEventListener(type, note, { capture: true });
    return () => window.removeEventListener(type, note, { capture: true });
  };
  // Times between pictures while something moves.
  probe.film = () => {
    probe.frames = [];
    let last = 0;
    let on = true;
    const frame = (now) => {
      if (last) probe.frames.push(now - last);
      last = now;
      if (on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return () => (on = false);
  };
  // The moment `ready()` holds and the main thread has had no long task for `rest` ms: when a reader can go on.
  probe.settled = (ready, rest = 500) =>
    new Promise((resolve) => {
      let shown = 0;
      const look = () => {
        if (!shown && ready()) shown = performance.now();
        const busy = probe.long.reduce((end, [start, length]) => Math.max(end, start + length), 0);
        const from = Math.max(shown, busy);
        if (shown && performance.now() - from > rest) resolve(from);
        else setTimeout(look, 16);
      };
      look();
    });
})();
