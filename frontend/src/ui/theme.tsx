import { type CSSVariablesResolver, createTheme, MantineProvider } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';

export type ThemeName = 'light' | 'dark';
const KEY = 'asterism.theme';

interface ThemeState {
  theme: ThemeName;
  setTheme: (theme: ThemeName) => void;
}

function stored(): ThemeName {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

function chosen(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function remember(theme: ThemeName): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be switched off; the choice then lasts as long as the page.
  }
}

/** The one place that knows light from dark; charts read it to redraw. */
export const useTheme = create<ThemeState>((set) => ({
  theme: stored(),
  setTheme: (theme) => {
    remember(theme);
    document.documentElement.dataset.theme = theme;
    set({ theme });
  },
}));

/** Until somebody chooses, the pages go light and dark with the system, also while they are open. */
function followSystem(): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => chosen() || useTheme.setState({ theme: dark.matches ? 'dark' : 'light' });
  dark.addEventListener('change', follow);
  return () => dark.removeEventListener('change', follow);
}

/** Reads a design token as the browser resolved it, for canvases that cannot use CSS variables. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const CLOSE = { 'aria-label': 'Close' };

const theme = createTheme({
  fontFamily: 'var(--font-ui)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '20px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  defaultRadius: '6px',
  // Mantine's dark greys, lightest first, as our tokens: text, borders, wells, surfaces.
  colors: {
    dark: [
      'var(--text)',
      'var(--text-2)',
      'var(--text-3)',
      'var(--border-strong)',
      'var(--border-strong)',
      'var(--inset)',
      'var(--surface)',
      'var(--bg)',
      'var(--bg)',
      'var(--bg)',
    ],
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Input: { defaultProps: { size: 'sm' } },
    InputWrapper: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 200, withArrow: true } },
    Modal: { defaultProps: { transitionProps: { duration: 100 }, centered: true, closeButtonProps: CLOSE } },
    Drawer: { defaultProps: { transitionProps: { duration: 100 }, closeButtonProps: CLOSE } },
    Menu: { defaultProps: { transitionProps: { duration: 80 }, position: 'bottom-end' } },
  },
});

const shared = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-error': 'var(--err)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--inset)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--border-strong)',
  '--mantine-color-disabled': 'var(--inset)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-hover': 'var(--accent-soft)',
  '--mantine-primary-color-light-color': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-color-anchor': 'var(--accent)',
};

/** Mantine's colours are our tokens, in both schemes. */
const resolver: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });

export function ThemeProvider({ children }: { children: ReactNode }) {
  const name = useTheme((state) => state.theme);
  useEffect(() => {
    document.documentElement.dataset.theme = name;
  }, [name]);
  useEffect(followSystem, []);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} forceColorScheme={name}>
      {children}
    </MantineProvider>
  );
}
