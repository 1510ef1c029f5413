import type { Meta, StoryObj } from '@storybook/react-vite';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Cards } from './Cards';

const meta: Meta<typeof Cards> = {
  component: Cards,
  args: { path: { customerId: 'cust-1001', clientId: 'client-2001' } },
  decorators: [
    (Story) => (
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Story />
      </QueryClientProvider>
    ),
  ],
};
export default meta;

export const FirstPage: StoryObj<typeof Cards> = {};
export const UnknownCompany: StoryObj<typeof Cards> = {
  args: { path: { customerId: 'cust-1001', clientId: 'nobody' } },
};
