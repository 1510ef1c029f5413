import { parseDocument } from 'yaml';
import type { CredentialVariables } from '../../config/environment.ts';
import type { VerifyOptions } from '../../run/options.ts';

export interface Settings {
  readonly baseUrl: string;
  /** Undefined for the usual variables. */
  readonly credentials?: CredentialVariables | undefined;
  /** Relative to the file, like the overlays. */
  readonly contract?: string | undefined;
  readonly spec?: string | undefined;
  /** In place of those of the file, if given. */
  readonly overlays?: readonly string[];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly skip?: NonNullable<VerifyOptions['skip']>;
}

const HEAD = '# yaml-language-server: $schema=./node_modules/banking-api-contract/schemas/config.schema.json\n';

/**
 * A configuration with these settings.
 *
 * @param before an earlier configuration. Its other settings and comments stay.
 */
export function configText(before: string | undefined, settings: Settings): string {
  const { baseUrl, credentials, contract, spec, overlays, parameters = {}, skip = {} } = settings;
  const document = parseDocument(before ?? '');
  const set = (path: readonly string[], value: unknown): void => document.setIn(path, document.createNode(value));
  set(['target', 'baseUrl'], baseUrl);
  if (credentials !== undefined) {
    const { username, password } = credentials;
    set(['credentials'], { username: `env:${username}`, password: `env:${password}` });
  }
  if (contract !== undefined || spec !== undefined) {
    // a given contract replaces the earlier one
    for (const [key, value] of Object.entries({ contract, spec })) {
      if (value === undefined) document.delete(key);
      else set([key], value);
    }
  }
  if (overlays !== undefined) set(['overlays'], overlays);
  for (const [name, value] of Object.entries(parameters)) set(['parameters', name], value);
  for (const [id, { reason, until }] of Object.entries(skip)) set(['skip', id], { reason, until });
  return `${before === undefined ? HEAD : ''}${document.toString({ lineWidth: 0 })}`;
}

/** A comment with the prefix that a contract suggests. Only the user can choose it. */
export function prefixText(before: string | undefined, prefix: unknown): string {
  if (typeof prefix !== 'string' || !/^[A-Za-z]\w*[A-Za-z0-9]$/.test(prefix) || before?.includes('environment:'))
    return '';
  return `\n# The contract suggests this prefix for the environment variables.\n# environment: ${prefix}\n`;
}

/**
 * Comments for reads that lack an id: each way to go on, ready to paste.
 * @param unshown ids that no answer shows, even if the other ids are known
 */
export function lackingText(
  lacking: readonly { readonly operationId: string; readonly names: readonly string[] }[],
  unshown: readonly string[],
  until: string,
): string {
  if (lacking.length === 0) return '';
  return [
    '',
    '# No answer shows these ids. Add them, or skip the reads that need them.',
    '# parameters:',
    ...unshown.map((name) => `#   ${name}: ""`),
    '# skip:',
    ...lacking.map(
      (one) => `#   ${one.operationId}: { reason: no ${one.names.join(', ')} is known, until: "${until}" }`,
    ),
    '',
  ].join('\n');
}
