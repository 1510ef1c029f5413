/** Holds `x-not-shown` and the schemas of an operation (or of a method-less path item) together, both ways. */
export default function notShownBodies(operation, _options, context) {
  const words = operation['x-not-shown'];
  if (!Array.isArray(words)) return [{ message: 'The operation has no x-not-shown.' }];
  const results = [];
  const check = (word, places) => {
    const listed = words.includes(word);
    for (const place of places) {
      if (listed) results.push({ message: `${word} is listed as not shown.`, path: [...context.path, ...place] });
    }
  };
  check('requestBody', requestPlaces(operation));
  check('responseBody', responsePlaces(operation));
  if (!Object.hasOwn(operation, 'operationId')) return results;
  if (requestPlaces(operation).length === 0 && !words.includes('requestBody')) {
    results.push({ message: 'No request body is documented: list requestBody in x-not-shown.' });
  }
  const statuses = Object.keys(operation.responses ?? {}).filter((status) => /^2/.test(status));
  const hasBody = statuses.length === 0 || statuses.some((status) => status !== '204' && status !== '205');
  if (hasBody && responsePlaces(operation).length === 0 && !words.includes('responseBody')) {
    results.push({ message: 'No response body is documented: list responseBody in x-not-shown.' });
  }
  return results;
}

function requestPlaces(operation) {
  return ['requestBody', 'x-request-schema'].filter((key) => Object.hasOwn(operation, key)).map((key) => [key]);
}

function responsePlaces(operation) {
  const places = ['x-response-schema', 'x-item-schema']
    .filter((key) => Object.hasOwn(operation, key))
    .map((key) => [key]);
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    if (/^2/.test(status) && response?.content !== undefined) places.push(['responses', status, 'content']);
  }
  return places;
}
