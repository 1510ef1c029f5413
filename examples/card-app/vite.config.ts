import react from '@vitejs/plugin-react';
import { bankingMock } from 'banking-api-contract/vite';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [react(), bankingMock({ seedData: 'rich', token: true }), webhooks()],
});

/** Receives webhooks at `/hooks`, as a backend would, and tells the open pages to read again. */
function webhooks(): Plugin {
  return {
    name: 'webhooks',
    apply: 'serve',
    configureServer({ middlewares, ws }) {
      middlewares.use('/hooks', (request, response) => {
        request.resume();
        ws.send('bank:event');
        response.writeHead(204).end();
      });
    },
  };
}
