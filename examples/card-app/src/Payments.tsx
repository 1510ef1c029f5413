import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createTransactionMutation,
  getAccountsOptions,
  getBeneficiariesOptions,
  getTransactionOptions,
} from './api/@tanstack/react-query.gen';
import { Problem } from './Problem';

export function Payments({ path }: { readonly path: { customerId: string; clientId: string } }) {
  const { customerId } = path;
  const queries = useQueryClient();
  const [transactionId, setPaid] = useState('');
  const accounts = useQuery(getAccountsOptions({ path, query: { status: 'ACTIVE', currency: 'GBP', size: 1 } }));
  const beneficiaries = useQuery(getBeneficiariesOptions({ path, query: { currency: 'GBP' } }));
  const payment = useQuery({
    ...getTransactionOptions({ path: { customerId, transactionId } }),
    enabled: transactionId !== '',
  });
  const pay = useMutation({
    ...createTransactionMutation(),
    onSuccess(made) {
      setPaid(made.transactionId ?? '');
      return queries.invalidateQueries();
    },
  });
  const account = accounts.data?.[0];
  const submit = (form: FormData) =>
    pay.mutate({
      path,
      body: {
        ...(account?.accountId && { accountId: account.accountId }),
        beneficiaryId: String(form.get('beneficiary')),
        amount: Number(form.get('amount')),
        currency: 'GBP',
      },
    });
  return (
    <form action={submit} aria-label="Pay">
      <Problem of={accounts.error ?? beneficiaries.error ?? payment.error ?? pay.error} />
      <p>
        Balance of {account?.name}: <output aria-label="Balance">{account?.balance}</output>
      </p>
      <label>
        To{' '}
        <select name="beneficiary">
          {beneficiaries.data?.map(({ beneficiaryId, name }) => (
            <option key={beneficiaryId} value={beneficiaryId}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Amount <input name="amount" type="number" step="0.01" required />
      </label>
      <button type="submit">Pay</button>
      {payment.data && <output aria-label="Payment">{payment.data.status}</output>}
    </form>
  );
}
