import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { activateCardMutation, listClientCardsOptions, suspendCardMutation } from './api/@tanstack/react-query.gen';
import { Problem } from './Problem';

const size = 3;

export function Cards({ path }: { readonly path: { customerId: string; clientId: string } }) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries();
  const [page, setPage] = useState(1);
  const cards = useQuery({
    ...listClientCardsOptions({ path, query: { page, size, sort: ['alias', 'cardId'] } }),
    placeholderData: keepPreviousData,
  });
  const suspend = useMutation({ ...suspendCardMutation(), onSuccess });
  const activate = useMutation({ ...activateCardMutation(), onSuccess });
  return (
    <section aria-label="Cards">
      <Problem of={cards.error ?? suspend.error ?? activate.error} />
      <table>
        <tbody>
          {cards.data?.map(({ cardId = '', alias, maskedNumber, status }) => (
            <tr key={cardId}>
              <td>{alias}</td>
              <td>{maskedNumber}</td>
              <td>{status}</td>
              <td>
                <button
                  type="button"
                  onClick={() =>
                    (status === 'ACTIVE' ? suspend : activate).mutate({ path: { customerId: path.customerId, cardId } })
                  }
                >
                  {status === 'ACTIVE' ? 'Suspend' : 'Activate'}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>
        Previous
      </button>{' '}
      Page {page}{' '}
      <button type="button" disabled={(cards.data?.length ?? 0) < size} onClick={() => setPage(page + 1)}>
        Next
      </button>
    </section>
  );
}
