import { randomUUID } from 'node:crypto';
import type { CheckedFile } from '../contract/checked-file.ts';
import { ToolError } from '../errors.ts';
import { isSendable } from '../model/exchange.ts';
import { isWrittenByTool, type OwnHeader } from '../net/own-headers.ts';
import { isSensitiveKey } from '../redact/keys.ts';
import { joinPointer } from '../text/pointer.ts';
import type { Environment } from './environment.ts';
import { fromEnvironment, variableOf } from './reference.ts';

export type HeaderSetting = string | { readonly value: string; readonly token?: boolean };

/** Replaced by a new UUID in each request. */
const NEW_ID = 'uuid';

/** The configured header fields, with values from the environment. @throws ToolError `config` with the place */
export async function headersFrom(
  settings: Readonly<Record<string, HeaderSetting>>,
  placeOf: CheckedFile<unknown>['placeOf'],
  env: Environment,
): Promise<OwnHeader[]> {
  const headers: OwnHeader[] = [];
  for (const [written, setting] of Object.entries(settings)) {
    const { value: text, token = false } = typeof setting === 'string' ? { value: setting } : setting;
    const pointer = joinPointer('/headers', written);
    const name = written.toLowerCase();
    const refuse = async (message: string, hint?: string): Promise<never> => {
      throw new ToolError('config', message, { place: await placeOf(pointer, 'key'), hint });
    };
    if (isWrittenByTool(name)) await refuse(`The header field ${written} is written by the tool itself.`);
    if (headers.some((header) => header.name === name)) {
      await refuse(`The header field ${written} appears twice. Header names ignore case.`);
    }
    const variable = variableOf(text);
    if (variable === null && text !== NEW_ID && isSensitiveKey(written)) {
      await refuse(
        'Credentials do not belong into a file.',
        `Write ${written}: env:NAME; if this one was real, change it.`,
      );
    }
    const value = variable === null ? text : fromEnvironment(variable, env, await placeOf(pointer));
    if (!isSendable(value)) {
      const whose = variable === null ? `The header field ${written}` : `${variable}, for the header field ${written},`;
      await refuse(`${whose} holds a line break or a sign that no header field can carry.`);
    }
    headers.push({
      name,
      value: value === NEW_ID && variable === null ? randomUUID : value,
      token,
      secret: variable !== null,
      ...(variable !== null && { variable }),
    });
  }
  return headers;
}
