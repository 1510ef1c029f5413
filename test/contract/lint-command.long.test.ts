import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { packageRoot } from '../../src/package-root.ts';
import { serveOnLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = await temporaryFolder();

async function lint(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const out = { stdout: '', stderr: '' };
  const code = await run(['lint', ...argv], {
    stdout: { write: (text: string) => (out.stdout += text) },
    stderr: { write: (text: string) => (out.stderr += text) },
    env: {},
    cwd: folder,
    signal: new AbortController().signal,
  });
  return { code, ...out };
}

function overlay(name: string, body: string): string {
  writeFileSync(join(folder, name), `overlay: 1.0.0\ninfo: { title: T, version: '1' }\n${body}`);
  return name;
}

it('lint finds no problem in the assumptions of the mock', async () => {
  const { code, stdout } = await lint('--overlay', join(packageRoot, 'mocks/assumptions.overlay.yaml'));
  expect(stdout).toBe('');
  expect(code).toBe(0);
});

const located = `actions:
  - target: $.paths
    update:
      /wallet/api/customers/{customerId}/accounts:
        get:
          operationId: getAccounts
          parameters:
            - $ref: '#/components/parameters/customerId'
          responses:
            2XX: { description: Seen. }
`;

describe('banking-api lint', () => {
  it('lint exits with 0 and prints nothing to stdout if the contract is clean', async () => {
    const { code, stdout } = await lint();
    expect([code, stdout]).toEqual([0, '']);
  });

  it('lint exits with 0 if an overlay gives the path of a name-only operation', async () => {
    const file = overlay('located.yaml', `x-provenance: observed\n${located}`);
    expect(await lint('--overlay', file)).toMatchObject({ code: 0, stdout: '' });
  });

  it('lint exits with 0 for the overlay in docs/overlays.md', async () => {
    const page = readFileSync(join(packageRoot, 'docs', 'overlays.md'), 'utf8');
    const [, shown = ''] = /```yaml\n(overlay:.*?)```/s.exec(page) ?? [];
    writeFileSync(join(folder, 'shown.yaml'), shown);
    expect(await lint('--overlay', 'shown.yaml')).toMatchObject({ code: 0, stdout: '' });
  });

  it('lint exits with 1 and the place in the overlay if its target matches nothing', async () => {
    const file = overlay('unmatched.yaml', "actions:\n  - target: $.paths['/nothing']\n    update: { summary: x }\n");
    const { code, stdout } = await lint('--overlay', file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/unmatched\.yaml:4:\d+ error overlay-target-unmatched /);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('lint exits with 1 if an overlay adds an operation outside the reference', async () => {
    const file = overlay('unknown.yaml', located.replace('getAccounts', 'getLedger'));
    const { code, stdout } = await lint('--overlay', file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/unknown\.yaml:8:\d+ error operation-id-known /);
  });

  it('lint exits with 1 if an example of an overlay contradicts its schema', async () => {
    const file = overlay(
      'example.yaml',
      'x-provenance: assumed\nactions:\n  - target: $.components.schemas.Account\n    update: { examples: [{ ibanForSwift: 5 }] }\n',
    );
    const { code, stdout } = await lint('--overlay', file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/example\.yaml:\d+:\d+ error example-invalid .*ibanForSwift/);
  });

  it('lint never fetches text in an example that looks like a reference', async () => {
    const asked: string[] = [];
    await using server = await serveOnLoopback(({ path }, response) => {
      asked.push(path);
      response.end('{}');
    });
    const file = overlay(
      'fetching.yaml',
      `x-provenance: assumed\nactions:\n  - target: $.components.schemas.Card\n    update: { examples: [{ more: { $ref: '${server.url}/x.json' }, file: { $ref: /etc/hostname } }] }\n`,
    );
    expect(await lint('--overlay', file)).toMatchObject({ code: 0, stdout: '' });
    expect(asked).toEqual([]);
  });

  it('lint exits with 3 and the place if an overlay cannot be loaded', async () => {
    const file = overlay('broken.yaml', 'actions:\n  - target: $.paths[\n    update: {}\n');
    const { code, stdout, stderr } = await lint('--overlay', file);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/broken\.yaml:4:/);
  });
});
