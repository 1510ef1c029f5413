/** Texts by the names of their members, in words: `petName` is `pet name`. `{hex}`, `{day}` and `{digits}` vary. */
const TEXTS: readonly (readonly [name: RegExp, texts: readonly string[]])[] = [
  [/\b(?:first|given) ?names?$/, ['Ada', 'Amara', 'Emil', 'Hana', 'Leo', 'Mateo', 'Nora', 'Sofia']],
  [/\b(?:last|family|sur) ?name$/, ['Bauer', 'Costa', 'Haddad', 'Jensen', 'Kowalska', 'Moreau', 'Okafor', 'Silva']],
  [/\b(?:user ?name|login|nick ?name)$/, ['ada.{hex}', 'emil.{hex}', 'nora.{hex}']],
  [/\be ?mail(?: address)?$/, ['ada.{hex}@example.com', 'emil.{hex}@example.com', 'nora.{hex}@example.com']],
  // numbers that no one has (Ofcom, numbers for drama)
  [/\b(?:phone|mobile|tele ?phone|fax)(?: number)?$/, ['+442079460{digits}']],
  [
    /\b(?:company|organi[sz]ation|employer|merchant)(?: name)?$/,
    ['Blue Door Bakery', 'Harbour Books', 'North Mill Ltd'],
  ],
  [/\b(?:job ?title|occupation|profession)$/, ['Baker', 'Engineer', 'Gardener', 'Teacher']],
  [
    /\b(?:street|address|address ?line ?1|line ?1)$|\bstreet (?:name|address)$/,
    ['7 Station Road', '12 Harbour Street', '31 Mill Lane', '58 Park Avenue'],
  ],
  [/\b(?:city|town)(?: name)?$/, ['Berlin', 'Bristol', 'Gothenburg', 'Lyon', 'Porto', 'Utrecht']],
  [/\b(?:post|postal|zip) ?code$|\bzip$/, ['10115', '33602', '69002', '75011']],
  [/\bcountry(?: name)?$/, ['Germany', 'France', 'Portugal', 'Sweden']],
  [/\bcountry(?: ?code)?$/, ['DE', 'FR', 'GB', 'PT', 'SE']],
  [/\bcountry(?: ?code)?$/, ['DEU', 'FRA', 'GBR', 'PRT', 'SWE']],
  [/\bcurrency(?: ?code)?$/, ['EUR', 'GBP', 'SEK', 'USD']],
  [/\b(?:price|amount|cost|fee|balance|sub ?total)(?: value)?$/, ['{digits}.25', '{digits}.50', '{digits}.95']],
  [/\blanguage(?: ?code)?$/, ['de', 'en', 'fr', 'pt']],
  [/\blocale$/, ['de-DE', 'en-GB', 'fr-FR', 'pt-PT']],
  [/\btime ?zone$/, ['Europe/Berlin', 'Europe/Lisbon', 'Europe/Paris']],
  [/\b(?:url|uri|href|website|home ?page)$/, ['https://example.com/{hex}']],
  [/\b(?:birth ?(?:date|day)|date of birth|dob)$/, ['1979-03-{day}', '1984-05-{day}', '1991-11-{day}']],
  [/\b(?:birth ?(?:date|day)|date of birth|dob)$/, ['1984-05-{day}T00:00:00Z']],
  [/\bdate$/, ['2030-01-{day}']],
  [/\w (?:at|date ?time)$|\btimestamp$/, ['2030-01-{day}T12:00:00Z']],
  [/\bcolou?r$/, ['blue', 'green', 'red', 'white']],
  [/\bdescription$/, ['Checked, and in good order.', 'Made by hand.', 'Ready on Monday.', 'With a green label.']],
  [/\b(?:file ?name)$/, ['report-{hex}.pdf']],
  [/\b(?:display |full |short )?name$/, ['Atlas', 'Aurora', 'Hazel', 'Juniper', 'Orion', 'Willow']],
];

/** Texts that a member of this name might have, the most likely first. The schema may reject them. */
export function* believableTexts(at: string, chance: number): Generator<string> {
  const name = wordsAt(at);
  for (const [named, texts] of TEXTS) {
    if (!named.test(name)) continue;
    const text = texts[chance % texts.length] ?? '';
    yield text.replace(/\{(\w+)\}/, (_, what: string) => PARTS[what]?.(chance) ?? '');
  }
}

const PARTS: Readonly<Record<string, (chance: number) => string>> = {
  hex: (chance) => hexOf(chance),
  day: (chance) => dayOf(chance),
  digits: (chance) => String(100 + (chance % 900)),
};

/** Four digits. */
export function hexOf(chance: number): string {
  return (chance % 0x10000).toString(16).padStart(4, '0');
}

/** A day that every month has. */
export function dayOf(chance: number): string {
  return String(1 + (chance % 28)).padStart(2, '0');
}

/** The last two names of a place, in words: a `code` in `country` is a `country code`. */
function wordsAt(at: string): string {
  const names = at.split('/').filter((part) => part !== '' && part !== '*');
  const spaced = names
    .slice(-2)
    .join(' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return spaced.replaceAll(/[^A-Za-z0-9]+/g, ' ').toLowerCase();
}
