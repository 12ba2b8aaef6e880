// Runs before the first paint, so a dark page never flashes white. The choice is stored by src/ui/theme.tsx.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('asterism.theme');
  } catch {
    // Storage may be switched off: follow the system.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
