import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isSensitiveKey } from '../../src/redact/keys.ts';
import { createRedactor, type Redactor } from '../../src/redact/redact.ts';
import { growth } from '../support/growth.ts';

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJib2IifQ.c2lnbmF0dXJl-_x';
const IBAN = 'GB82WEST12345698765432';
/** Names of fields whose values are masked. */
const SENSITIVE =
  'password newPassword pass_word PASSWORD access_token refreshToken token cardToken secret ' +
  'clientSecret securityCode securityQuestions answer customerKey iban ibanForSwift accountNumber pan ' +
  'cvv pin jti x-api-key X-Auth-Token sessionId clabe username';
/** Similar names that are not secret. */
const ORDINARY =
  'token_type expires_in grant_type scope cardLimitDaily aba wireRoutingNumber paymentId company expand ' +
  'spanning shortReference userId clientId cardDesign';
const plain = createRedactor();

describe('masking by position', () => {
  it.each(SENSITIVE.split(' '))('D8: the value under %s is masked', (key) => {
    expect(plain.json({ [key]: 'abcdefghij' })).toEqual({ [key]: '[redacted:8-15]' });
    expect(plain.target(`/x?${key}=abcdefghij`)).toBe(`/x?${key}=[redacted:8-15]`);
    expect(plain.fields([[key, 'abcdefghij']])).toEqual([[key, '[redacted:8-15]']]);
  });

  it.each(ORDINARY.split(' '))('the value under %s is not masked', (key) => {
    expect(isSensitiveKey(key)).toBe(false);
  });

  it('a masked value keeps its JSON type and length class', () => {
    expect(
      plain.json({
        securityQuestions: [{ question: 'pet?', answer: 'x', id: 7, rate: 1.25, on: true, none: null, empty: '' }],
      }),
    ).toEqual({
      securityQuestions: [
        { question: '[redacted:4-7]', answer: '[redacted:1-1]', id: 0, rate: 0.5, on: true, none: null, empty: '' },
      ],
    });
    expect(plain.json({ password: 'x'.repeat(100_000) })).toEqual({ password: '[redacted:4096+]' });
  });

  it('the scheme of Authorization is kept, and cookies and unknown schemes are masked completely', () => {
    expect(
      plain.headers([
        ['authorization', 'bearer abcdefgh'],
        ['proxy-authorization', 'Basic dTpw'],
        ['authorization', 'hunter2hunter2'],
        ['cookie', 'a=b; c=d'],
        ['set-cookie', 'sid=1234; Path=/'],
        ['x-amz-security-token', 'abcdefgh'],
        ['content-type', 'application/json'],
      ]),
    ).toEqual([
      ['authorization', 'bearer [redacted:8-15]'],
      ['proxy-authorization', 'Basic [redacted:4-7]'],
      ['authorization', '[redacted:8-15]'],
      ['cookie', '[redacted:8-15]'],
      ['set-cookie', '[redacted:16-31]'],
      ['x-amz-security-token', '[redacted:8-15]'],
      ['content-type', 'application/json'],
    ]);
  });

  it('a secret in the query of a Location is masked', () => {
    const [[, location] = []] = plain.headers([
      ['location', 'https://x.example/cb?access_token=abcdefgh&a=1#token=abcdefgh'],
    ]);
    expect(location).toBe('https://x.example/cb?access_token=[redacted:8-15]&a=1#token=[redacted:8-15]');
  });

  it('ids and ordinary query parameters stay, in their encoding', () => {
    const target = '/wallet/api/customers/c%2F1/cards/42?visible=true&a=b%20c&x';
    expect(plain.target(target)).toBe(target);
  });

  it('an encoded or nested query name is recognised', () => {
    expect(plain.target('/x?%70assword=hunter2')).toBe('/x?%70assword=[redacted:4-7]');
    expect(plain.target('/x?user[password]=hunter2')).toBe('/x?user[password]=[redacted:4-7]');
  });

  it.each([
    ['{"password":"hunter2 x","a":1', 'hunter2'],
    ['{"password" : "hun\\"ter2"}', 'ter2'],
    ['{\\"password\\":\\"hunter2\\"}', 'hunter2'],
    ["{'secret': 'hunter2'}", 'hunter2'],
    ['{"password":"hunter2 is cut of', 'hunter2'],
    ['{"note":"see password=hunter2"}', 'hunter2'],
    ['grant_type=password&password=hunter2&x=1', 'hunter2'],
    ['GET /x?token=hunter2 failed', 'hunter2'],
    ['Authorization: Basic aHVudGVyMg==', 'aHVudGVyMg'],
    ['authorization: hunter2', 'hunter2'],
    ['Set-Cookie: sid=hunter2; Path=/', 'hunter2'],
    ['connect to https://user:hunter2@bank.example/ failed', 'hunter2'],
    ['{"pin":4711}', '4711'],
  ])('the value in the text %s is masked', (text, secret) => {
    expect(plain.text(text)).not.toContain(secret);
  });

  it.each([
    'wrong password: answered 200, expected 401',
    'The Bearer authentication scheme, and Basic authentication too.',
    'token: expected a string, got a number',
    'expires_in=3599, token_type: bearer',
    'GET /iam/api/customers/1/credentials/generateCustomerKey',
    'at 2026-11-21T01:25:10.123Z after 1732152000000 ms',
    'https://sandbox.example:8443/path?visible=true#frag',
    'mail to bob@bank.example',
  ])('the sentence %s is not masked', (text) => {
    expect(plain.text(text)).toBe(text);
  });
});

