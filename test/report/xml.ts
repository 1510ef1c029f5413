/** A strict parser for the XML subset of a report: throws if the text is not well-formed XML 1.0. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
  text: string;
}

const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function parseXml(source: string): XmlNode {
  if (!ALLOWED.test(source)) throw new Error('a character that XML 1.0 does not allow');
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!source.startsWith(declaration)) throw new Error('no declaration');
  const stack: XmlNode[] = [{ name: '', attributes: {}, children: [], text: '' }];
  const token = /<(\/?)([\w-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/gy;
  token.lastIndex = declaration.length;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const match = token.exec(source);
    if (match === null) throw new Error(`not well-formed at ${at}: ${source.slice(at, at + 60)}`);
    const [, close, name = '', rest = '', selfClosing, text] = match;
    const top = stack.at(-1) as XmlNode;
    if (text !== undefined) top.text += decoded(text);
    else if (close === '/') {
      if (stack.length < 2 || top.name !== name) throw new Error(`</${name}> closes <${top.name}>`);
      top.text = top.text.trim();
      stack.pop();
    } else {
      const node: XmlNode = { name, attributes: attributesOf(rest), children: [], text: '' };
      top.children.push(node);
      if (selfClosing !== '/') stack.push(node);
    }
  }
  const [root] = stack[0]?.children ?? [];
  if (stack.length !== 1 || root === undefined || stack[0]?.children.length !== 1) throw new Error('not one root');
  return root;
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  const one = /\s+([\w:-]+)="([^"<]*)"/gy;
  while (one.lastIndex < text.trimEnd().length) {
    const match = one.exec(text);
    if (match === null) throw new Error(`bad attributes: ${text}`);
    attributes[match[1] ?? ''] = decoded(match[2] ?? '');
  }
  return attributes;
}

function decoded(text: string): string {
  return text.replace(/&([^;\s]*);?/g, (whole, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined || !whole.endsWith(';')) throw new Error(`bad entity ${whole}`);
    return character;
  });
}
