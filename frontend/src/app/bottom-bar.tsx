import { Menu } from '@mantine/core';
import IconMenu2 from '@tabler/icons-react/icons/IconMenu2';
import { Link, useRouterState } from '@tanstack/react-router';
import { allNavPages, isCurrent } from './nav';

/** The phone's navigation: the main pages within thumb reach, the rest under More. */
export function BottomBar() {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const main = allNavPages.filter((page) => page.nav.phone);
  const rest = allNavPages.filter((page) => !page.nav.phone);
  return (
    <nav className="bottom-bar phone-only" aria-label="Main">
      {main.map((page) => (
        <Link key={page.path} to={page.path} aria-current={isCurrent(page, pathname) ? 'page' : undefined}>
          <page.nav.icon size={20} stroke={1.75} />
          {page.nav.label}
        </Link>
      ))}
      {rest.length > 0 && (
        <Menu position="top-end">
          <Menu.Target>
            <button type="button">
              <IconMenu2 size={20} stroke={1.75} />
              More
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map((page) => (
              <Menu.Item
                key={page.path}
                component={Link}
                to={page.path}
                leftSection={<page.nav.icon size={16} stroke={1.75} />}
                style={{ minHeight: 44 }}
              >
                {page.nav.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  );
}