describe('masking by value', () => {
  it.each([
    ['a JWT', `got ${JWT}!`, JWT],
    ['a bearer token', 'Bearer abc123def456', 'abc123def456'],
    ['Basic credentials', `Basic ${Buffer.from('me:pw').toString('base64')}`, 'bWU6cHc'],
    ['an IBAN', `to ${IBAN}.`, IBAN],
    ['an IBAN in groups', 'to GB82 WEST 1234 5698 7654 32.', '5698'],
    ['a card number', 'card 4111 1111 1111 1111 refused', '1111'],
  ])('D8: %s is masked in free text', (_what, text, secret) => {
    expect(plain.text(text)).not.toContain(secret);
    expect(JSON.stringify(plain.json({ note: text }))).not.toContain(secret);
  });

  it('numbers that only resemble an IBAN or card number are not masked', () => {
    for (const text of ['GB83WEST12345698765432', '4111111111111112', '1732152000000'])
      expect(plain.text(text)).toBe(text);
  });

  it.each([
    ['iban DE89 3704 0044 0532 0130 00 card x', 'iban [redacted] card x'],
    ['pay to GB82 WEST 1234 5698 7654 32 now', 'pay to [redacted] now'],
    ['ab12 DE89 3704 0044 0532 0130 00 GB82WEST12345698765432', 'ab12 [redacted] [redacted]'],
    ['gb82-west-1234-5698-7654-32', '[redacted]'],
    ['DE89%203704%200044%200532%200130%2000', '[redacted]'],
    ['DE89+3704+0044+0532+0130+00', '[redacted]'],
    [`q ${Buffer.from('DE89370400440532013000').toString('base64')} q`, 'q [redacted] q'],
    [`/x/${Buffer.from('to DE89 3704 0044 0532 0130 00.').toString('base64url')}/y`, '/x/[redacted]/y'],
    ['accountNumber: 31926819', 'accountNumber: [redacted]'],
    ['Account number 31926819.', 'Account number [redacted].'],
    ['{"note":"accountNumber=31926819"}', '{"note":"accountNumber=[redacted]"}'],
  ])('D8: exactly the secret in %s is masked', (text, clean) => {
    expect(plain.text(text)).toBe(clean);
    expect(plain.text(clean)).toBe(clean);
  });

  it.each([
    'order 20261121 of 31926819 items at 1732152000000',
    'in 12 of the 3704 cases on port 8443',
    'GB83 WEST 1234 5698 7654 32 card',
    'AB12 CD34 EF56 GH78',
    'customers/42/cards/19/limits/daily',
    '0123456789abcdef0123456789abcdef01234567',
    '6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b',
    'answer: it is 42, token: 3 of 5, pin: none',
    Buffer.from('nothing of a secret in this text').toString('base64'),
  ])('the ordinary text %s is not masked', (text) => {
    expect(plain.text(text)).toBe(text);
  });

  it.each([
    '<a><password>hunter2hunter2</password><x>kept</x></a>',
    '<s:Body><wsse:Password Type="PasswordText">hunter2hunter2</wsse:Password><x>kept</x></s:Body>',
    '<securityQuestions><q n="1"><text>hunter2hunter2</text></q></securityQuestions><x>kept</x>',
    '<accountNumber><![CDATA[hunter2hunter2]]></accountNumber><x>kept</x>',
    '<x>kept</x><securityAnswer>hunter2hunter2',
    '--B\r\ncontent-disposition: form-data; name="password"\r\n\r\nhunter2hunter2\r\n--B\r\nContent-Disposition: form-data; name="x"\r\n\r\nkept\r\n--B--\r\n',
    '--B\nContent-Disposition: form-data; name=pin; filename="a"\nContent-Type: text/plain\n\nhunter2hunter2\nkept-not',
  ])('D8: values under secret names in XML and multipart bodies are masked: %s', (text) => {
    const clean = plain.text(text);
    expect(clean).not.toContain('hunter2');
    if (!text.includes('kept-not')) expect(clean).toContain('kept');
    expect(plain.text(clean)).toBe(clean);
  });

  it('a tag in a sentence is not masked', () => {
    const text = 'give --credentials <user>:<password> and <token> too';
    expect(plain.text(text)).toBe(text);
  });

  it('a value under a secret name in a body is masked wherever it returns', () => {
    const redactor = createRedactor();
    const card = 'ctk_9f8e7d6c5b4a39281706';
    redactor.learnFrom({
      card: { token: card, links: { self: `/cards/${card}` } },
      securityQuestions: [{ question: 'pet?', answer: 'Fluffy the Cat 77' }],
      accounts: { 31926819: { n: 1 }, 20261121: {}, 1732152000000: {} },
      beneficiary: { accountNumber: 4711081547 },
    });
    for (const text of [
      `/cards/${card}`,
      `x ${card.toUpperCase()} y`,
      `text/${card}`,
      `a%3A${card}%20b`,
      Buffer.from(`card ${card}`).toString('base64'),
      'it is fluffy the cat 77!',
      '/accounts/31926819/n',
      'from 4711081547',
    ]) {
      expect(redactor.text(text)).toContain('[redacted]');
    }
    expect(redactor.text(`/accounts/31926819/n ${card}`)).toBe('/accounts/[redacted]/n [redacted]');
    expect(redactor.target(`/x/${card}?a=${card}`)).not.toContain(card);
    expect(redactor.json({ [card]: 1, [`x ${card}`]: 2 })).toEqual({ '[redacted]': 1, 'x [redacted]': 2 });
    for (const text of ['pet?', '131926819 319268190', '20261121 at 1732152000000'])
      expect(redactor.text(text)).toBe(text);
  });

  it('ordinary words, dates and numbers are not learned as secrets, for random input', () => {
    const redactor = createRedactor();
    redactor.learnFrom({
      passwordPolicy: 'standard1',
      password: 'disabled',
      tokens: ['2026-11-21T10:00:00Z', 'abc', 7, null],
      token: { type: 'physical' },
      username: 'tenant-number-7',
    });
    for (const text of ['standard1', 'disabled', '2026-11-21T10:00:00Z', 'physical', 'tenant-number-7'])
      expect(redactor.text(text)).toBe(text);
    fc.assert(fc.property(fc.jsonValue(), (value) => redactor.learnFrom(value)));
  });

  it('D8: a secret is masked in upper and lower case and in a JSON pointer', () => {
    const password = 'hunter2-Sécret!/+~%9';
    const redactor = createRedactor({ credentials: [{ username: 'nightly', password }] });
    const encoded = Buffer.from(password).toString('base64');
    for (const text of [
      encoded.toLowerCase(),
      password.toUpperCase(),
      `/a/${password.replaceAll('~', '~0').replaceAll('/', '~1')}/b`,
    ])
      expect(redactor.text(`text/${text}`)).toContain('[redacted]');
  });

  it('a short password is masked only by position', () => {
    const redactor = createRedactor({ credentials: [{ username: 'bob', password: 'open' }] });
    expect(redactor.text('the door is open')).toBe('the door is open');
    expect(redactor.text(`x ${Buffer.from('bob:open').toString('base64')} y`)).toBe('x [redacted] y');
  });

  it('a token is learned during the run', () => {
    const redactor = createRedactor();
    redactor.learn('opaque-token-value');
    expect(redactor.text('echo opaque-token-value')).toBe('echo [redacted]');
  });

  it('a secret in a key is masked', () => {
    const redactor = createRedactor({ secrets: ['correct horse'] });
    expect(redactor.json({ 'correct horse': 1, 'correct horse!': 2 })).toEqual({ '[redacted]': 1, '[redacted]!': 2 });
  });
});

