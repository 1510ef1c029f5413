import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { TokenErrorCode, TokenResponseField } from '../../src/client/client.ts';
import type { Fault } from './fault-server.ts';
import { PASSWORD } from './support.ts';

/** A fault and the client's required reaction. */
export interface Case {
  readonly fault: Fault;
  readonly code: TokenErrorCode;
  readonly field?: TokenResponseField;
  readonly status?: number;
  readonly error?: string | null;
  readonly retryable?: boolean;
}

const JSON_TYPE = ['Content-Type: application/json'];
const VALID = { access_token: 'fault-token', token_type: 'bearer', expires_in: 3600, jti: 'j', scope: '' };
const valid = JSON.stringify(VALID);
const MIB = 2 ** 20;

/** A complete answer with a correct length. */
function answer(status: number | string, headers: readonly string[], body: string | Uint8Array): Fault {
  return (socket, server) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    server.write(socket, head(status, [...headers, `Content-Length: ${bytes.length}`]));
    server.write(socket, bytes);
  };
}

function head(status: number | string, headers: readonly string[]): string {
  return `HTTP/1.1 ${status}${typeof status === 'number' ? ' Whatever' : ''}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
}

function raw(text: string | Uint8Array, end = true): Fault {
  return (socket, server) => {
    server.write(socket, text);
    if (end) socket.end();
  };
}

function body(content: string | Uint8Array, field: TokenResponseField = 'body'): Case {
  return { fault: answer(200, JSON_TYPE, content), code: 'malformed', field, status: 200 };
}

/** A valid response with these members changed; undefined omits a member. */
function member(members: Record<string, unknown>, field: TokenResponseField): Case {
  return body(JSON.stringify({ ...VALID, ...members }), field);
}

/** A valid response with this raw text as `expires_in`. */
function lifetime(literal: string): Case {
  return body(valid.replace('3600', literal), 'expires_in');
}

function type(headers: readonly string[], content: string = valid): Case {
  return { fault: answer(200, headers, content), code: 'malformed', field: 'content-type' };
}

function success(status: number): Case {
  const fault = status === 204 ? raw(head(204, []), false) : answer(status, JSON_TYPE, valid);
  return { fault, code: 'malformed', field: 'status', status };
}

function redirect(status: number, location: string | null): Case {
  const headers = location === null ? JSON_TYPE : [...JSON_TYPE, `Location: ${location}`];
  return { fault: answer(status, headers, status === 304 ? '' : valid), code: 'redirected', status };
}

function refused(status: number, content: string, error: string | null, headers: readonly string[] = JSON_TYPE): Case {
  const retryable = [408, 429, 500, 502, 503, 504].includes(status);
  return { fault: answer(status, headers, content), code: 'refused', status, error, retryable };
}

function encoded(encoding: string, bytes: Uint8Array): Case {
  const fault = answer(200, [...JSON_TYPE, `Content-Encoding: ${encoding}`], bytes);
  return { fault, code: 'malformed', field: 'body' };
}

/** Valid JSON that is far too long, so that only its size is wrong. */
function long(bytes: number): string {
  return valid.replace('{', `{"padding":"${' '.repeat(bytes)}",`);
}

function pump(chunk: string | Uint8Array, start: string): Fault {
  return (socket, server) => {
    server.write(socket, start);
    const more = (): void => {
      while (!socket.destroyed && server.write(socket, chunk));
      socket.once('drain', more);
    };
    more();
  };
}

const CHUNKED = head(200, [...JSON_TYPE, 'Transfer-Encoding: chunked']);
const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

const bodies: Record<string, Case> = {
  'empty body': body(''),
  'white space': body(' \r\n '),
  'truncated JSON': body(valid.slice(0, -9)),
  'an array': body(`[${valid}]`),
  'a string': body('"fault-token"'),
  'a number': body('3600'),
  null: body('null'),
  true: body('true'),
  'two objects': body(valid + valid),
  'trailing comma': body(valid.replace('}', ',}')),
  'single quotes': body(valid.replaceAll('"', "'")),
  comments: body(`/* token */${valid}`),
  'HTML as JSON': body(HTML),
  'form as JSON': body('access_token=a&token_type=bearer'),
  'JSONP padding': body(`)]}',\n${valid}`),
  'invalid UTF-8': body(Buffer.concat([Buffer.from(valid.slice(0, -1)), Buffer.from(',"x":"\xff\xfe"}', 'latin1')])),
  'UTF-16': body(Buffer.from(`\ufeff${valid}`, 'utf16le')),
  'access_token twice': body(valid.replace('{', '{"access_token":"other",')),
  'expires_in twice': body(valid.replace('{', '{"expires_in":1,')),
  'a member twice, once escaped': body(valid.replace('{', '{"\\u0061ccess_token":"other",')),
  'NUL after the object': body(`${valid}\0`),
  'deep nesting only': body('['.repeat(500_000)),
  'everything under data': body(JSON.stringify({ data: VALID }), 'access_token'),
  'everything under __proto__': body(`{"__proto__":${valid}}`, 'access_token'),
};

