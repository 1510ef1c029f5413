// Writes src/api: a typed client of the mock's contract, with the queries and mutations of TanStack Query.
import { createClient } from '@hey-api/openapi-ts';
import { startMock } from 'banking-api-contract';

await using mock = await startMock({ seedData: 'rich' });
await createClient({
  input: `${mock.url}/__mock/contract.json`,
  output: 'src/api',
  plugins: [
    { name: '@hey-api/client-fetch', baseUrl: false },
    '@hey-api/typescript',
    '@hey-api/sdk',
    '@tanstack/react-query',
  ],
});
