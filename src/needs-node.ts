/** Each entry imports this first. On an older Node, it throws a clear error before another import fails without one. */
import { ToolError } from './errors.ts';
import { nodeTooOld } from './node-floor.ts';

const said = nodeTooOld();
if (said !== undefined) throw new ToolError('node-too-old', said);
