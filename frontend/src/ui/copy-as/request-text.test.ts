// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { api, requestOf } from '@/api/client';
import { curlOf, python, pythonOf } from './request-text';

const HERE = 'http://lab.example:8765';
const create = () => api().POST('/api/v1/models', { body: { name: "it's mine", template: 'gat' } });

describe('an action as text', () => {
  it('is what the generated client would send, and nothing is sent', async () => {
    let sent = 0;
    const before = globalThis.fetch;
    globalThis.fetch = async () => {
      sent += 1;
      return new Response('{}');
    };
    const request = await requestOf(create);
    globalThis.fetch = before;
    expect(sent).toBe(0);
    expect(request).toEqual({
      method: 'POST',
      path: '/api/v1/models',
      body: { name: "it's mine", template: 'gat' },
      ifMatch: null,
    });
  });

  it('quotes for the shell, so that a name cannot end the command', async () => {
    const text = curlOf(await requestOf(create), HERE);
    expect(text).toContain(`-X POST '${HERE}/api/v1/models'`);
    expect(text).toContain(`"name": "it'\\''s mine"`);
  });

  it('uses the functions of the client where it has one', async () => {
    const params = { path: { model_id: 'mdl_1', number: 3 } };
    const restore = await requestOf(() =>
      api().POST('/api/v1/models/{model_id}/versions/{number}/restore', {
        params,
        headers: { 'If-Match': '"abc"' },
      }),
    );
    expect(pythonOf(restore, HERE)).toContain('a.models.get("mdl_1").restore(3)');
    expect(curlOf(restore, HERE)).toContain(`-H 'If-Match: "abc"'`);
    expect(pythonOf(await requestOf(create), HERE)).toBe(
      `import asterism\n\na = asterism.connect("${HERE}")\nmodel = a.models.create("it's mine", template="gat")\n`,
    );
    const cancel = await requestOf(() =>
      api().POST('/api/v1/jobs/{job_id}/cancel', { params: { path: { job_id: 'job_1' } } }),
    );
    expect(pythonOf(cancel, HERE)).toContain('a.jobs.get("job_1").cancel()');
    const dataset = { params: { path: { dataset_id: 'ds_1' } } };
    const gone = await requestOf(() => api().DELETE('/api/v1/datasets/{dataset_id}', dataset));
    expect(pythonOf(gone, HERE)).toContain('a.datasets.get("ds_1").delete()');
    expect(pythonOf(await requestOf(() => api().GET('/api/v1/workers')), HERE)).toContain('a.workers()');
  });

  it('is a plain request where it has none', async () => {
    const params = { query: { jobs: 'job_1,job_2' } };
    const compare = await requestOf(() => api().GET('/api/v1/job-comparisons', { params }));
    expect(pythonOf(compare, HERE)).toContain('a.request("GET", "/job-comparisons", jobs="job_1,job_2")');
  });

  it('writes JSON as Python', () => {
    expect(python({ a: [true, null, 1.5], b: 'x"y' })).toBe('{"a": [True, None, 1.5], "b": "x\\"y"}');
    const long = python({ name: 'x'.repeat(60), other: 'y'.repeat(60) });
    expect(long.split('\n')).toHaveLength(4);
  });
});
