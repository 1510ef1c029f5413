import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a private CA (`ca.pem`) in a folder, and another CA (`other.pem`). The first one has certificates for
 * `bank.test` and 127.0.0.1 (`server`), an expired one (`expired`), and one for a client. The client has `client`,
 * its key encrypted with `open` in `locked.key`, and both in `client.pfx`.
 */
export function makePki(folder: string): void {
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const filesOf = (name: string, kind: string) => [
    ...['-keyout', `${name}.key`],
    ...['-out', `${name}.${kind}`, '-subj', `/CN=${name}`],
  ];
  const authority = (name: string): void => openssl('req', '-x509', ...key, ...filesOf(name, 'pem'), '-days', '2');
  const leaf = (name: string, extension: string, ...dates: string[]): void => {
    openssl('req', ...key, ...filesOf(name, 'csr'));
    writeFileSync(join(folder, `${name}.ext`), extension);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...by, ...dates);
  };
  authority('ca');
  authority('other');
  leaf('server', 'subjectAltName=DNS:bank.test,IP:127.0.0.1', '-days', '2');
  leaf('expired', 'subjectAltName=DNS:bank.test', '-days', '-1');
  leaf('client', 'extendedKeyUsage=clientAuth', '-days', '2');
  openssl('pkey', '-in', 'client.key', '-aes256', '-passout', 'pass:PLANTED-open', '-out', 'locked.key');
  const pkcs12 = ['pkcs12', '-export', '-out', 'client.pfx', '-passout', 'pass:PLANTED-open'];
  openssl(...pkcs12, '-inkey', 'client.key', '-in', 'client.pem');
}
