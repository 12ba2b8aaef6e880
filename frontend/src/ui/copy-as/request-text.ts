/** A request of the API as text that does the same elsewhere: a shell command, or Python with the `asterism` client. */
import type { ApiRequest } from '@/api/client';

export function curlOf(request: ApiRequest, origin: string): string {
  const parts = [
    `curl -sS ${request.method === 'GET' ? '' : `-X ${request.method} `}${shell(origin + request.path)}`,
  ];
  if (request.ifMatch !== null) parts.push(`-H ${shell(`If-Match: ${request.ifMatch}`)}`);
  if (request.body !== undefined) {
    parts.push(
      `-H ${shell('Content-Type: application/json')}`,
      `-d ${shell(JSON.stringify(request.body, null, 1))}`,
    );
  }
  return parts.join(' \\\n  ');
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

type Body = Readonly<Record<string, unknown>>;
interface Rule {
  readonly on: string;
  /** The call, from what the path names and the body; null where the client has no function for it. */
  readonly say: (named: readonly string[], body: Body) => string | null;
}

const ID = '([^/?]+)';
const job = (act: string): Rule => ({
  on: `POST /jobs/${ID}/${act}`,
  say: ([id = '']) => `job = a.jobs.get(${python(id)}).${act}()`,
});

/** What the client has a function for. Whatever is not here is one plain request. */
const RULES: readonly Rule[] = [
  {
    on: 'POST /models',
    say: (_, { name, ...rest }) =>
      `model = a.models.create(${[python(name), ...Object.entries(rest).map(([key, value]) => `${key}=${python(value)}`)].join(', ')})`,
  },
  {
    on: `POST /models/${ID}/versions`,
    say: ([id], { note }) => `version = a.models.get(${python(id)}).keep(${note ? python(note) : ''})`,
  },
  {
    on: `POST /models/${ID}/versions/(\\d+)/restore`,
    say: ([id, number]) => `draft = a.models.get(${python(id)}).restore(${number})`,
  },
  { on: `POST /models/${ID}/duplicate`, say: ([id]) => `copy = a.models.get(${python(id)}).duplicate()` },
  {
    on: `PATCH /models/${ID}`,
    say: ([id], { name }) => `model = a.models.get(${python(id)}).rename(${python(name)})`,
  },
  { on: `DELETE /models/${ID}`, say: ([id]) => `a.models.get(${python(id)}).delete()` },
  {
    on: `PUT /models/${ID}/draft`,
    say: ([id], doc) => `draft = a.models.get(${python(id)}).save(${python(doc)})`,
  },
  {
    on: 'POST /model-validations',
    say: (_, { doc, dataset_id: dataset }) =>
      `found = a.models.check(${python(doc)}${dataset ? `, ${python(dataset)}` : ''})`,
  },
  {
    on: 'POST /jobs',
    say: (_, { spec, ...rest }) =>
      Object.keys(rest).length > 0 ? null : `job = a.jobs.run(${python(spec)})\njob.wait()`,
  },
  job('cancel'),
  job('retry'),
  job('clone'),
  { on: `GET /jobs/${ID}`, say: ([id]) => `job = a.jobs.get(${python(id)})` },
  { on: `GET /datasets/${ID}`, say: ([id]) => `dataset = a.datasets.get(${python(id)})` },
  { on: `DELETE /datasets/${ID}`, say: ([id]) => `a.datasets.get(${python(id)}).delete()` },
  { on: 'GET /workers', say: () => 'workers = a.workers()' },
  { on: `DELETE /jobs/${ID}`, say: ([id]) => `a.jobs.get(${python(id)}).delete()` },
];

const API = '/api/v1';

export function pythonOf(request: ApiRequest, origin: string): string {
  const path = request.path.startsWith(API) ? request.path.slice(API.length) : request.path;
  const called = known(request.method, path, request.body) ?? plain(request.method, path, request.body);
  return `import asterism\n\na = asterism.connect(${python(origin)})\n${called}\n`;
}

function known(method: string, path: string, body: unknown): string | null {
  for (const rule of RULES) {
    const match = new RegExp(`^${rule.on}$`).exec(`${method} ${path}`);
    if (match) return rule.say(match.slice(1), (body ?? {}) as Body);
  }
  return null;
}

function plain(method: string, path: string, body: unknown): string {
  const [bare = path, query = ''] = path.split('?');
  const params = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    params.set(name, [...(params.get(name) ?? []), value]);
  const given = [...params].map(
    ([name, values]) => `${name}=${python(values.length > 1 ? values : values[0])}`,
  );
  const json = body === undefined ? [] : [`json=${python(body)}`];
  return `answer = a.request(${[python(method), python(bare), ...json, ...given].join(', ')})`;
}

const NARROW = 88;

/** A JSON value as a Python literal; on several lines where it is long. */
export function python(value: unknown, indent = 0): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  const items = Array.isArray(value)
    ? value.map((item) => (deeper: number) => python(item, deeper))
    : Object.entries(value).map(
        ([key, item]) =>
          (deeper: number) =>
            `${JSON.stringify(key)}: ${python(item, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const short = `${open}${items.map((say) => say(indent)).join(', ')}${close}`;
  if (short.length + indent <= NARROW && !short.includes('\n')) return short;
  const deeper = indent + 4;
  const lines = items.map((say) => `${' '.repeat(deeper)}${say(deeper)},\n`).join('');
  return `${open}\n${lines}${' '.repeat(indent)}${close}`;
}
