/** A misspelt word would silently say nothing. */
export default function notShownWords(list, options, context) {
  if (!Array.isArray(list)) return [{ message: 'x-not-shown must be a list of words.' }];
  return list.flatMap((word, index) => {
    const path = [...context.path, index];
    if (!options.words.includes(word)) return [{ message: `"${word}" is no word of the vocabulary.`, path }];
    return list.indexOf(word) === index ? [] : [{ message: `"${word}" is listed twice.`, path }];
  });
}
