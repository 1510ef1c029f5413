import { done, InputError, members, ok, text } from '../input.ts';
import type { Routes } from '../route.ts';

/** Health, reset, state and clock. */
export const mockRoutes: Routes = (controls) => {
  const { clock, state } = controls;
  const time = (): object => ({ now: new Date(clock.now()).toISOString(), moved: clock.moved });
  return [
    {
      method: 'GET',
      path: '/health',
      answer() {
        const { contract, reloads, problem } = controls.status();
        return ok({
          status: problem ? 'stale' : 'ok',
          url: controls.url(),
          uptime: Math.round((Date.now() - controls.startedAt) / 1000),
          contract,
          reloads,
          problem,
          clock: time(),
          scenarios: controls.scenarios.active().map(({ name }) => name),
          exchanges: controls.journal.size,
        });
      },
    },
    {
      method: 'POST',
      path: '/reset',
      async answer({ body }) {
        members(body, []);
        await controls.reset();
        return done();
      },
    },
    { method: 'GET', path: '/clock', answer: () => ok(time()) },
    {
      method: 'PUT',
      path: '/clock',
      answer({ body }) {
        const now = text(members(body, ['now']), 'now', 40);
        if (now === undefined) throw new InputError('/now', 'is required: an ISO 8601 date-time');
        clock.set(now);
        return ok(time());
      },
    },
    {
      method: 'POST',
      path: '/clock/advance',
      answer({ body }) {
        const { seconds } = members(body, ['seconds']);
        if (typeof seconds !== 'number') throw new InputError('/seconds', 'must be a number');
        clock.advance(seconds);
        return ok(time());
      },
    },
    {
      method: 'GET',
      path: '/state',
      there: state !== undefined,
      async answer({ query }) {
        const name = controls.plan().tenant?.name;
        const tenant = name === undefined ? '' : query.get(name);
        if (name !== undefined && !tenant)
          throw new InputError(`/${name}`, 'is required: everyone has records of their own');
        const { createRedactor } = await import('../../../http/redact.ts');
        const redactor = createRedactor();
        redactor.learnNames(controls.plan().secrets);
        return ok({
          ...(name === undefined ? {} : { [name]: tenant }),
          records: redactor.json(await state?.(tenant ?? '')),
        });
      },
    },
  ];
};
