import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Contract } from '../contract/contract.ts';
import { SAFE } from '../contract/effects.ts';
import type { Reached } from '../contract/paths.ts';
import { bodyNamesMethod, methodsNamed } from '../egress/override.ts';
import { createPolicy, type PolicySettings } from '../egress/policy.ts';
import type { Exchange } from '../model/exchange.ts';
import { reasonText } from '../model/reason.ts';
import { createHostRule, isLoopbackOrigin } from '../net/host.ts';
import { readBody } from '../net/response.ts';
import { callOf } from './calls.ts';
import { announcesBody } from './headers.ts';
import { type ProxyProblem, proxyProblem } from './problem.ts';

/**
 * Decides who may use the proxy. Rejects pages of other origins, and any Host except loopback names and the bound
 * address (against DNS rebinding). Returns path and query as sent, or the problem.
 *
 * @param host the bound address
 */
export function createEntryCheck(host: string): (request: IncomingMessage) => string | ProxyProblem {
  const wrongHost = createHostRule(host);
  return ({ url = '/', headers: { origin, upgrade }, headersDistinct, httpVersion }) => {
    const given = headersDistinct.host ?? [];
    if (given.length > 1) return proxyProblem(400, 'bad-request', 'there is more than one Host field');
    const absolute = /^https?:\/\/([^/?#]*)\/?(.*)$/is.exec(url);
    const authority = absolute?.[1] ?? given[0];
    const target = absolute === null ? url : `/${absolute[2]}`;
    const wrong = authority === undefined ? null : wrongHost(authority);
    if (wrong === 'malformed') return proxyProblem(400, 'bad-request', 'the Host field is malformed');
    if (wrong === 'refused') {
      return proxyProblem(421, 'host-refused', 'only loopback names and the bound address are answered');
    }
    if (authority === undefined && httpVersion !== '1.0')
      return proxyProblem(400, 'bad-request', 'the Host field is missing');
    if (!target.startsWith('/') && target !== '*')
      return proxyProblem(400, 'bad-request', 'the request target is not a path');
    if (origin !== undefined && !isLoopbackOrigin(origin)) {
      return proxyProblem(403, 'origin-refused', 'only pages of loopback origins may send requests');
    }
    // A client that offers h2c (for example Java's) also works without it. A client that wants a WebSocket does not.
    if (upgrade !== undefined && !/^\s*(?:h2c|http\/2(?:\.0)?)\s*$/i.test(upgrade)) {
      return proxyProblem(501, 'no-upgrade', 'requests to change the protocol are not passed on');
    }
    return target;
  };
}

/** Bytes of a body that are searched. A read with a larger body is rejected. */
const LARGEST_BODY = 1024 * 1024;
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i;

export interface Admission {
  readonly refusal: string | null;
  readonly requestBody?: Uint8Array;
}

/** Searches the body of a read for a member that names another method. */
async function admitBody(request: IncomingMessage): Promise<Admission> {
  const { bytes, state } = await readBody(request, undefined, LARGEST_BODY);
  if (state !== 'complete') return { refusal: `the body of a read does not end within ${LARGEST_BODY} bytes` };
  const body = await readBody(Readable.from([bytes]), request.headers['content-encoding'], LARGEST_BODY);
  if (body.state !== 'complete') return { refusal: 'the body of a read cannot be decoded' };
  return bodyNamesMethod(body.bytes)
    ? { refusal: 'the body names another method (_method)' }
    : { refusal: null, requestBody: bytes };
}

/** Applies the effects policy of a run to every request. The method decides if no operation matches. */
export function createEffectsGate(contract: () => Contract, settings: PolicySettings) {
  const policy = createPolicy(contract, settings);

  function refusalOf(method: string, target: string, reached: Reached | null): string | null {
    if (reached === null) {
      const stray = policy.refuseStray(method, target);
      return stray && `${reasonText(stray)} (no operation of the contract matches it)`;
    }
    const { operationId } = reached.operation;
    const refusal = policy.refuse({ operationId, purpose: 'succeed', method, target });
    return refusal && reasonText(refusal);
  }

  /** A request that names another method needs the permission for it. A form may name DELETE, but is not parsed yet. */
  function overrideRefusal(
    { headers, method }: IncomingMessage,
    target: string,
    reached: Reached | null,
  ): string | null {
    for (const other of methodsNamed(Object.entries(headers), target)) {
      const refusal = refusalOf(other, target, null);
      if (refusal !== null) return refusal;
    }
    const isForm = method === 'POST' && FORM.test(headers['content-type'] ?? '');
    const takesForm = reached?.operation.requestBody?.content.some(({ type }) => FORM.test(type)) === true;
    const refusal = isForm && !takesForm ? refusalOf('DELETE', target, null) : null;
    return refusal && `a form can name another method: ${refusal}`;
  }

  /** Paths may overlap, so every operation that may receive the request counts. */
  function isRead(method: string, target: string, reached: Reached | null): boolean {
    if (reached === null) return SAFE.has(method);
    const operations = policy.reach(target)?.filter(({ operation }) => operation.method === method) ?? [];
    return operations.every(({ operation }) => operation.effect === 'read');
  }

  return {
    async admit(
      request: IncomingMessage,
      response: ServerResponse,
      target: string,
      reached: Reached | null,
    ): Promise<Admission> {
      const { method: given = 'GET' } = request;
      const method = given === 'HEAD' ? 'GET' : given;
      const refusal = refusalOf(method, target, reached);
      if (refusal !== null || settings.embedded) return { refusal };
      const override = overrideRefusal(request, target, reached);
      if (override !== null) return { refusal: override };
      if (!announcesBody(request) || !isRead(method, target, reached)) return { refusal: null };
      if (request.headers.expect !== undefined) response.writeContinue();
      return admitBody(request);
    },
    /** Records known ids and newly created ones. Destructive calls may use the new ones. */
    note(exchange: Exchange, reached: Reached | null): void {
      if (settings.allow !== 'destructive') return;
      const stray = { operationId: '', auth: 'none', parameters: {}, attempts: [exchange] } as const;
      policy.creations.note(reached === null ? stray : callOf(exchange, reached, contract()), {});
    },
  };
}
