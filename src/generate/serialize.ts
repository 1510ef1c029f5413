import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Document, isScalar, Scalar, visit } from 'yaml';
import type { JsonObject } from '../schema/json.ts';

/** Plain YAML 1.2 text that some readers interpret as versions, or as dates or booleans of YAML 1.1. */
const AMBIGUOUS = /^(?:v?\d+(?:\.\d+)+|\d{4}-\d{2}-\d{2}.*|[yn]|yes|no|on|off|[\d_]+(?::\d+)*|0o[0-7]+)$/i;

export function toJson(document: JsonObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** YAML 1.2 text: keys in the order of the document, no anchors, ambiguous text quoted. */
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

export async function writeDocument(folder: string, document: JsonObject): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'openapi.json'), toJson(document));
  await writeFile(join(folder, 'openapi.yaml'), toYaml(document));
}
