import react from '@vitejs/plugin-react';
import { bankingMock } from 'banking-api-contract/vite';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [react(), bankingMock({ seedData: 'rich', token: true }), webhooks()],
});

/** Receives webhooks at `/hooks`, as a backend would, and passes them on to the open pages. */
function webhooks(): Plugin {
  return {
    name: 'webhooks',
    apply: 'serve',
    configureServer({ middlewares, ws }) {
      middlewares.use('/hooks', async (request, response) => {
        let text = '';
        for await (const chunk of request) text += chunk;
        ws.send('bank:event', JSON.parse(text));
        response.writeHead(204).end();
      });
    },
  };
}
