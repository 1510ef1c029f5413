/**
 * A status that the reference does not show would be invented. Which are not shown, `x-not-shown` says: `responseStatus` and
 * `errorStatus` of an operation, `otherStatuses` and `errorBody` of one of its responses.
 */
export default function statuses(operation, _options, context) {
  const { responses = {} } = operation;
  const path = [...context.path, 'responses'];
  const all = Object.entries(responses).filter(([status]) => !status.startsWith('x-'));
  const good = all.filter(([status]) => /^[23]/.test(status));
  const bad = all.filter(([status]) => !/^[23]/.test(status));
  return [
    ...successes(says(operation, 'responseStatus'), good, path),
    ...errors(says(operation, 'errorStatus'), bad, path),
    ...bodies(bad, path),
  ];
}

function says(part, word) {
  return Array.isArray(part?.['x-not-shown']) && part['x-not-shown'].includes(word);
}

/** Without a status that is shown, a success is 2XX. */
function successes(hidden, good, path) {
  if (!hidden) return good.length > 0 ? [] : [{ message: 'There is no success response.', path }];
  const invented = good.filter(([status]) => status !== '2XX').map(([status]) => notShown(status, path));
  return Object.hasOwn(Object.fromEntries(good), '2XX')
    ? invented
    : [...invented, { message: 'The success response 2XX is missing.', path }];
}

/** An error that says of itself that others are not shown is the only one. */
function errors(hidden, bad, path) {
  const only = bad.filter(([, response]) => says(response, 'otherStatuses')).map(([status]) => status);
  if (!hidden && only.length === 0) return [];
  return bad.filter(([status]) => !only.includes(status)).map(([status]) => notShown(status, path));
}

function bodies(bad, path) {
  return bad
    .filter(([, response]) => says(response, 'errorBody') && response.content !== undefined)
    .map(([status]) => ({ message: 'The body of an error is not shown.', path: [...path, status, 'content'] }));
}

function notShown(status, path) {
  return { message: `The status ${status} is not shown: x-not-shown says so.`, path: [...path, status] };
}
