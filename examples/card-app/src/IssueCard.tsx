import { useMutation, useQueryClient } from '@tanstack/react-query';
import { issueNewCardMutation } from './api/@tanstack/react-query.gen';
import { Problem } from './Problem';

export function IssueCard({ path }: { readonly path: { customerId: string; clientId: string } }) {
  const queries = useQueryClient();
  const issue = useMutation({ ...issueNewCardMutation(), onSuccess: () => queries.invalidateQueries() });
  const submit = (form: FormData) =>
    issue.mutate({
      path: { customerId: path.customerId },
      body: {
        clientId: path.clientId,
        alias: String(form.get('alias')),
        currency: form.get('currency') === 'EUR' ? 'EUR' : 'GBP',
        cardLimitDaily: Number(form.get('limit')),
      },
    });
  return (
    <form action={submit} aria-label="Issue a card">
      <Problem of={issue.error} />
      {issue.isSuccess && <output>{issue.data.alias} is issued.</output>}
      <label>
        Alias <input name="alias" required />
      </label>
      <label>
        Currency{' '}
        <select name="currency">
          <option>GBP</option>
          <option>EUR</option>
        </select>
      </label>
      <label>
        Daily limit <input name="limit" type="number" defaultValue={500} />
      </label>
      <button type="submit">Issue</button>
    </form>
  );
}
