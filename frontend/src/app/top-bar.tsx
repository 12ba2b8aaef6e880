import { spotlight } from '@mantine/spotlight';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import IconMoon from '@tabler/icons-react/icons/IconMoon';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import IconSun from '@tabler/icons-react/icons/IconSun';
import { Link, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTheme } from '@/ui/theme';
import { useTitleStore } from '@/ui/title';
import { DeviceStrip } from './device-strip';
import { LiveDot } from './live-dot';

function Breadcrumb() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page });
  const title = useTitleStore((state) => state.title) ?? page?.title ?? 'Not found';
  useEffect(() => {
    document.title = title === 'Home' ? 'Asterism' : `${title} · Asterism`;
  }, [title]);
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      {page?.parents?.map((parent) => (
        <span key={parent.to} className="row desk-only">
          <Link to={parent.to}>{parent.label}</Link>
          <IconChevronRight size={14} aria-hidden="true" />
        </span>
      ))}
      <b className="ellipsis" aria-current="page">
        {title}
      </b>
    </nav>
  );
}

function ThemeButton() {
  const { theme, setTheme } = useTheme();
  const next = theme === 'dark' ? 'light' : 'dark';
  const Icon = theme === 'dark' ? IconSun : IconMoon;
  return (
    <button
      type="button"
      className="btn ghost small icon-only"
      onClick={() => setTheme(next)}
      aria-label={`Switch to the ${next} theme`}
      title={`Switch to the ${next} theme`}
    >
      <Icon size={16} stroke={1.75} />
    </button>
  );
}

export function TopBar() {
  return (
    <header className="top-bar">
      <Breadcrumb />
      <button type="button" className="find" onClick={spotlight.open} title="Search or run a command">
        <IconSearch size={14} stroke={1.75} />
        <span>Search or run a command</span>
        <kbd>Ctrl K</kbd>
      </button>
      <DeviceStrip />
      <LiveDot />
      <ThemeButton />
    </header>
  );
}
