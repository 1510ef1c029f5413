/** Breaks a text at its blanks into lines of at most `width` characters; a longer word stands alone. Never empty. */
export function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** {@link wrap} of a paragraph of a list: all lines but the first stand four characters in. */
export function hanging(text: string, width: number, first = '  '): string[] {
  return wrap(text, width - 4).map((line, index) => (index === 0 ? first : '    ') + line);
}

/** `one error`, `2 errors`. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The text with its first letter in upper case. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
