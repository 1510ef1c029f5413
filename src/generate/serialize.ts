import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Document, isScalar, Scalar, visit } from 'yaml';
import type { JsonObject } from '../contract/contract.ts';

/** Plain in YAML 1.2, and something else than text to some reader: versions, dates, the booleans of YAML 1.1. */
const AMBIGUOUS = /^(?:v?\d+(?:\.\d+)+|\d{4}-\d{2}-\d{2}.*|[yn]|yes|no|on|off|[\d_]+(?::\d+)*|0o[0-7]+)$/i;

/** A document as JSON text: keys in the order of the document, two spaces, a newline at the end. */
export function toJson(document: JsonObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A document as YAML 1.2 text: keys in the order of the document, no anchors; text that could be read as a version, date or boolean is quoted. */
export function toYaml(document: JsonObject): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && AMBIGUOUS.test(node.value))
        node.type = Scalar.QUOTE_SINGLE;
    },
  });
  return yaml.toString({ lineWidth: 0, singleQuote: true });
}

/** Writes a document as `openapi.json` and `openapi.yaml` into a folder, which is made if it is not there. */
export async function writeDocument(folder: string, document: JsonObject): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'openapi.json'), toJson(document));
  await writeFile(join(folder, 'openapi.yaml'), toYaml(document));
}
