import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VALIDATORS } from '../../generated/validators/by-name.ts';
import { ownFolder } from '../contract/folder.ts';
import { askFacts, type Known } from '../facts/facts.ts';
import { questionsText } from '../facts/questions.ts';
import type { FileSchema } from '../files/schema.ts';
import { judgeText } from '../judge/json-text.ts';
import { ruleName, ruleNamed } from '../judge/rules.ts';
import type { Mock, MockOptions } from '../mock/mock.ts';
import { startMock } from '../mock/start-mock.ts';
import type { Report } from '../model/report.ts';
import { packageRoot } from '../package-root.ts';
import type { VerifyOptions } from '../run/options.ts';
import type { Answer } from './pages.ts';

export interface Fixed {
  readonly contracts: Known;
  /** The last run with a verdict, for refuted facts. */
  readonly last: Report | undefined;
  readonly mock: Pick<MockOptions, 'folder' | 'overlays' | 'profile'>;
  readonly verify: VerifyOptions;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

export interface Call {
  readonly signal: AbortSignal;
  readonly progress: (done: number, of: number) => void;
}

type Given = Readonly<Record<string, string>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Whether it only reads what is on this machine. */
  readonly isLocalRead: boolean;
  /** All are texts. */
  readonly input: Readonly<Record<string, FileSchema>>;
  readonly required: readonly string[];
  run(given: Given, call: Call): Promise<Answer> | Answer;
}

const MINUTE = 60_000;
const NAME: FileSchema = { type: 'string', minLength: 1, maxLength: 200 };

function tool(
  name: string,
  description: string,
  run: Tool['run'],
  { isLocalRead = true, ...more }: Partial<Pick<Tool, 'input' | 'required' | 'isLocalRead'>> = {},
): Tool {
  return { name, description, isLocalRead, input: {}, required: [], ...more, run };
}

export function failure(error: string, fix: string, head: Answer['head'] = {}): Answer {
  return { head: { error, fix, ...head }, data: [], isError: true };
}

/** The tools, and a function that ends what they started. */
export function createTools(fixed: Fixed): { readonly tools: readonly Tool[]; close(): Promise<void> } {
  const mocks = mockTools(fixed.mock);
  return { tools: [...knowledge(fixed), ...mocks.tools, ...runTools(fixed)], close: mocks.stop };
}

function knowledge({ contracts, last, mock: { folder = ownFolder } }: Fixed): Tool[] {
  const operations = contracts.assumed.operations.map(({ operationId, method, path, located, effect, deprecated }) => {
    return { operationId, method, path, located, effect, ...(deprecated && { deprecated }) };
  });
  const schemas = Object.keys(VALIDATORS);
  const validate = tool(
    'validate',
    'Validates JSON text against a schema of the contract. Lists each problem with line, column and pointer.',
    ({ schema = '', json = '' }) => {
      const problems = judgeText('json', { text: json, line: 0 }, VALIDATORS[schema] as (typeof VALIDATORS)[string]);
      return { head: { valid: problems.length === 0 }, data: problems };
    },
    {
      input: { schema: { type: 'string', enum: schemas }, json: { type: 'string', maxLength: 1_000_000 } },
      required: ['schema', 'json'],
    },
  );
  return [
    tool(
      'operations',
      'Lists the operations of the API: method, path, effect. located states where the path comes from.',
      () => ({ head: { operations: operations.length }, data: operations }),
    ),
    tool(
      'facts',
      'What is known of an operation, or of one field of it, with the source: documented, observed or assumed. ' +
        'Do not rely on a field that is unknown.',
      ({ operation, pointer }) => {
        if (operation === undefined && pointer !== undefined) return failure('input', 'Give operation, too.');
        const { status, facts, factsVersion: _, ...asked } = askFacts(contracts, operation, pointer);
        return { head: { status }, data: [asked, ...facts] };
      },
      {
        input: { operation: NAME, pointer: { ...NAME, description: 'A field of the operation: /price.' } },
      },
    ),
    tool('questions', "The open questions to the API's owner, as lines of Markdown.", () => {
      return { head: {}, data: questionsText(contracts, last).split('\n') };
    }),
    ...(folder.published ? [validate] : []),
    tool(
      'explain',
      'Explains the rule of a finding (type-contradicted) or an exit code (4).',
      ({ topic = '' }) => explain(topic, ruleName(ruleNamed(topic, folder), ownFolder)),
      { input: { topic: { ...NAME, pattern: '^[a-z0-9-]+$' } }, required: ['topic'] },
    ),
  ];
}

