import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const client = new Client({ name: 'fresh', version: '1' });
const args = ['node_modules/banking-api-contract/bin/banking-api.js', 'mcp', '--target', 'mock'];
await client.connect(new StdioClientTransport({ command: process.execPath, args }));
const { content } = await client.callTool({ name: 'facts', arguments: { operation: 'getCard' } });
if (JSON.parse(content[0].text).status !== 'known') throw new Error(`mcp answered ${content[0].text}`);
await client.close();
