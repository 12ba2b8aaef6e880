import { Outlet, useMatches } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { CommandKeys } from '@/ui/commands/command-keys';
import { TextDialog } from '@/ui/copy-as/text-dialog';
import { BottomBar } from './bottom-bar';
import { Palette } from './palette';
import { Rail } from './rail';
import { useScrollMemory } from './scroll-memory';
import { TopBar } from './top-bar';

/** Everything around a page. */
export function Shell() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page });
  const [narrow, setNarrow] = useState(false);
  const main = useRef<HTMLElement>(null);
  useScrollMemory(main);
  const slim = narrow || page?.slim === true;
  return (
    <div className={slim ? 'app slim' : 'app'}>
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <Rail slim={slim} onToggle={() => setNarrow(!narrow)} />
      <TopBar />
      <main ref={main} id="main" className={page?.bleed ? 'main bleed' : 'main'} tabIndex={-1}>
        <Outlet />
      </main>
      <BottomBar />
      <Palette />
      <TextDialog />
      <CommandKeys />
    </div>
  );
}