async function explain(topic: string, rule: string): Promise<Answer> {
  const read = (name: string): Promise<string> => readFile(join(packageRoot, 'docs', name), 'utf8');
  if (/^\d+$/.test(topic)) {
    const row = (await read('exit-codes.md')).split('\n').find((line) => line.startsWith(`| ${topic} |`));
    if (row !== undefined) return { head: {}, data: [row] };
  } else {
    const page = await read(join('rules', `${rule}.md`)).catch(() => undefined);
    if (page !== undefined) return { head: {}, data: page.trimEnd().split('\n') };
  }
  return failure('unknown-topic', 'Give the rule of a finding, or an exit code.');
}

function mockTools(options: Fixed['mock']): { readonly tools: readonly Tool[]; stop(): Promise<void> } {
  let running: Promise<Mock> | undefined;
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = undefined;
    await (await stopped?.catch(() => undefined))?.close();
  };
  const start = async (): Promise<Answer> => {
    const mine = running ?? startMock({ ...options, host: '127.0.0.1', port: 0 });
    running = mine;
    try {
      const { url, credentials, tokenCommand } = await mine;
      return { head: { url, login: `${credentials.username}:${credentials.password}` }, data: [{ tokenCommand }] };
    } catch (error) {
      if (running === mine) running = undefined;
      throw error;
    }
  };
  const why = async (): Promise<Answer> => {
    if (running === undefined) return failure('mock-not-started', 'Call mock_start, and send the request to its URL.');
    const answer = await (await running).fetch('/__mock/why');
    if (!answer.ok) return { head: { status: 'nothing-refused' }, data: [] };
    const told = (await answer.json()) as Readonly<Record<string, unknown>>;
    return { head: { status: Number(told.status) < 400 ? 'passed-with-warning' : 'refused' }, data: [told] };
  };
  const tools = [
    tool(
      'mock_start',
      'Starts a mock of the API on this machine and returns its URL. It has its own state and credentials.',
      start,
      { isLocalRead: false },
    ),
    tool(
      'mock_stop',
      'Stops the mock and discards its state.',
      async () => {
        await stop();
        return { head: { status: 'stopped' }, data: [] };
      },
      { isLocalRead: false },
    ),
    tool(
      'mock_why',
      'Why the mock refused its newest refused request: the step, the faults, and a request that would pass.',
      why,
    ),
  ];
  return { tools, stop };
}

function runTools({ verify: options, now }: Fixed): Tool[] {
  let isBusy = false;
  let startedAt: number | undefined;
  const reads: VerifyOptions = {
    ...options,
    allow: 'read',
    probe: false,
    effects: {},
    writesAllowedOn: [],
    expendable: [],
  };

  /** Runs one at a time, because a run uses the target's rate. */
  async function alone(run: () => Promise<Answer>): Promise<Answer> {
    if (isBusy) return failure('busy', 'Wait until the other run has ended.');
    isBusy = true;
    return run().finally(() => {
      isBusy = false;
    });
  }

  async function verifyNow({ signal, progress }: Call): Promise<Answer> {
    const wait = startedAt === undefined ? 0 : Math.ceil((startedAt + MINUTE - now()) / 1000);
    if (wait > 0) return failure('too-soon', 'Call verify again after these seconds.', { seconds: wait });
    startedAt = now();
    const { verify } = await import('../run/verify.ts');
    const report = await verify({
      ...reads,
      signal: AbortSignal.any([signal, ...(options.signal ? [options.signal] : [])]),
      onEvent: (event) => event.kind === 'check' && progress(event.done, event.of),
    });
    const { verdict, exitCode, findings, checks, coverage, target, notices = [] } = report;
    const open = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive');
    return {
      head: { verdict, exitCode, findings: findings.length },
      data: [
        { target, share: coverage.share },
        ...findings.map((finding) => ({ finding })),
        ...open.map(({ id, outcome, reason }) => ({ check: id, outcome, reason })),
        ...notices.map((notice) => ({ notice })),
      ],
    };
  }

  async function planNow(): Promise<Answer> {
    const { plan } = await import('../run/plan.ts');
    const rows = await plan(reads);
    const calls = rows.map(({ effect, method, target, operationId, purpose, auth, checkId, times }) => {
      return { effect, method, target, operationId, purpose, sends: auth, check: checkId, times };
    });
    return { head: { requests: rows.reduce((sum, { times }) => sum + times, 0) }, data: calls };
  }

  return [
    tool('verify_plan', 'Lists the calls that verify would make. Sends nothing.', () => alone(planNow)),
    tool(
      'verify',
      'Checks the target against the contract, by reads only. At most once a minute.',
      (_, call) => alone(() => verifyNow(call)),
      { isLocalRead: false },
    ),
  ];
}
