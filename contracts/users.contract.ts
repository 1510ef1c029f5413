import { answers } from './support/operations.ts';

answers('users', 'createUser');
