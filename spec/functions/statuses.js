const DOCUMENTED = ['2XX', '401'];

/** Any other status would be invented. */
export default function statuses(responses, _options, context) {
  const results = Object.keys(responses)
    .filter((status) => !status.startsWith('x-') && !DOCUMENTED.includes(status))
    .map((status) => ({
      message: `The status ${status} is not documented: only ${DOCUMENTED.join(' and ')} are.`,
      path: [...context.path, status],
    }));
  if (!Object.hasOwn(responses, '2XX')) results.push({ message: 'The success response 2XX is missing.' });
  if (responses['401']?.content !== undefined) {
    results.push({ message: 'The body of an error is not shown.', path: [...context.path, '401', 'content'] });
  }
  return results;
}
