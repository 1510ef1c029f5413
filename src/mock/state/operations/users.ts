import type { Credential, UserRecord } from '../kinds.ts';
import {
  type Asked,
  freshId,
  type Given,
  isRefusal,
  named,
  notFound,
  randomFor,
  type StateOperation,
  type StateOperations,
  text,
} from '../operation.ts';
import type { Draft } from '../records.ts';

const FIRST = ['Amelia', 'Jonas', 'Priya', 'Tomasz', 'Leila', 'Marco', 'Ingrid', 'Samuel'] as const;
const LAST = ['Whitfield', 'Brandt', 'Nair', 'Kowalski', 'Haddad', 'Rossi', 'Lindqvist', 'Okafor'] as const;

function letters(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^A-Za-z0-9]/g, '');
  return plain === '' ? 'user' : plain.toLowerCase();
}

/** A username for who sends none: `mary.ashworth`. */
function usernameOf({ firstName, lastName }: UserRecord): string {
  return `${letters(firstName)}.${letters(lastName)}`;
}

/** Only that a credential was made is kept, never what it is. */
function credential(kind: Credential): StateOperation {
  return {
    needs: ['userId'],
    run(draft: Draft, asked: Asked): Given {
      const user = named(draft, 'user', asked);
      if (isRefusal(user)) return user;
      const { userId } = user;
      if (!user.credentials?.[kind])
        draft.put('user', userId, { ...user, credentials: { ...user.credentials, [kind]: true } });
      const username = kind === 'USERNAME' ? { username: text(asked.body, 'username') ?? usernameOf(user) } : {};
      return { value: { userId, credential: kind, ...username, created: true } };
    },
  };
}

export const USER_OPERATIONS: StateOperations = {
  createUser: {
    needs: ['clientId'],
    run(draft, asked, scene) {
      const { parameters, body } = asked;
      const { clientId = '' } = parameters;
      if (!draft.get('client', clientId)) return notFound('client', 'clientId');
      const random = randomFor(draft, 'user', asked, scene);
      const userId = freshId(draft, 'user', 'user', random);
      const firstName = text(body, 'firstName') ?? random.oneOf(FIRST);
      const lastName = text(body, 'lastName') ?? random.oneOf(LAST);
      const user: UserRecord = {
        userId,
        clientId,
        firstName,
        lastName,
        email: text(body, 'email') ?? `${letters(firstName)}.${letters(lastName)}@example.com`,
        // a range that is reserved for fiction
        phone: text(body, 'phone') ?? `+44207946${random.digits(4).replace(/^./, '0')}`,
        status: 'ACTIVE',
      };
      return { kind: 'user', one: draft.put('user', userId, user) };
    },
  },
  createUsername: credential('USERNAME'),
  createSecurityQuestions: credential('SECURITY_QUESTIONS'),
  createSecurityCode: credential('SECURITY_CODE'),
  createPassword: credential('PASSWORD'),
};
