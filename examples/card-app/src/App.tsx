import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getClientsOptions } from './api/@tanstack/react-query.gen';
import { Cards } from './Cards';
import { IssueCard } from './IssueCard';
import { Payments } from './Payments';
import { Problem } from './Problem';

const customerId = 'cust-1001';

export function App() {
  const queries = useQueryClient();
  const companies = useQuery(getClientsOptions({ path: { customerId } }));
  const [chosen, setChosen] = useState<string>();
  const clientId = chosen ?? companies.data?.[0]?.clientId;
  return (
    <main>
      <h1>Cards</h1>
      <button type="button" onClick={() => void queries.invalidateQueries()}>
        Refresh
      </button>
      <Problem of={companies.error} />
      <label>
        Company{' '}
        <select value={clientId} onChange={({ target }) => setChosen(target.value)}>
          {companies.data?.map((company) => (
            <option key={company.clientId} value={company.clientId}>
              {company.name}
            </option>
          ))}
        </select>
      </label>
      {clientId && (
        <>
          <Cards key={clientId} path={{ customerId, clientId }} />
          <IssueCard path={{ customerId, clientId }} />
          <Payments key={`payments of ${clientId}`} path={{ customerId, clientId }} />
        </>
      )}
    </main>
  );
}
