import type { MEMBERS, ROLES } from '../../contract/list-words.ts';

type Role = (typeof ROLES)[number];
type Member = (typeof MEMBERS)[number];

/** Usual names of query parameters, in lower case and without separators. */
const PARAMETERS: Readonly<Record<Role, readonly string[]>> = {
  limit: ['limit', 'pagesize', 'perpage', 'size', 'pagelimit', 'maxresults', 'maxitems', 'maxpagesize'],
  offset: ['offset', 'skip', 'startindex', 'startat'],
  page: ['page', 'pagenumber', 'pageno', 'pagenum', 'pageindex'],
  cursor: ['cursor', 'startingafter', 'after', 'pagetoken', 'nextpagetoken', 'continuationtoken', 'marker'],
  sort: ['sort', 'sortby', 'orderby', 'ordering'],
};

/** Usual names of members beside a list. */
const BESIDE: Readonly<Record<Member, readonly string[]>> = {
  total: ['total', 'totalcount', 'totalitems', 'totalelements', 'totalresults', 'itemstotal'],
  count: ['count', 'numberofelements'],
  pages: ['pages', 'totalpages', 'pagecount', 'pagestotal'],
  limit: ['limit', 'perpage', 'pagesize'],
  offset: ['offset'],
  page: ['page', 'pagenumber', 'currentpage'],
  more: ['hasmore', 'more', 'hasnext', 'hasnextpage'],
  first: ['isfirst'],
  last: ['islast'],
  next: ['nextcursor', 'nextpagetoken', 'endcursor', 'continuationtoken'],
};

/** The `x-list` word for a documented query parameter: a part of the page, or a filter by a field. */
export function usualParameter(name: string, fields: readonly string[]): string | undefined {
  return wordFor(PARAMETERS, name) ?? (fields.includes(name) ? `is ${name}` : undefined);
}

/** The `x-list` word for a member beside a list. */
export function usualMember(name: string): Member | undefined {
  return wordFor(BESIDE, name);
}

function wordFor<Word extends string>(
  words: Readonly<Record<Word, readonly string[]>>,
  name: string,
): Word | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return (Object.keys(words) as Word[]).find((word) => words[word].includes(plain));
}
