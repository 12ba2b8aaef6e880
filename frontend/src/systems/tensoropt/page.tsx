import type { AnyRecord, Job } from '@/api/types';
import { count, percent, seconds } from '@/ui/format';
import { late } from '@/ui/late';
import { Loading } from '@/ui/states';
import type { ChartSpec, SystemPage } from '@/ui/system-page';
import { meshText } from './plans';
import { plannedOf, ranOf, specOf } from './types';

const MACHINES: Readonly<Record<string, string>> = {
  eight_gpus: '8 GPUs in 2 hosts',
  this_host: 'this host',
};

const LOSS: ChartSpec = {
  title: 'Loss',
  caption: 'the strategy over one device,',
  series: [
    { key: 'loss', label: 'strategy', color: '--c1' },
    { key: 'one_device_loss', label: 'one device', color: '--c2' },
  ],
};

function chips(spec: AnyRecord): readonly string[] {
  const { model, optimizer, task } = specOf(spec);
  const where =
    task?.type === 'run'
      ? `${meshText(task.strategy.mesh)} devices`
      : typeof task?.machine === 'object'
        ? task.machine.name
        : MACHINES[task?.machine ?? 'eight_gpus'];
  return [model?.model ?? '', optimizer ?? '', where ?? ''].filter(Boolean);
}

function summary(job: Job) {
  const planned = plannedOf(job);
  if (planned) {
    const found = planned.frontiers.reduce((sum, one) => sum + one.found, 0);
    const spent = planned.frontiers.reduce((sum, one) => sum + one.search_s, 0);
    return [
      { label: 'parameters', value: count(planned.parameters) },
      { label: 'on the frontiers', value: count(found) },
      { label: 'searched in', value: seconds(spent) },
    ];
  }
  const ran = ranOf(job);
  if (!ran) return [];
  const off = ran.predicted && ran.predicted.step_s > 0 ? ran.step_s / ran.predicted.step_s - 1 : null;
  return [
    { label: 'step', value: seconds(ran.step_s) },
    ...(off === null ? [] : [{ label: 'off its plan by', value: percent(off) }]),
  ];
}

export const page: SystemPage = {
  charts: (spec) => (specOf(spec).task?.type === 'run' ? [LOSS] : []),
  keySeries: () => ({ key: 'loss', label: 'loss' }),
  chips,
  summary,
  Aside: late(() => import('./aside').then((file) => file.Aside)),
  tabs: [
    {
      id: 'strategies',
      label: 'Strategies',
      Component: late(() => import('./strategies-tab').then((file) => file.StrategiesTab), {
        place: <Loading rows={6} />,
      }),
    },
  ],
  done: {
    text: 'Done. See the strategies that no other beats, and what was measured of them.',
    action: 'See strategies',
    tab: 'strategies',
  },
};
