/** Two path templates are ambiguous when one URL can match both: OpenAPI leaves to the tool which of them it means. */
export default function ambiguousPaths(document, _options, context) {
  const paths = Object.keys(document.paths ?? {});
  const declared = (document['x-ambiguous-paths'] ?? []).map((pair) => pairKey(pair?.paths));
  const results = [];
  const found = new Set();
  for (const [index, first] of paths.entries()) {
    for (const second of paths.slice(index + 1)) {
      if (!overlap(first, second)) continue;
      const key = pairKey([first, second]);
      found.add(key);
      if (declared.includes(key)) continue;
      results.push({
        message: `"${second}" and "${first}" can match the same URL, and x-ambiguous-paths does not list the pair.`,
        path: [...context.path, 'paths', second],
      });
    }
  }
  for (const [index, key] of declared.entries()) {
    if (found.has(key)) continue;
    results.push({
      message: 'x-ambiguous-paths lists a pair that is not ambiguous, or not there.',
      path: [...context.path, 'x-ambiguous-paths', index],
    });
  }
  return results;
}

function pairKey(paths) {
  return JSON.stringify(Array.isArray(paths) ? [...paths].sort() : null);
}

function overlap(first, second) {
  const left = first.split('/');
  const right = second.split('/');
  return left.length === right.length && left.every((segment, index) => meet(segment, right[index]));
}

function meet(left, right) {
  return left === right || left.includes('{') || right.includes('{');
}
