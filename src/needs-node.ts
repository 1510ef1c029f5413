/** Imported first by each entry that does not run on an older Node: it says so, where the next import would fail without a reason. */
import { ToolError } from './errors.ts';
import { nodeTooOld } from './node-floor.ts';

const said = nodeTooOld();
if (said !== undefined) throw new ToolError('node-too-old', said);
