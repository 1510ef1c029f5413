export { didYouMean, suggest } from '../suggest.ts';
