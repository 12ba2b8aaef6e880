import { type ComponentType, createContext, useContext } from 'react';
import type { AnyRecord, Job, System } from '@/api/types';
import type { SeriesLook } from './charts/series-plot';

/** A chart of live series. */
export interface ChartSpec {
  title: string;
  caption: string;
  series: readonly SeriesLook[];
  yMin?: number;
  yMax?: number;
  /** Left to the Metrics tab. */
  detail?: boolean;
}

export interface SystemTab {
  id: string;
  label: string;
  Component: ComponentType<{ job: Job }>;
}

export interface SystemFormProps {
  system: System;
  /** The job to start from, when a clone is edited. */
  initial: AnyRecord | null;
  /** Query parameters of the page, such as `template` or `model`. */
  params: Record<string, string>;
  pending: boolean;
  /** What the server refused, by JSON pointer into the spec. */
  problems: Record<string, string>;
  onSubmit: (spec: AnyRecord) => void;
}

/** What one job kind adds to the pages every kind has. Everything may be left out. */
export interface SystemPage {
  charts?: (spec: AnyRecord) => readonly ChartSpec[];
  /** The series that stands for a job in lists. */
  keySeries?: (spec: AnyRecord) => { key: string; label: string };
  /** Words of the spec worth showing beside the name. */
  chips?: (spec: AnyRecord) => readonly string[];
  /** The one line under the name of a finished job. */
  summary?: (job: Job) => readonly { label: string; value: string }[];
  /** Tiles beside the charts. */
  Aside?: ComponentType<{ job: Job }>;
  /** Tabs between Logs and Artifacts. */
  tabs?: readonly SystemTab[];
  Form?: ComponentType<SystemFormProps>;
  /** Said when a job succeeded, with the tab it leads to. */
  done?: { text: string; action: string; tab: string };
}

export type SystemPages = Readonly<Record<string, SystemPage>>;

export const SystemPagesContext = createContext<SystemPages>({});

const GENERIC: SystemPage = {};

/** The page of a kind; a kind nobody wrote one for gets the generic page. */
export function useSystemPage(kind: string): SystemPage {
  return useContext(SystemPagesContext)[kind] ?? GENERIC;
}
