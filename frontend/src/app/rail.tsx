import IconApi from '@tabler/icons-react/icons/IconApi';
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/icons/IconLayoutSidebarLeftCollapse';
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/icons/IconLayoutSidebarLeftExpand';
import { Link, useRouterState } from '@tanstack/react-router';
import { BrandMark } from './brand';
import { GROUPS, isCurrent, type NavPage, pagesIn } from './nav';

function RailLink({ page }: { page: NavPage }) {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const current = isCurrent(page, pathname);
  return (
    <Link
      className="rail-link"
      to={page.path}
      title={page.nav.label}
      aria-current={current ? 'page' : undefined}
    >
      <page.nav.icon size={16} stroke={1.75} />
      <span>{page.nav.label}</span>
    </Link>
  );
}

/** The left rail, derived from the pages that say where they stand. */
export function Rail({ slim, onToggle }: { slim: boolean; onToggle: () => void }) {
  const groups = GROUPS.map((group) => ({ group, items: pagesIn(group) })).filter((g) => g.items.length > 0);
  const Toggle = slim ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className="rail" aria-label="Main">
      <Link className="rail-brand" to="/" aria-label="Asterism, home">
        <BrandMark />
        <span>Asterism</span>
      </Link>
      {groups.map(({ group, items }) => (
        <div key={group} className={group === 'foot' ? 'rail-group foot' : 'rail-group'}>
          {group !== 'top' && group !== 'foot' && <div className="rail-title">{group}</div>}
          {items.map((page) => (
            <RailLink key={page.path} page={page} />
          ))}
        </div>
      ))}
      <div className="rail-foot">
        <a className="rail-link" href="/docs" title="API docs">
          <IconApi size={16} stroke={1.75} />
          <span>API docs</span>
        </a>
        <button
          type="button"
          className="rail-link"
          onClick={onToggle}
          title={slim ? 'Widen the menu' : 'Narrow the menu'}
        >
          <Toggle size={16} stroke={1.75} />
          <span>Collapse</span>
        </button>
      </div>
    </nav>
  );
}