const secretText = fc.oneof(
  fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' }),
  fc.string({ minLength: 8, maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom('p@ss wörd:/+%2B', 'a"b\\c/d\ne<f>&', 'ÿþýüûúùø', "it's (a) *secret*!~"),
);

/** Ways in which servers, proxies and libraries return a secret. */
const encodings: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  json: (secret) => JSON.stringify(secret),
  'json in json': (secret) => JSON.stringify({ body: JSON.stringify({ note: secret }) }),
  'json with slashes escaped': (secret) => JSON.stringify(secret).replaceAll('/', '\\/'),
  percent: (secret) => encodeURIComponent(secret),
  'percent, lower case': (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'percent, everything': (secret) =>
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  form: (secret) => new URLSearchParams({ note: secret }).toString(),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'base64 of user:pass': (secret) => Buffer.from(`someone:${secret}`).toString('base64'),
  'base64 in a longer text': (secret) => Buffer.from(`xy;${secret};z`).toString('base64'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
};

/** Parts of an encoded secret that would reveal it. */
function betrays(output: string, secret: string, encode: (secret: string) => string): boolean {
  if (output.includes(secret)) return true;
  const encoded = encode(secret);
  return encoded.length >= 12 && output.includes(encoded);
}

describe('properties', () => {
  for (const [name, encode] of Object.entries(encodings)) {
    it(`D8: no known secret survives as ${name}, in text, JSON, headers or URLs`, () => {
      fc.assert(
        fc.property(secretText, fc.string(), fc.string(), (secret, before, after) => {
          fc.pre(secret.isWellFormed() && secret.trim().length >= 8 && !'[redacted]'.includes(secret));
          const redactor = createRedactor({
            secrets: [secret],
            credentials: [{ username: 'someone', password: secret }],
          });
          const text = `${before} ${encode(secret)} ${after}`;
          const outputs = [
            redactor.text(text),
            JSON.stringify(redactor.json({ a: [{ note: text }], [text]: 1 })),
            redactor.headers([['x-note', text]])[0]?.[1] ?? '',
            redactor.target(`/x?note=${encodeURIComponent(encode(secret))}`),
            redactor.fields([['note', text]])[0]?.[1] ?? '',
          ];
          for (const output of outputs) expect(betrays(output, secret, encode)).toBe(false);
        }),
        { numRuns: 60 },
      );
    });
  }

  it('redaction never throws, and its result is JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        JSON.parse(JSON.stringify(plain.json(value)));
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => typeof plain.text(text) === 'string' && typeof plain.target(text) === 'string',
      ),
    );
  });

  it('redacting twice changes nothing', () => {
    const redactor = createRedactor({ secrets: ['correct horse'] });
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('password', 'note', 'token'), (value, key) => {
        const once = redactor.json({ [key]: value, text: `${JSON.stringify(value)} password=abc correct horse` });
        expect(redactor.json(once)).toEqual(once);
      }),
    );
  });

  it('JSON without secrets is unchanged', () => {
    const value = { id: 'c-1', rate: 1.07, nested: [{ visible: true, none: null }], __proto__x: 1 };
    expect(plain.json(value)).toEqual(value);
  });

  it('deep nesting and __proto__ are handled', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(JSON.stringify(plain.json(deep))).toContain('[too deep]');
    expect(JSON.stringify(plain.json(JSON.parse('{"__proto__":{"password":"hunter2"}}')))).toBe(
      '{"__proto__":{"password":"[redacted:4-7]"}}',
    );
  });

  it('redaction needs linear time', () => {
    const redactor = createRedactor({ secrets: ['correct horse battery'] });
    for (const unit of [
      'a',
      '1',
      '%41',
      '"',
      '\\"',
      'password=',
      '"token":"',
      'GB82 ',
      '4111 ',
      'eyJ.',
      '://',
      'Bearer ',
      '{"a":"',
      ':=',
      'a.',
      '<token>',
      '<token><',
      '</a><pin>',
      '<![CDATA[',
      'content-disposition: name=pin\n\n',
      'DE89 3704 ',
      'account no 1 ',
      'YWJj',
    ]) {
      const redact = (size: number): void => {
        const text = unit.repeat(Math.ceil(size / unit.length));
        redactor.text(text);
        redactor.target(text);
      };
      expect(growth(redact, 12_000), unit).toBeLessThan(2.5);
    }
  }, 60_000);
});