const members: Record<string, Case> = {
  'access_token missing': member({ access_token: undefined }, 'access_token'),
  'access_token null': member({ access_token: null }, 'access_token'),
  'access_token a number': member({ access_token: 1 }, 'access_token'),
  'access_token empty': member({ access_token: '' }, 'access_token'),
  'access_token with a space': member({ access_token: 'a b' }, 'access_token'),
  'access_token with CR LF': member({ access_token: 'a\r\nX-Injected: 1' }, 'access_token'),
  'access_token with a tab': member({ access_token: 'a\tb' }, 'access_token'),
  'access_token with NUL': member({ access_token: 'a\0b' }, 'access_token'),
  'access_token with a letter beyond ASCII': member({ access_token: 'tökén' }, 'access_token'),
  'access_token with DEL': member({ access_token: 'a\x7f' }, 'access_token'),
  'access_token an object': member({ access_token: { value: 'a' } }, 'access_token'),
  'access_token an array': member({ access_token: ['a'] }, 'access_token'),
  'access_token of one byte over 32 KiB': member({ access_token: 'a'.repeat(32 * 1024 + 1) }, 'access_token'),
  'accessToken in camel case': member({ access_token: undefined, accessToken: 'a' }, 'access_token'),
  'token_type missing': member({ token_type: undefined }, 'token_type'),
  'token_type null': member({ token_type: null }, 'token_type'),
  'token_type mac': member({ token_type: 'mac' }, 'token_type'),
  'token_type with a space': member({ token_type: 'bearer ' }, 'token_type'),
  'token_type a list': member({ token_type: ['bearer'] }, 'token_type'),
  'token_type DPoP': member({ token_type: 'DPoP' }, 'token_type'),
  'expires_in null': lifetime('null'),
  'expires_in soon': lifetime('"soon"'),
  'expires_in an object': lifetime('{"seconds":3600}'),
  'expires_in an array': lifetime('[3600]'),
  'expires_in true': lifetime('true'),
  'expires_in infinite': lifetime('1e999'),
  'expires_in "Infinity"': lifetime('"Infinity"'),
  'expires_in "NaN"': lifetime('"NaN"'),
  'expires_in an empty string': lifetime('""'),
  'expires_in "-1"': lifetime('"-1"'),
  'expires_in "1e3"': lifetime('"1e3"'),
  'expires_in a date': lifetime('"2026-11-21T00:00:00Z"'),
  'scope a number': member({ scope: 1 }, 'scope'),
  'scope null': member({ scope: null }, 'scope'),
  'scope a list': member({ scope: ['a'] }, 'scope'),
};

const types: Record<string, Case> = {
  'no content type': type([]),
  'text/html': type(['Content-Type: text/html'], HTML),
  'text/plain': type(['Content-Type: text/plain']),
  form: type(['Content-Type: application/x-www-form-urlencoded'], 'access_token=a&token_type=bearer'),
  'two content types': type([...JSON_TYPE, 'Content-Type: text/html']),
  'application/jsonp': type(['Content-Type: application/jsonp']),
  'application/json-seq': type(['Content-Type: application/json-seq']),
  'empty content type': type(['Content-Type: ']),
};

