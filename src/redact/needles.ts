/** Shorter secrets are masked by position only: by value they would eat into ordinary words. */
export const SHORTEST_SECRET = 8;

/** Every form in which a secret may turn up in what a server or a library says. */
export function encodingsOf(secret: string): string[] {
  const found = new Set<string>();
  const add = (text: string): void => {
    if (text.length >= SHORTEST_SECRET) found.add(text);
  };
  for (const form of [secret, secret.normalize('NFC')]) {
    add(form);
    for (const escaped of jsonForms(form)) {
      add(escaped);
      // a JSON text inside a JSON string
      add(JSON.stringify(escaped).slice(1, -1));
    }
    for (const escaped of percentForms(form)) add(escaped);
    for (const bytes of [Buffer.from(form, 'utf8'), Buffer.from(form, 'latin1')]) {
      for (const text of base64Forms(bytes)) {
        add(text);
        add(encodeURIComponent(text));
      }
      add(bytes.toString('hex'));
      add(bytes.toString('hex').toUpperCase());
    }
    // a JSON pointer, as findings have them
    for (const text of [...found]) if (/[~/]/.test(text)) add(text.replaceAll('~', '~0').replaceAll('/', '~1'));
    add(form.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'));
  }
  return [...found];
}

function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const ascii = plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  // what PHP, Python and the HTML-safe writers of Java and Go do
  const html = ascii.replace(/[<>&'=/]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [plain, plain.replaceAll('/', '\\/'), ascii, ascii.replaceAll('/', '\\/'), html, html.toUpperCase()];
}

function percentForms(text: string): string[] {
  const wellFormed = text.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  const forms = [component, strict, form, encodeURI(wellFormed)];
  const lower = forms.map((each) => each.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...forms, ...lower, encodeURIComponent(component)];
}

/** Whole, and as the part that is fixed when the secret stands somewhere inside a longer text: three alignments. */
function base64Forms(bytes: Buffer): string[] {
  const forms = [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const fixed = (encoded: string): string =>
      encoded.slice(Math.ceil((shift * 8) / 6), Math.floor((shifted.length * 8) / 6));
    const text = shifted.toString('base64');
    forms.push(fixed(text), fixed(text.replaceAll('+', '-').replaceAll('/', '_')));
  }
  return forms;
}

/** One expression for all needles, the longest first, or null where there are none. Whoever changes the case hides nothing by it. */
export function needleExpression(needles: Iterable<string>): RegExp | null {
  const ordered = [...needles].sort((a, b) => b.length - a.length);
  return ordered.length === 0 ? null : new RegExp(ordered.map(escapeExpression).join('|'), 'gi');
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
