import { classify } from '../../judge/outage/classify.ts';
import { foreignAnswers } from '../../judge/outage/foreign.ts';
import { isGood } from '../../model/call.ts';
import type { DiscoveredInput } from '../../model/report.ts';
import { pick } from '../../schema/schema-facts.ts';
import { createAnnouncer } from '../announce.ts';
import type { Session } from '../session.ts';
import { choose, discoveredInput, mayDiscover } from './discover.ts';
import { shownIn } from './shown.ts';

/**
 * If a list shows that a configured id is gone, repeats the reads that failed with an id of that list. Their checks stay
 * inconclusive: the configuration is wrong.
 */
export async function replaceGone(session: Session): Promise<Session> {
  const { target, calls, options, inputs, breaker, isPublic, makeCall } = session;
  const { contract, parameters } = target;
  if (options.discover === false || target.embedded) return session;
  const missed = [...classify(calls, contract, foreignAnswers(calls, contract))].flatMap(([call, judgement]) =>
    judgement.kind === 'inconclusive' && judgement.why.kind === 'ids-gone' ? [{ call, ...judgement.why }] : [],
  );
  const operations = new Set(missed.flatMap(({ call }) => contract.operation(call.operationId) ?? []));
  const found: DiscoveredInput[] = [];
  const replaced: Record<string, string> = {};
  for (const name of new Set(missed.flatMap(({ names }) => names))) {
    const parameter = [...operations].flatMap((one) => one.parameters).find((one) => one.name === name);
    for (const from of new Set(missed.flatMap(({ lists }) => lists))) {
      const operation = contract.operation(from);
      const call = calls.findLast((one) => one.operationId === from && isGood(one));
      if (operation === undefined || call === undefined || parameter === undefined || name in replaced) continue;
      const { values } = shownIn(call, { operation, place: { kind: 'items' } }, parameter, isPublic);
      const value = choose(values, options);
      if (value === undefined || parameters[name] === undefined) continue;
      replaced[name] = value;
      found.push(discoveredInput(name, from, value, options));
    }
  }
  const isStale = (name: string): boolean => missed.some(({ names }) => names.includes(name));
  const filled: Session['target'] = { ...target, parameters: { ...parameters, ...replaced } };
  const announce = createAnnouncer(
    { ...session, target: filled },
    pick(parameters, (name) => !isStale(name)),
  );
  for (const operation of operations) {
    const isWhole = operation.parameters.every(({ name }) => !isStale(name) || name in replaced);
    const { operationId } = operation;
    const { calls: announced, skip } = announce({ id: 'run.discovery', operationId });
    const [read] = announced;
    if (!isWhole || !mayDiscover(operation) || skip !== null || read === undefined) continue;
    if (breaker.openFor(operationId) === null) await makeCall({ ...read, checkId: null });
  }
  return found.length === 0 ? session : { ...session, inputs: { ...inputs, found: [...inputs.found, ...found] } };
}
