import { headerOf } from '../answer.ts';
import type { TenantOf } from '../memory.ts';
import type { Payload } from '../payload.ts';
import { isJson } from '../validate-body.ts';
import type { State } from './state.ts';

/**
 * Lets state have its say where a payload is made. An explicit `Prefer` is about the contract, so neither shows nor changes state; a
 * request that only Prism can judge, or an answer of which it makes a part, is put to Prism first.
 */
export function withState(payload: Payload, state: State, tenantOf: TenantOf): Payload {
  return {
    acceptable: payload.acceptable,
    make(operation, parameters, call, body, preference) {
      const byContract = (): ReturnType<Payload['make']> => payload.make(operation, parameters, call, body, preference);
      if (preference) return byContract();
      const request = { tenant: tenantOf(call, parameters), parameters, query: call.query, body };
      if (operation.prismJudges || operation.response.prismMakes) {
        return Promise.resolve(byContract()).then(async (made) => {
          if (made.status >= 300) return made;
          const [type = ''] = headerOf(made, 'content-type')?.split(';', 1) ?? [];
          const answered = await state.answer(operation, request, made);
          // what is no JSON was negotiated, and shows what the contract shows
          return answered && (answered.status >= 300 || isJson(type.trim().toLowerCase())) ? answered : made;
        });
      }
      const answered = state.answer(operation, request);
      if (answered instanceof Promise) return answered.then((late) => late ?? byContract());
      return answered ?? byContract();
    },
  };
}
