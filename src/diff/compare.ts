import type { Contract, Operation } from '../contract/contract.ts';
import type { Side } from '../judge/given.ts';
import { answerSchemas, isRecorded } from '../judge/responses.ts';
import { outermost, type Rebuilt } from '../judge/rules/rebuilt.ts';
import { type Choice, look, type Pair, pairsAt, type Remark, type Sides, type Wanted } from './look.ts';

/**
 * Compares all that a schema of the later side lets an operation answer with what the earlier side knows of such an answer: what the
 * rules would say of all these answers, found by walking the schemas of the two sides place by place.
 *
 * @param operation of the earlier side
 * @param pause called after every place; true where the comparison ends with what is known
 * @param given pointers in the bundle of the later side of the schemas of the answer; none where it shows none
 */
export async function compareAnswers(
  before: Contract,
  after: Side,
  operation: Operation,
  status: number,
  given: readonly string[],
  pause: () => Promise<boolean>,
): Promise<readonly Remark[]> {
  const sides: Sides = { before, after, operation, recorded: isRecorded(before, operation, status) };
  const wanted = answerSchemas(before, operation, status).map(({ schema: root, ofItems }): Wanted => {
    return { root, must: ofItems ? [] : [root], may: [], list: ofItems ? 'here or inside' : null };
  });
  const next = pairsAt(sides, { at: '', wanted, only: null, bare: false }, given);
  const walk = new Walk(sides);
  for (const pair of next) if (await walk.run(pair, pause)) break;
  return withoutExplained(walk.remarks);
}

/** Rules that say nothing of a place that another difference explains. */
const OF_FIELDS: readonly string[] = [
  'required-missing',
  'type-contradicted',
  'unrecorded-field',
  'undocumented-field',
];

function withoutExplained(remarks: readonly Remark[]): readonly Remark[] {
  const rebuilt = remarks.flatMap(({ rule, observation, explains }): Rebuilt[] =>
    explains === undefined ? [] : [{ rule: rule as Rebuilt['rule'], observation, explains }],
  );
  const explained = new Set(rebuilt.flatMap(({ explains }) => explains));
  const others = remarks.filter(
    ({ rule, observation, explains }) =>
      explains === undefined && !(OF_FIELDS.includes(rule) && explained.has(observation.pointer)),
  );
  return [...outermost(rebuilt).map((one): Remark => ({ ...one, certainty: 'differs' })), ...others];
}

/** Yields the pairs that must be visited before it goes on, and is given what became of each. */
type Visit = Generator<Pair, number, number>;

/**
 * Looks at each pair of schemas at each place where it stands; not below itself, and never again once all is well with it. So the steps
 * are as many as there is to read and to tell, and a schema that contains itself comes to an end. Pairs that lead back to each other
 * make a knot (found as Tarjan does), in which each is told once for each way into it.
 */
class Walk {
  remarks: Remark[] = [];
  private readonly sides: Sides;
  /** Pairs with which all is well, down to the last that they lead to. */
  private readonly well = new Set<string>();
  /** Bare pairs that do not fit, with something that says so. */
  private readonly unfit = new Map<string, Remark>();
  /** Pairs whose knots are still open, and the place in this list of the first that each leads back to. */
  private readonly open: string[] = [];
  private readonly back = new Map<string, number>();

  constructor(sides: Sides) {
    this.sides = sides;
  }

  /** Visits a pair, and each that a visit asks for, with a stack of its own: schemas may be deeper than that of the process. True where it was ended. */
  async run(pair: Pair, pause: () => Promise<boolean>): Promise<boolean> {
    const visits = [this.visit(pair)];
    let back = Number.POSITIVE_INFINITY;
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const step = visit.next(back);
      if (step.done !== true) visits.push(this.visit(step.value));
      else {
        visits.pop();
        back = step.value;
      }
      if (await pause()) return true;
    }
    return false;
  }

  /** Gives the place among the open pairs of the first that a pair leads back to. */
  private *visit(pair: Pair): Visit {
    const key = JSON.stringify([pair.wanted, pair.given, pair.only, pair.bare]);
    if (this.well.has(key)) return Number.POSITIVE_INFINITY;
    const known = this.back.get(key);
    if (known !== undefined) return known;
    const unfit = this.unfit.get(key);
    if (unfit !== undefined) {
      this.remarks.push(unfit);
      return Number.POSITIVE_INFINITY;
    }
    const own = this.open.push(key) - 1;
    this.back.set(key, own);
    const before = this.remarks.length;

    const looked = look(this.sides, pair);
    for (const remark of looked.remarks) this.remarks.push(remark);
    let first = own;
    for (const choice of looked.choices) first = Math.min(first, yield* this.decide(choice));
    for (const next of looked.next) first = Math.min(first, yield next);
    this.back.set(key, first);

    const isWell = this.remarks.length === before;
    const [worst] = pair.bare && !isWell ? this.remarks.slice(before).sort(byCertainty) : [];
    if (worst !== undefined) this.unfit.set(key, worst);
    if (first !== own) return first;
    const knot = this.open.splice(own);
    for (const member of knot) this.back.delete(member);
    // Within a knot a pair is taken to fit until it is known not to; then what was taken from that is looked at again.
    if (isWell && knot.some((member) => this.unfit.has(member))) return yield pair;
    if (isWell) for (const member of knot) this.well.add(member);
    return Number.POSITIVE_INFINITY;
  }

  /** Tells of a choice that none of its branches fits, or that none does for certain. */
  private *decide({ branches, ...remark }: Choice): Visit {
    const outer = this.remarks;
    let first = Number.POSITIVE_INFINITY;
    let isClear = true;
    for (const branch of branches) {
      this.remarks = [];
      first = Math.min(first, yield branch);
      const [worst] = this.remarks.sort(byCertainty);
      this.remarks = outer;
      if (worst === undefined) return first;
      if (worst.certainty !== 'differs') isClear = false;
    }
    this.remarks.push(isClear ? { ...remark, certainty: 'differs' } : remark);
    return first;
  }
}

function byCertainty(a: Remark, b: Remark): number {
  return Number(b.certainty === 'differs') - Number(a.certainty === 'differs');
}
