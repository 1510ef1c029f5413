import { checkOperations } from './operations.ts';

// What removes something comes last of all, from the smallest to the largest: what is removed cannot be asked for.
checkOperations(true);
