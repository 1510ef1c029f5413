import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/package-root.ts';

const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');
const scriptsOf = (job: { readonly steps: readonly { readonly run?: string }[] }): string[] =>
  job.steps.flatMap(({ run }) => run ?? []);

test("CI runs the README's two commands on three systems and two versions of Node", () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  const { strategy } = jobs.test;
  expect(strategy.matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [22, 24] });
  const commands = [...read('README.md').matchAll(/^(npm ci && npm (?:run verify|test)) +#/gm)].map(([, one]) => one);
  expect(commands).toHaveLength(2);
  expect(scriptsOf(jobs.test)).toEqual(commands);
});

test('a release publishes only after all checks, and only its job can sign', () => {
  const { on, permissions, jobs } = parse(read('.github/workflows/release.yml'));
  expect([on, permissions]).toEqual([{ push: { tags: ['v*'] } }, { contents: 'read' }]);
  expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(scriptsOf(jobs.publish).slice(-2)).toEqual(['.ci/run', 'npm publish']);
  expect(JSON.parse(read('package.json')).publishConfig).toEqual({ access: 'public', provenance: true });
});

test('the issue form asks for the JSON report, the command and the versions', () => {
  const { body } = parse(read('.github/ISSUE_TEMPLATE/bug.yml')) as {
    readonly body: readonly { readonly id?: string; readonly validations?: { readonly required: boolean } }[];
  };
  const required = body.flatMap(({ id, validations }) => (validations?.required ? [id] : []));
  expect(required).toEqual(['command', 'expected', 'report', 'versions']);
});