describe('secret names', () => {
  /** Names that were masked before contracts could add names; each must stay masked. */
  const WHOLE =
    'answer answers apikey auth bban bearer clabe clientassertion csc cvc cvc2 cvv cvv2 jti jwt login nationalid otp pan pass passport pin pincode pwd sid ssn taxid username';
  const PARTS =
    'accesskey accountno accountnumber apikey authorization cardnumber cookie credential customerkey iban onetimepass passcode passphrase passwd password primaryaccount privatekey secret securityanswer securitycode securityquestion sessionid signature';
  const ENDINGS = 'token tokens cvv cvc otp pwd';
  const words = (list: string): fc.Arbitrary<string> => fc.constantFrom(...list.split(' '));
  const around = fc.stringMatching(/^[A-Za-z0-9_.-]{0,12}$/);
  const spelt = (name: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(name, fc.array(fc.constantFrom('', '', '', '_', '-'), { minLength: 20, maxLength: 20 }), fc.boolean())
      .map(([word, signs, upper]) =>
        [...(upper ? word.toUpperCase() : word)].map((letter, at) => `${letter}${signs[at] ?? ''}`).join(''),
      );

  it('built-in secret names are masked in any spelling, whole, as a part or as an ending', () => {
    const part = fc.tuple(around, words(PARTS), around).map((parts) => parts.join(''));
    const ending = fc.tuple(around, words(ENDINGS)).map((parts) => parts.join(''));
    fc.assert(
      fc.property(spelt(fc.oneof(words(WHOLE), part, ending)), (name) => {
        expect(isSensitiveKey(name)).toBe(true);
      }),
    );
  });

  it.each([
    'nationalInsuranceNumber',
    'social_security_no',
    'passportNumber',
    'taxIdentificationNumber',
    'cardNo',
    'partner-key',
  ])('common names for data of people, cards and keys are masked: %s', (name) => {
    expect(isSensitiveKey(name)).toBe(true);
  });

  it('names of a contract are masked in every position, and their values wherever they return', () => {
    const redactor = createRedactor();
    const before = { favouriteColour: 'teal-7719-x', other: 'teal-7719-x' };
    expect(redactor.json(before)).toEqual(before);
    redactor.learnNames(['favouriteColour', 'X-Loft']);
    expect(redactor.json(before)).toEqual({ favouriteColour: '[redacted:8-15]', other: 'teal-7719-x' });
    expect(redactor.target('/x?favourite_colour=teal')).toBe('/x?favourite_colour=[redacted:4-7]');
    expect(redactor.headers([['x-loft', 'north']])).toEqual([['x-loft', '[redacted:4-7]']]);
    expect(redactor.fields([['favouriteColour', 'teal']])).toEqual([['favouriteColour', '[redacted:4-7]']]);
    expect(redactor.text('{"favouriteColour":"teal"}')).toBe('{"favouriteColour":"[redacted:4-7]"}');
    expect(redactor.text('<favouriteColour>teal</favouriteColour>')).not.toContain('teal');
    redactor.learnFrom(before);
    expect(redactor.text('it was teal-7719-x')).toBe('it was [redacted]');
    expect(redactor.json({ password: 'hunter2' })).toEqual({ password: '[redacted:4-7]' });
  });
});

test('F2: a secret of 500 kB is masked completely, and does not slow down other texts', () => {
  const secret = 'k7'.repeat(250_000);
  const redactor = createRedactor();
  redactor.learn(secret);
  for (const form of [secret, secret.toUpperCase(), Buffer.from(secret).toString('base64')])
    expect(redactor.text(`it was ${form}, twice`)).toMatch(/^it was \[redacted\S*\], twice$/);
  const started = process.cpuUsage();
  for (let round = 0; round < 1000; round += 1) redactor.text('an ordinary line of a report');
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2);
});

test.each<[string, (redactor: Redactor) => void]>([
  ['a secret', (redactor) => redactor.learn('plain text 4711')],
  ['a word in a body', (redactor) => redactor.learnFrom({ token: 'opaque-4711' })],
  ['a phrase in a body', (redactor) => redactor.learnFrom({ answer: 'plain text 4711' })],
  ['a name', (redactor) => redactor.learnNames(['favourite'])],
])('a text that was masked before is masked anew once the redactor learns %s', (_, teach) => {
  const redactor = createRedactor();
  const text = 'plain text 4711, opaque-4711, favourite=blue4711';
  expect(redactor.text(text)).toBe(text);
  teach(redactor);
  expect(redactor.text(text)).not.toBe(text);
});
