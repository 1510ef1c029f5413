import type { Report } from '../../src/model/report.ts';
import { check, finding, report } from '../support/report-samples.ts';

/** Strings that have broken reports in the past, in the style of the Big List of Naughty Strings. */
export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  '</style><style>*{display:none}</style>',
  '<!-- --><svg/onload=alert(1)>',
  '--><x>',
  ']]><x/>',
  '<![CDATA[',
  '&lt;script&gt;&amp;&#0;',
  '</details></summary></table>',
  '<iframe src="https://evil.example"></iframe>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example">',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what is to stay text
  '${7*7} {{7*7}} #{7*7} <%= 7*7 %>',
  '\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  '\u0000\u0007\b\u007f\u0085\u009b31m',
  'line\u2028separator\u2029end',
  '\u202egnirts desrever\u202c \u2066isolate\u2069 \u200b\u200d\ufeff',
  'a\r\nb\nc\rd',
  '::error file=x::injected',
  '\n::error file=x::injected',
  '##[error]injected',
  '%0A::set-output name=x::y',
  'a,b:c%d',
  '@everyone #1 GH-1 https://evil.example www.evil.example',
  '`code` ``` **bold** _it_ [a](javascript:alert(1)) ![i](https://evil.example/x.png)',
  '| a | b |\\| <b>c</b> `',
  '\\`|<img src=x>|`',
  '# head\n- item\n1. one\n---\n> quote',
  '[text](1) {0} {{1}} \\[x\\]',
  '\ud800 lone \udfff',
  '\ufffe\uffff',
  '𝕳𝖊𝖑𝖑𝖔 Ω≈ç√∫ 田中さん ﷽ Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  '../../../etc/passwd',
  "Robert'); DROP TABLE findings;--",
  '=cmd|"/C calc"!A0',
  '__proto__',
  'constructor',
  '##vso[task.setvariable variable=x]y',
  '##teamcity[x]',
  'a\nAGREES  fake',
  '\u{e0041}',
  `${'long '.repeat(30)}::error::x`,
  `${'long '.repeat(400)}`,
];

/** A report with this string in every value that a target, config or baseline can set. */
export function saying(text: string): Report {
  const one = finding({
    rule: 'type-contradicted',
    operationId: text,
    method: text,
    path: text,
    pointer: text,
    expected: text,
    actual: text,
    message: text,
    reference: text,
    location: { file: text, line: 3, column: 4 },
    checks: [text],
    ticket: { at: text, requestIds: { [text]: text }, sentIds: { [text]: `${text} ` }, curl: text },
  });
  const worthKnowing = ['undocumented-field', text].map((rule) => ({ ...one, rule, severity: 'info' as const }));
  const other = finding({
    fingerprint: '00000000000000b2',
    rule: text,
    severity: 'warning',
    location: null,
    checks: [],
  });
  return report({
    tool: { name: text, version: text },
    exitCode: 1,
    verdict: 'drift',
    target: { kind: 'url', baseUrl: text },
    findings: [one, other, ...worthKnowing],
    since: { previous: text, new: [one.fingerprint], known: [text], gone: [text] },
    notices: [{ code: text, message: text, location: { file: text, line: 3, column: 4 }, unwatched: [text] }],
    expired: [{ fingerprint: other.fingerprint, reason: text, owner: text, expires: text }],
    accepted: [{ fingerprint: '00000000000000c3', reason: text, owner: text, expires: '2026-12-31', finding: one }],
    stale: [{ fingerprint: '00000000000000d4', why: text }],
    checks: [
      check({ id: text, operationId: text, outcome: 'failed', reason: text }),
      check({ id: `a.${text}`, outcome: 'inconclusive', reason: text }),
      check({ id: `b.${text}`, outcome: 'skipped', reason: text }),
      check({ id: `c.${text}`, outcome: 'passed', reason: text }),
    ],
    coverage: {
      operations: [
        {
          operationId: text,
          located: 'documented',
          exercised: true,
          fields: [{ pointer: text, provenance: 'documented', seen: 1, of: 2 }],
          notShown: [text],
        },
        { operationId: `not ${text}`, located: null, exercised: false, fields: [], notShown: [text] },
      ],
    },
    deprecations: [
      { operationId: text, successor: text, alive: true, sameShape: false, deprecation: text, sunset: text },
    ],
  });
}
