import { type ErrorCode, ToolError } from '../errors.ts';

/**
 * The value of a YAML text, null for an empty one. Loads the parser when it is first needed.
 *
 * @param code of the error where it is no YAML
 * @throws ToolError with the line and column; its message quotes nothing of the text, which may hold a secret.
 */
export async function parseYaml(text: string, file: string, code: ErrorCode): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const [start] = error.linePos ?? [];
    // What follows the first line shows the text.
    const [message = 'This is no YAML.'] = error.message.split('\n');
    throw new ToolError(code, message.replace(/ at line \d+, column \d+:?$/, '.'), {
      place: { file, ...(start === undefined ? {} : { line: start.line, column: start.col }) },
    });
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new ToolError(code, 'Its aliases cannot be resolved.', { place: { file, line: 1, column: 1 } });
  }
}
