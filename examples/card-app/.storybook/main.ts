import type { StorybookConfig } from '@storybook/react-vite';

// Storybook reads vite.config.ts, so the mock is there, too.
const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: ['../src/*.stories.tsx'],
  core: { disableTelemetry: true },
};
export default config;
