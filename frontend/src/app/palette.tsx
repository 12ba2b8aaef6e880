import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import IconCommand from '@tabler/icons-react/icons/IconCommand';
import IconListDetails from '@tabler/icons-react/icons/IconListDetails';
import IconMoon from '@tabler/icons-react/icons/IconMoon';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import IconPointer from '@tabler/icons-react/icons/IconPointer';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { recentModelsQuery, systemsQuery, templatesQuery } from '@/api/catalog';
import { jobsQuery } from '@/api/jobs';
import { keyText } from '@/ui/commands/command';
import { pageActions } from '@/ui/commands/page-actions';
import { allCommands } from '@/ui/commands/registry';
import { useTheme } from '@/ui/theme';
import { allNavPages } from './nav';

const ICON = 16;
const model = allNavPages.find((page) => page.path === '/models');

interface Entry {
  id: string;
  label: string;
  description: string;
  icon: React.ReactNode;
  to: NavigateOptions;
}

const PAGES: readonly Entry[] = allNavPages.map((page) => ({
  id: `page ${page.path}`,
  label: page.nav.label,
  description: 'Page',
  icon: <page.nav.icon size={ICON} stroke={1.75} />,
  to: { to: page.path },
}));

/** What can be gone to or started by name; asked for when the palette first opens. */
function useEntries(opened: boolean): readonly Entry[] {
  const { data: templates } = useQuery({ ...templatesQuery, enabled: opened });
  const { data: systems } = useQuery({ ...systemsQuery, enabled: opened });
  const { data: models } = useQuery({ ...recentModelsQuery, enabled: opened });
  const { data: jobs } = useInfiniteQuery({ ...jobsQuery({}, 20), enabled: opened });
  return useMemo(() => {
    const play = <IconPlayerPlay size={ICON} stroke={1.75} />;
    const trains = (templates ?? []).map((item) => ({
      id: `train ${item.name}`,
      label: `Train ${item.title}`,
      description: item.description,
      icon: play,
      to: { to: '/jobs/new', search: { kind: item.kind, template: item.name } },
    }));
    const starts = (systems ?? []).map((item) => ({
      id: `start ${item.kind}`,
      label: `New job: ${item.title}`,
      description: item.description,
      icon: play,
      to: { to: '/jobs/new', search: { kind: item.kind } },
    }));
    const opens = (models ?? []).map((item) => ({
      id: item.id,
      label: item.name,
      description: 'Model',
      icon: model && <model.nav.icon size={ICON} stroke={1.75} />,
      to: { to: '/models/$id', params: { id: item.id } },
    }));
    const found = (jobs?.pages[0]?.items ?? []).map((item) => ({
      id: item.id,
      label: item.name,
      description: `Job, ${item.state}`,
      icon: <IconListDetails size={ICON} stroke={1.75} />,
      to: { to: '/jobs/$id', params: { id: item.id } },
    }));
    return [...PAGES, ...trains, ...starts, ...opens, ...found];
  }, [templates, systems, models, jobs]);
}

const GO = 'Go to';
const HERE = 'On this page';

/** What the page says it can do, then what it has buttons for. Read anew whenever the palette opens. */
function actionsHere(): SpotlightActionData[] {
  const commands = allCommands().filter((one) => one.run && one.enabled?.() !== false);
  const known = new Set(commands.map((one) => one.title.toLowerCase()));
  const said = commands.map((one, i) => ({
    id: `here ${i} ${one.title}`,
    label: one.title,
    rightSection: one.keys?.[0] && <kbd>{keyText(one.keys[0])}</kbd>,
    leftSection: <IconCommand size={ICON} stroke={1.75} />,
    onClick: () => setTimeout(() => one.run?.()),
  }));
  const buttons = pageActions(known).map((one, i) => ({
    id: `button ${i} ${one.title}`,
    label: one.title,
    leftSection: <IconPointer size={ICON} stroke={1.75} />,
    // After the palette has closed and given the focus back.
    onClick: () => setTimeout(one.press),
  }));
  return [...said, ...buttons];
}

/** Ctrl+K: all that can be done on this page, and pages, templates, models and jobs, by name. */
export function Palette() {
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const [here, setHere] = useState<readonly SpotlightActionData[]>([]);
  const { theme, setTheme } = useTheme();
  const entries = useEntries(opened);
  const next = theme === 'dark' ? 'light' : 'dark';
  const goes: SpotlightActionData[] = entries.map((entry) => ({
    id: entry.id,
    label: entry.label,
    description: entry.description,
    leftSection: entry.icon,
    onClick: () => void navigate(entry.to),
  }));
  goes.push({
    id: 'theme',
    label: `Use the ${next} theme`,
    leftSection: <IconMoon size={ICON} stroke={1.75} />,
    onClick: () => setTheme(next),
  });
  return (
    <Spotlight
      actions={[
        { group: HERE, actions: [...here] },
        { group: GO, actions: goes },
      ]}
      shortcut={['mod + K', 'mod + P']}
      highlightQuery
      scrollable
      maxHeight="min(60vh, 520px)"
      limit={120}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      onSpotlightOpen={() => {
        setOpened(true);
        setHere(actionsHere());
      }}
      attributes={{ content: { 'aria-label': 'Search or run a command' } }}
      nothingFound="Nothing by that name"
      searchProps={{ leftSection: <IconSearch size={ICON} />, placeholder: 'Search or run a command' }}
    />
  );
}
