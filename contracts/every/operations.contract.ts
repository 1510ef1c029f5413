import { checkOperations } from './operations.ts';

checkOperations(false);