const statuses: Record<string, Case> = {
  ...Object.fromEntries([201, 202, 203, 204, 206, 207].map((status) => [`${status}`, success(status)])),
  ...Object.fromEntries(
    [300, 301, 302, 303, 307, 308].map((status) => [`${status}`, redirect(status, 'https://evil.example/t?x=1')]),
  ),
  '302 to itself': redirect(302, '/302%20to%20itself/iam/oauth/token'),
  '302 without Location': redirect(302, null),
  '307 to a broken Location': redirect(307, 'http://['),
  '304': redirect(304, null),
  '400 invalid_request': refused(400, '{"error":"invalid_request"}', 'invalid_request'),
  '400 without JSON': refused(400, 'no', null, ['Content-Type: text/plain']),
  '400 with a broken body': refused(400, '{"error":', null),
  '400 with a body of 2 MiB': refused(400, `{"error":"x","p":"${' '.repeat(2 * MIB)}"}`, null),
  '400 with CR LF in error': refused(400, '{"error":"a\\r\\nb"}', null),
  '400 with ANSI in error': refused(400, '{"error":"\\u001b[31mred"}', null),
  '400 with an object as error': refused(400, '{"error":{"code":1}}', null),
  '400 that echoes the password': refused(400, JSON.stringify({ error: PASSWORD, error_description: PASSWORD }), null),
  '400 unsupported_grant_type': refused(400, '{"error":"unsupported_grant_type"}', 'unsupported_grant_type'),
  '401 invalid_client': refused(401, '{"error":"invalid_client"}', 'invalid_client'),
  '401 in HTML': refused(401, HTML, null, ['Content-Type: text/html', 'WWW-Authenticate: Basic realm="x"']),
  '403': refused(403, '{}', null),
  '404': refused(404, HTML, null, ['Content-Type: text/html']),
  '405': refused(405, '', null, ['Allow: GET']),
  // Node's fetch handles it as an exchange with a proxy.
  '407': { fault: answer(407, ['Proxy-Authenticate: Basic realm="p"'], ''), code: 'unreachable' },
  '408': refused(408, '', null),
  '410': refused(410, '{}', null),
  '418': refused(418, '{}', null),
  '429': refused(429, '{}', null, ['Retry-After: 7']),
  '429 with junk in Retry-After': refused(429, '{}', null, ['Retry-After: soon']),
  '500': refused(500, '{"error":"server_error"}', null),
  '501': refused(501, '{}', null),
  '502 in HTML': refused(502, HTML, null, ['Content-Type: text/html']),
  '503 maintenance': refused(503, HTML, null, [
    'Content-Type: text/html',
    'Retry-After: Wed, 21 Oct 2026 07:28:00 GMT',
  ]),
  '504': refused(504, '', null),
  '599': refused(599, '', null),
};

const sizes: Record<string, Case> = {
  '2 MiB with a length': body(long(2 * MIB)),
  'one byte over 1 MiB': body(valid + ' '.repeat(MIB + 1 - valid.length)),
  'endless chunks': { fault: pump(`4000\r\n${' '.repeat(0x4000)}\r\n`, CHUNKED), code: 'malformed', field: 'body' },
  'endless without length': { fault: pump(' '.repeat(0x4000), head(200, JSON_TYPE)), code: 'malformed', field: 'body' },
  'gzip bomb': encoded('gzip', gzipSync(long(64 * MIB))),
  'deflate bomb': encoded('deflate', deflateSync(long(64 * MIB))),
  'brotli bomb': encoded('br', brotliCompressSync(long(64 * MIB))),
  'gzip in gzip bomb': encoded('gzip, gzip', gzipSync(gzipSync(long(64 * MIB)))),
  'an invalid gzip body': encoded('gzip', Buffer.from(valid)),
  'gzip cut short': encoded('gzip', gzipSync(valid).subarray(0, 40)),
  'gzip without Content-Encoding': body(gzipSync(valid)),
};

const malformedHttp = (text: string | Uint8Array): Case => ({ fault: raw(text), code: 'malformed', field: 'http' });

const wire: Record<string, Case> = {
  'reset before any byte': {
    fault: (socket) => void socket.resetAndDestroy(),
    code: 'unreachable',
    retryable: true,
  },
  'closed before any byte': { fault: (socket) => void socket.end(), code: 'unreachable', retryable: true },
  'closed within the header': { fault: raw('HTTP/1.1 200 OK\r\nContent-Ty'), code: 'unreachable' },
  'reset after the header': {
    fault(socket, server) {
      server.write(socket, head(200, [...JSON_TYPE, 'Content-Length: 500']));
      setTimeout(() => socket.resetAndDestroy(), 30);
    },
    code: 'cut',
    status: 200,
    retryable: true,
  },
  'body shorter than its length': {
    fault: raw(`${head(200, [...JSON_TYPE, 'Content-Length: 500'])}${valid}`),
    code: 'cut',
    status: 200,
    retryable: true,
  },
  'body longer than its length': {
    fault: raw(`${head(200, [...JSON_TYPE, 'Content-Length: 20'])}${valid}`),
    code: 'malformed',
    field: 'body',
  },
  'chunks cut short': { fault: raw(`${CHUNKED}10\r\n{"access_`), code: 'cut', status: 200, retryable: true },
  'a malformed chunk': { fault: raw(`${CHUNKED}zz\r\n${valid}\r\n0\r\n\r\n`), code: 'malformed', field: 'body' },
  'no HTTP': malformedHttp('\x00\x01\x02 hello\r\n\r\n'),
  'another protocol': malformedHttp('SSH-2.0-OpenSSH_9.9\r\n'),
  'TLS on a plain port': malformedHttp(Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])),
  'a status line of letters': malformedHttp('HTTP/1.1 abc OK\r\n\r\n'),
  'HTTP/9.9': malformedHttp(`HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n`),
  'a header without a colon': malformedHttp('HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'),
  'NUL in a header': malformedHttp('HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n'),
  'two different lengths': malformedHttp(
    head(200, [...JSON_TYPE, 'Content-Length: 5', `Content-Length: ${valid.length}`]) + valid,
  ),
  'a negative length': malformedHttp(head(200, [...JSON_TYPE, 'Content-Length: -1']) + valid),
  'length and chunks at once': malformedHttp(
    head(200, [...JSON_TYPE, 'Content-Length: 5', 'Transfer-Encoding: chunked']) + valid,
  ),
  'headers of 1 MiB': malformedHttp(head(200, [...JSON_TYPE, `X-Long: ${'a'.repeat(MIB)}`]) + valid),
};

