import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTheme } from '@/ui/theme';
import { allNavPages } from './nav';

/** Ctrl+K: every page and command by name. */
export function Palette() {
  const navigate = useNavigate();
  const { theme, setTheme } = useTheme();
  const actions = useMemo<SpotlightActionData[]>(() => {
    const pages = allNavPages.map((page) => ({
      id: `page:${page.path}`,
      label: page.nav.label,
      description: 'Page',
      leftSection: <page.nav.icon size={16} stroke={1.75} />,
      onClick: () => void navigate({ to: page.path }),
    }));
    const next = theme === 'dark' ? 'light' : 'dark';
    return [...pages, { id: 'theme', label: `Use the ${next} theme`, onClick: () => setTheme(next) }];
  }, [navigate, theme, setTheme]);
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K', 'mod + P']}
      highlightQuery
      limit={12}
      nothingFound="Nothing by that name"
      searchProps={{ leftSection: <IconSearch size={16} />, placeholder: 'Search or run a command' }}
    />
  );
}
