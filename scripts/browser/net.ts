/** The part of node:net that the check of a Host field needs. */
export function isIP(text: string): 0 | 4 | 6 {
  if (/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/.test(text) && !text.endsWith('.')) return 4;
  return text.includes(':') && URL.canParse(`http://[${text}]/`) ? 6 : 0;
}

/** Blocks every address: a page sends no webhooks. */
export class BlockList {
  addSubnet(): void {}
  check(): boolean {
    return true;
  }
}