const slow: Record<string, Case> = {
  silence: { fault: () => {}, code: 'timeout', retryable: true },
  'silence after the header': {
    fault: raw(head(200, [...JSON_TYPE, 'Content-Length: 500']), false),
    code: 'timeout',
  },
  'silence within the body': { fault: raw(`${CHUNKED}5\r\n{"acc\r\n`, false), code: 'timeout' },
  'a header in drips': {
    fault: (socket, server) =>
      server.drip(socket, 40, (count) => server.write(socket, `HTTP/1.1 200 OK\r\nX: `[count] ?? 'a')),
    code: 'timeout',
  },
  'a body in drips': {
    fault(socket, server) {
      server.write(socket, CHUNKED);
      server.drip(socket, 40, () => server.write(socket, '1\r\n \r\n'));
    },
    code: 'timeout',
  },
  'an error body in drips': {
    fault(socket, server) {
      server.write(socket, head(400, [...JSON_TYPE, 'Transfer-Encoding: chunked']));
      server.drip(socket, 40, () => server.write(socket, '1\r\n \r\n'));
    },
    code: 'timeout',
  },
  'endless interim answers': {
    fault: (socket, server) => server.drip(socket, 40, () => server.write(socket, 'HTTP/1.1 102 Processing\r\n\r\n')),
    code: 'timeout',
  },
};

export const FAULTS: Readonly<Record<string, Case>> = {
  ...bodies,
  ...members,
  ...types,
  ...statuses,
  ...sizes,
  ...wire,
  ...slow,
};

/** Unusual, but correct. */
export const ODDITIES: Readonly<Record<string, Fault>> = {
  'token_type in capitals': answer(200, JSON_TYPE, JSON.stringify({ ...VALID, token_type: 'BEARER' })),
  'unknown members': answer(200, JSON_TYPE, JSON.stringify({ ...VALID, refresh_token: 7, __v: null, nested: [{}] })),
  'no jti, no scope': answer(200, JSON_TYPE, JSON.stringify({ ...VALID, jti: undefined, scope: undefined })),
  'a number as a string': answer(200, JSON_TYPE, valid.replace('3600', '"3600"')),
  'a byte order mark': answer(200, JSON_TYPE, `\ufeff${valid}`),
  'a charset': answer(200, ['content-type: Application/JSON ; charset="utf-8"'], valid),
  'a +json type': answer(200, ['content-type: application/token+json'], valid),
  gzip: answer(200, [...JSON_TYPE, 'Content-Encoding: gzip'], gzipSync(valid)),
  chunks: raw(`${CHUNKED}${valid.length.toString(16)};ext=1\r\n${valid}\r\n0\r\nX-Trailer: 1\r\n\r\n`, false),
  'no length, closed at the end': raw(head(200, JSON_TYPE) + valid),
  'an interim answer first': raw(
    `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${head(200, [...JSON_TYPE, `Content-Length: ${valid.length}`])}${valid}`,
    false,
  ),
  'junk in other headers': answer(
    200,
    [...JSON_TYPE, 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'X-Odd: \xe9\xff', 'Expires: never', 'Date: yesterday'],
    valid,
  ),
  'exactly 1 MiB': answer(200, JSON_TYPE, valid + ' '.repeat(MIB - valid.length)),
  'quotes and colons in strings': answer(
    200,
    JSON_TYPE,
    JSON.stringify({ ...VALID, note: 'a":\\"{[', deep: { access_token: 'no', token_type: 'no' } }),
  ),
};
