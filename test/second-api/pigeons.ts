import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import type { Change } from './stand-in.ts';

/** The contract folder of the second API. */
export const FOLDER: string = join(packageRoot, 'examples/second-api');

/** Drift of its sandbox: documented facts first, then facts that only a recording reveals. */
export const DRIFT: readonly Change[] = [
  { operation: 'fetchToken', edit: (token) => delete token.expires_in },
  { operation: 'readPigeon', edit: (pigeon) => (pigeon.plumage = 'GREEN') },
  { operation: 'readFlyingWeather', edit: (weather) => (weather.mayFly = 'yes') },
  { operation: 'listLofts', refuses: 'nothing' },
  { operation: 'sendLetter', refuses: 'nothing' },
  { operation: 'readFlightOfOld', status: 404 },
  {
    operation: 'readLetter',
    edit(letter) {
      letter.recipient = letter.addressee;
      delete letter.addressee;
    },
  },
];
