import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Token } from '../../generated/mock/control.ts';
import { count } from '../../src/text/words.ts';
import { change, credentials } from '../control.ts';
import { about, bearerToken, useMockTime } from '../live.ts';
import { Action, Copy } from '../parts/controls.tsx';
import { Field } from '../parts/inputs.tsx';
import { Page, Table } from '../parts/layout.tsx';
import { duration, moment } from '../parts/words.ts';
import { useControl } from './load.ts';

interface Tokens {
  readonly issued: number;
  readonly requests: number;
  readonly tokens: readonly Token[];
}

const MOST = 100;

export function TokensView(): JSX.Element {
  const loaded = useControl<Tokens>('/tokens');
  const times = useSignal('1');
  const now = useMockTime() ?? Date.now();
  const end = (how: 'expire' | 'revoke', jti?: string) => () =>
    change('POST', `/tokens/${how}`, jti === undefined ? {} : { jti });
  return (
    <Page title="Credentials and tokens" intro="This page hides secrets. Copied values go only to the clipboard.">
      <p class="line">
        user <code>{about.value?.username}</code>
        <Copy text={copied} what="user and password">
          Copy credentials
        </Copy>
        <Copy text={bearerToken} what="a fresh token">
          Copy a fresh token
        </Copy>
      </p>
      <h2>All at once</h2>
      <p class="line">
        <Action act={end('expire')} done="Every token has expired">
          Expire all
        </Action>
        <Action act={end('revoke')} done="Every token is revoked">
          Revoke all
        </Action>
        <Field text={times} label="refuse the next" type="number" min="0" />
        <Action
          act={() => change('POST', '/tokens/refuse-next', { count: Number(times.value) })}
          done={`The next ${times.value} with a good token will be answered 401`}
        >
          Refuse
        </Action>
      </p>
      <h2>Issued</h2>
      {loaded && (
        <p class="soft">
          {count(loaded.requests, 'token request')}, {count(loaded.issued, 'token')} issued
        </p>
      )}
      <Table
        class="stacked"
        heads={['token (jti)', 'state', 'left', 'issued', <span class="off-screen">Actions</span>]}
      >
        {(loaded?.tokens ?? []).slice(0, MOST).map(({ jti, state, issuedAt, expiresAt }) => (
          <tr key={jti}>
            <td>
              <code>{jti}</code>
            </td>
            <td>
              <span class={`chip ${state === 'valid' ? 'good' : 'warning'}`}>{state}</span>
            </td>
            <td>{state === 'valid' ? duration((Date.parse(expiresAt) - now) / 1000) : '–'}</td>
            <td>{moment(issuedAt)}</td>
            <td>
              {state === 'valid' && (
                <div class="line">
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
      {(loaded?.tokens.length ?? 0) > MOST && <p class="soft">The newest {MOST} are shown.</p>}
    </Page>
  );
}

async function copied(): Promise<string> {
  const { username, password } = await credentials();
  return `${username}:${password}`;
}
