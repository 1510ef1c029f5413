import type { Finding } from '../../model/finding.ts';
import { count, firstFew } from '../../text/words.ts';
import { ruleTitle } from '../links.ts';
import { callText } from '../summary.ts';

const MOST_PLACES = 8;
const MOST_KINDS = 4;

export function partInfos(findings: readonly Finding[]): { readonly loud: Finding[]; readonly infos: Finding[] } {
  const { loud = [], infos = [] } = Object.groupBy(findings, ({ severity }) =>
    severity === 'info' ? 'infos' : 'loud',
  );
  return { loud, infos };
}

export function infoLines(infos: readonly Finding[]): string[] {
  const nameOf = (finding: Finding): string => finding.operationId ?? callText(finding);
  return [...Map.groupBy(infos, nameOf)].map(([name, own]) => {
    const kinds = [...Map.groupBy(own, kindOf)].map(([, same]) => phraseOf(same));
    const left = kinds.length - MOST_KINDS;
    const listed = [...kinds.slice(0, MOST_KINDS), ...(left > 0 ? [`${left} more kinds`] : [])];
    return `${name} ${listed.join('; ')}.`;
  });
}

function kindOf(finding: Finding): string {
  return finding.provenance === 'assumed' ? 'assumed' : (finding.engineRule ?? finding.rule);
}

function phraseOf(same: readonly Finding[]): string {
  const [first] = same;
  if (first === undefined) return '';
  const places = placesOf(same);
  switch (kindOf(first)) {
    case 'undocumented-field':
      return `answers with ${count(same.length, 'field')} that the reference does not show: ${places}; \`record\` learns ${same.length === 1 ? 'it' : 'them'}`;
    case 'assumed':
      return `refutes ${count(same.length, 'assumption')} of the mock: ${places}; \`record\` corrects the mock`;
    default: {
      const title = ruleTitle(first);
      const words = title.charAt(0).toLowerCase() + title.slice(1);
      const times = same.length === 1 ? '' : ` (${same.length} times)`;
      return same.length === 1
        ? `(${first.rule}) ${first.message.replace(/\.$/, '')}`
        : `(${first.rule}) ${words}${times}: ${places}`;
    }
  }
}

function placesOf(same: readonly Finding[]): string {
  const places = same.map(({ pointer, rule }) =>
    pointer === '' ? `the whole answer (${rule})` : pointer.replace(/^\//, ''),
  );
  return firstFew(places, MOST_PLACES);
}
