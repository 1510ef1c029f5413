#!/usr/bin/env node
// A stand-in for gh: issues in one file, all calls in another. Any command that the scripts do not use is an error.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = process.env.FAKE_GH_STATE;
const issues = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
const argv = process.argv.slice(2);
appendFileSync(`${file}.calls`, `${JSON.stringify(argv)}\n`);
const flag = (name) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const text = () => flag('--body') ?? readFileSync(flag('--body-file'), 'utf8');
const issue = () => issues.find(({ number }) => number === Number(argv[2]));

if (process.env.FAKE_GH_FAIL === argv.slice(0, 2).join(' ')) {
  console.error('gh: HTTP 502');
  process.exit(1);
}
switch (argv.slice(0, 2).join(' ')) {
  case 'issue list': {
    if (!flag('--jq').startsWith('sort_by(.number)[] | "\\(.number) \\([.body | scan('))
      throw new Error('an unknown query');
    const found = issues.filter(({ state, labels }) => state === flag('--state') && labels.includes(flag('--label')));
    for (const { number, body } of found.sort((a, b) => a.number - b.number)) {
      const marks = [...body.matchAll(/(?:^|\n)<!-- banking-api [^\n]*target=([0-9a-f]+) /g)];
      console.log(number, marks.at(-1)?.[1] ?? '-');
    }
    break;
  }
  case 'label create':
    break;
  case 'issue create':
    issues.push({
      number: issues.length + 1,
      state: 'open',
      title: flag('--title'),
      labels: [flag('--label')],
      body: text(),
      comments: [],
    });
    console.log(`https://github.com/o/r/issues/${issues.length}`);
    break;
  case 'issue view':
    if (flag('--jq') !== '.body') throw new Error('an unknown query');
    console.log(issue().body);
    break;
  case 'issue edit':
    issue().body = text();
    break;
  case 'issue comment':
    issue().comments.push(text());
    break;
  case 'issue close':
    issue().state = 'closed';
    issue().comments.push(flag('--comment'));
    break;
  default:
    throw new Error(`fake gh: ${argv.join(' ')}`);
}
writeFileSync(file, JSON.stringify(issues));
