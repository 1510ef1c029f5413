import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ShownToken } from '../../src/mock/tokens/token-authority.ts';
import { change, readSecret } from '../control.ts';
import { about } from '../live.ts';
import { useMockTime } from '../mock-time.ts';
import { Action, Copy } from '../parts/controls.tsx';
import { duration } from '../parts/duration.ts';
import { Field } from '../parts/inputs.tsx';
import { Table } from '../parts/table.tsx';
import { useControl } from './load.ts';

interface Tokens {
  readonly issued: number;
  readonly requests: number;
  readonly tokens: readonly ShownToken[];
}

/** Tokens that are shown; the mock lists more. */
const MOST = 100;

/** What the token endpoint takes, what it issued, and the end of it. */
export function TokensView(): JSX.Element {
  const { value, again } = useControl<Tokens>('/tokens');
  const count = useSignal('1');
  const told = value.value;
  const now = useMockTime() ?? Date.now();
  const end = (how: 'expire' | 'revoke', jti?: string) => async (): Promise<void> => {
    await change('POST', `/tokens/${how}`, jti === undefined ? {} : { jti });
    await again();
  };
  return (
    <div class="page">
      <h1>Credentials and tokens</h1>
      <p>No secret is shown here; what you copy goes to the clipboard only.</p>
      <section class="card pad" aria-label="Credentials">
        <dl class="pairs">
          <dt>user</dt>
          <dd>
            <code>{about.value?.username}</code>
          </dd>
          <dt>password</dt>
          <dd>••••••••</dd>
        </dl>
        <p class="actions">
          <Copy text={async () => credentials()} what="user and password">
            Copy credentials
          </Copy>
          <Copy
            text={async () => (await change<{ access_token: string }>('POST', '/tokens')).access_token}
            what="a fresh token"
          >
            Copy a fresh token
          </Copy>
          <Copy
            text={async () =>
              `Authorization: Bearer ${(await change<{ access_token: string }>('POST', '/tokens')).access_token}`
            }
            what="a header field with a fresh token"
          >
            Copy as header
          </Copy>
        </p>
      </section>
      <h2>All at once</h2>
      <p class="actions">
        <Action act={end('expire')} done="Every token has expired">
          Expire all
        </Action>
        <Action act={end('revoke')} done="Every token is revoked">
          Revoke all
        </Action>
        <Field text={count} label="refuse the next" type="number" min="0" />
        <Action
          act={() => change('POST', '/tokens/refuse-next', { count: Number(count.value) })}
          done={`The next ${count.value} with a good token will be answered 401`}
        >
          Refuse
        </Action>
      </p>
      <h2>Issued</h2>
      {told && (
        <p class="soft">
          {told.requests} token {told.requests === 1 ? 'request' : 'requests'}, {told.issued}{' '}
          {told.issued === 1 ? 'token' : 'tokens'} issued
        </p>
      )}
      <Table
        class="stacked"
        heads={['token (jti)', 'state', 'left', 'issued', <span class="off-screen">Actions</span>]}
      >
        {(told?.tokens ?? []).slice(0, MOST).map(({ jti, state, issuedAt, expiresAt }) => (
          <tr key={jti}>
            <td>
              <code>{jti}</code>
            </td>
            <td>
              <span class={state === 'valid' ? 'code good' : 'code warning'}>{state}</span>
            </td>
            <td class="number">{state === 'valid' ? duration((Date.parse(expiresAt) - now) / 1000) : '–'}</td>
            <td>{issuedAt.replace('T', ' ').slice(0, 19)}</td>
            <td>
              {state === 'valid' && (
                <div class="actions">
                  <Action act={end('expire', jti)} done="It has expired" title={`Expire ${jti}`}>
                    Expire
                  </Action>
                  <Action act={end('revoke', jti)} done="It is revoked" title={`Revoke ${jti}`}>
                    Revoke
                  </Action>
                </div>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {(told?.tokens.length ?? 0) > MOST && <p class="soft">The newest {MOST} are shown.</p>}
    </div>
  );
}

async function credentials(): Promise<string> {
  const { username, password } = await readSecret<{ username: string; password: string }>('/credentials');
  return `${username}:${password}`;
}
