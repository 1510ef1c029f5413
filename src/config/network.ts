import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { CheckedFile } from '../contract/checked-file.ts';
import { type Place, ToolError } from '../errors.ts';
import { type FileKind, MIB, readBounded, unreadable } from '../files/read.ts';
import { isLoopback } from '../net/host.ts';
import { DIRECT, type Network } from '../net/network.ts';
import { isExempt } from '../net/no-proxy.ts';
import { decodePercent } from '../text/decode.ts';
import type { Environment } from './environment.ts';
import { fromEnvironment, variableOf } from './reference.ts';

export interface NetworkSetting {
  readonly proxy?: string;
  readonly noProxy?: string | readonly string[];
  readonly ca?: string | readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: string;
  readonly passphrase?: string;
}

export interface NetworkSources {
  readonly setting: NetworkSetting;
  readonly placeOf: CheckedFile<unknown>['placeOf'] | null;
  readonly folder: string;
  readonly env: Environment;
  readonly target: string;
}

/** Network settings from the file and the environment. @throws ToolError `config`, `file-missing`, `file-unreadable` */
export async function networkFrom(sources: NetworkSources): Promise<Network> {
  const { target, setting } = sources;
  if (target === 'mock') return DIRECT;
  const url = new URL(target);
  const found = await proxyFor(url, sources);
  const exempt = found === null ? null : whyExempt(url, sources);
  const { trust, identity, passphrase } = await tlsOf(sources);
  const contextOf = (options: SecureContextOptions) =>
    Object.keys(options).length === 0 ? undefined : createSecureContext(options);
  return Object.freeze({
    proxy: exempt === null ? (found?.proxy ?? null) : null,
    unused: found !== null && exempt !== null ? { from: found.proxy.from, why: exempt } : null,
    target: contextOf({ ...trust, ...identity }),
    toProxy: contextOf(trust),
    ca: setting.ca === undefined ? null : ('network.ca' as const),
    certificate:
      setting.pfx !== undefined
        ? ('network.pfx' as const)
        : setting.cert !== undefined
          ? ('network.cert' as const)
          : null,
    secrets: Object.freeze([...(found?.secrets ?? []), ...(passphrase === undefined ? [] : [passphrase])]),
  });
}

/** Environment variables of a proxy, by the protocol of the target. As in curl, lower case has precedence. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'https:': ['https_proxy', 'HTTPS_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY'],
};
const EXEMPTIONS = ['no_proxy', 'NO_PROXY'];

async function proxyFor(url: URL, { setting, placeOf, env }: NetworkSources) {
  if (setting.proxy !== undefined) {
    const place = await placeOf?.('/network/proxy');
    const variable = variableOf(setting.proxy);
    if (variable === null) return parseProxy(setting.proxy, 'network.proxy', false, place);
    return parseProxy(fromEnvironment(variable, env, place), variable, true, place);
  }
  const variable = VARIABLES[url.protocol]?.find((name) => env[name]);
  return variable === undefined ? null : parseProxy(env[variable] ?? '', variable, true);
}

/** Messages never quote the URL, which may hold a password. @param mayHold whether it may hold credentials */
function parseProxy(text: string, from: string, mayHold: boolean, place?: Place) {
  const refuse = (message: string, hint?: string): ToolError =>
    new ToolError('config', `${from}: ${message}`, { place, hint });
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || url.hostname === '') throw refuse('This is no URL.', 'It looks like http://proxy.example:3128.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(`Proxies of ${url.protocol}// are not supported; it must begin with http:// or https://.`);
  }
  const credentials = [url.username, url.password].map((part) => decodePercent(part) ?? part);
  if (url.username === '' && url.password === '') {
    return { proxy: { url: url.origin, authorization: null, from }, secrets: [] };
  }
  if (!mayHold) {
    throw refuse(
      'Credentials do not belong into a file.',
      'Put the whole URL into a variable and write proxy: env:NAME.',
    );
  }
  const pair = credentials.join(':');
  const basic = Buffer.from(pair).toString('base64');
  return {
    proxy: { url: url.origin, authorization: `Basic ${basic}`, from },
    secrets: [credentials[1] ?? '', pair, url.password, basic],
  };
}

function whyExempt(url: URL, { setting, env }: NetworkSources): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(host)) return `${host} is this machine`;
  const variable = EXEMPTIONS.find((name) => env[name]);
  const [list, from] =
    setting.noProxy !== undefined
      ? [[setting.noProxy].flat().join(','), 'network.noProxy']
      : [env[variable ?? ''] ?? '', variable];
  return isExempt(list, url) ? `${from} names ${host}` : null;
}

const CERTIFICATES: FileKind = { what: 'file', setting: 'network', most: 4 * MIB, code: 'config' };

async function tlsOf(sources: NetworkSources) {
  const { ca, cert, key, pfx } = sources.setting;
  const passphrase = await passphraseOf(sources);
  const authorities = await Promise.all(
    [ca ?? []].flat().map((name) => readAuthorities(resolve(sources.folder, name))),
  );
  const trust = ca === undefined ? {} : { ca: authorities };
  const opened = passphrase === undefined ? {} : { passphrase };
  const fromFolder = (name: string): string => resolve(sources.folder, name);
  if (cert !== undefined && key !== undefined) {
    const pair = { cert: await readAuthorities(fromFolder(cert)), key: await read(fromFolder(key)), ...opened };
    return { trust, identity: usable(fromFolder(key), `a key in PEM for ${cert}`, pair), passphrase };
  }
  if (pfx === undefined) return { trust, identity: {}, passphrase };
  const file = fromFolder(pfx);
  const identity = usable(file, 'PKCS #12 with a certificate and its key', { pfx: await read(file), ...opened });
  return { trust, identity, passphrase };
}

async function passphraseOf({ setting, placeOf, folder, env }: NetworkSources): Promise<string | undefined> {
  const text = setting.passphrase;
  if (text === undefined) return undefined;
  const place = await placeOf?.('/network/passphrase');
  const variable = variableOf(text);
  if (variable !== null) return fromEnvironment(variable, env, place);
  const [, name] = /^file:(.+)$/.exec(text) ?? [];
  if (name !== undefined) return (await read(resolve(folder, name))).toString('utf8').replace(/\r?\n$/, '');
  throw new ToolError('config', 'Credentials do not belong into a file of configuration.', {
    place,
    hint: 'Write passphrase: env:NAME, or passphrase: file:PATH.',
  });
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readBounded(file, CERTIFICATES);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

const unfit = (file: string, message: string, hint?: string): ToolError =>
  new ToolError('config', message, { place: { file }, hint });

async function readAuthorities(file: string): Promise<Buffer> {
  const pem = await read(file);
  const blocks =
    pem.toString('latin1').match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END [^-]+-----/g) ?? [];
  if (blocks.length === 0)
    throw unfit(file, 'It holds no certificate in PEM.', 'openssl x509 -inform der makes PEM of DER.');
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch {
      throw unfit(file, 'It holds a certificate that cannot be read.');
    }
  }
  return pem;
}

/** @throws ToolError `config` with OpenSSL's reason if the options are invalid */
function usable(file: string, what: string, options: SecureContextOptions): SecureContextOptions {
  try {
    createSecureContext(options);
    return options;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*::/, '') : String(error);
    const hint =
      options.passphrase === undefined
        ? 'If a passphrase locks it, set network.passphrase: env:NAME, or file:PATH.'
        : 'Check network.passphrase.';
    throw new ToolError('config', `It is not ${what}: ${reason}.`, { place: { file }, hint });
  }
}
