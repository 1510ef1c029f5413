import { describe, expect, test } from 'vitest';
import { createOriginRule } from '../../src/net/origins.ts';

describe('origins that may read', () => {
  const mayRead = createOriginRule([
    'https://*.app.github.dev',
    'http://192.168.1.20:5173',
    'HTTPS://App.Example:443/',
    'http://*.lan.test:3000',
    'Capacitor://localhost',
  ]);

  test.each([
    'https://fluffy-4010.app.github.dev',
    'http://192.168.1.20:5173',
    'https://app.example',
    'http://phone.lan.test:3000',
    'http://localhost:3000',
    'http://[::1]:1',
    'capacitor://localhost',
  ])('the origin %s may read', (origin) => expect(mayRead(origin)).toBe(true));

  test.each([
    'https://app.github.dev',
    'https://a.b.app.github.dev',
    'https://.app.github.dev',
    'https://evilapp.github.dev',
    'https://x.app.github.dev.evil.example',
    'https://evil.example/.app.github.dev',
    'https://evil.example?.app.github.dev',
    'https://user@x.app.github.dev',
    'http://fluffy-4010.app.github.dev',
    'https://fluffy.app.github.dev:8443',
    'http://192.168.1.20',
    'http://phone.lan.test',
    'ionic://localhost',
    'capacitor://localhost:1',
    'null',
    '',
    '*',
  ])('the origin %j may not read', (origin) => expect(mayRead(origin)).toBe(false));

  test.each([
    ...['*', 'https://*', 'https://*.dev', 'https://a.*.dev', 'https://*a.example.dev', '*.app.github.dev', 'null', ''],
    ...['app.example', 'https://app.example/path', 'https://u:p@app.example', 'https://app.example:99999'],
    ...['https://*.*.example.dev', 'https://app.example?x', 'https://app example'],
  ])('%j is not an origin that can be allowed', (origin) => {
    expect(() => createOriginRule([origin])).toThrow(/is no origin that can be allowed/);
  });
});
