import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { bestUnder, devicesOf, type Plan, plansOf } from './plans';
import type { Frontier, Planned } from './types';

interface Search {
  /** A plan's id, or a number of devices alone. */
  item?: string;
  /** The cap in bytes. */
  q?: string;
}

/** What is looked at: so many devices, so much memory, and the plan that was picked, else the fastest that fits. */
export interface Choice {
  frontier: Frontier;
  plans: readonly Plan[];
  cap: number;
  chosen: Plan | null;
  setDevices: (devices: number) => void;
  setCap: (cap: number) => void;
  choose: (plan: Plan) => void;
}

/** The choice stands in the address of the job `page`; `first` is the plan to begin with. */
export function useChoice(planned: Planned, page: string, first: string | undefined): Choice {
  const { item = first, q } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [dragged, setDragged] = useState<number | null>(null);
  const frontier =
    planned.frontiers.find((one) => one.devices === devicesOf(item)) ?? planned.frontiers.at(-1)!;
  const plans = plansOf(frontier);
  const cap = dragged ?? (Number(q) || planned.machine.memory);
  const go = (search: Search) =>
    void navigate({
      to: '/jobs/$id',
      params: { id: page },
      search: { tab: 'strategies', ...search },
      replace: true,
      resetScroll: false,
    });
  const kept = q === undefined ? undefined : String(Math.round(cap));
  return {
    frontier,
    plans,
    cap,
    chosen: plans.find((one) => one.id === item) ?? bestUnder(plans, cap),
    setDevices: (devices) => {
      setDragged(null);
      go({ item: String(devices), q: kept });
    },
    // Moving the cap asks for the best under it, so what was picked before gives way.
    setCap: (bytes) => {
      setDragged(bytes);
      go({ item: String(frontier.devices), q: String(Math.round(bytes)) });
    },
    choose: (plan) => go({ item: plan.id, q: kept }),
  };
}
