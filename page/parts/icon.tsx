import type { JSX } from 'preact';

const PATHS = {
  journal: 'M4 6h16M4 12h16M4 18h10',
  scenarios: 'M5 4v16M5 5h12l-2 4 2 4H5',
  state: 'M4 7c0-4 16-4 16 0v10c0 4-16 4-16 0zM4 7c0 4 16 4 16 0M4 12c0 4 16 4 16 0',
  tokens: 'M3.5 15.5a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M11.3 12.3L20 3.5M16 7.5l3 3',
  clock: 'M12 3a9 9 0 1 0 .01 0M12 7v5l4 2',
  reference: 'M5 4h11l3 3v13H5zM9 10h6M9 14h6',
  audit: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  webhooks:
    'M12 3.5a3 3 0 1 0 .01 0M6 14.5a3 3 0 1 0 .01 0M18 14.5a3 3 0 1 0 .01 0M10.6 9.1L7.5 14.9M13.4 9.1l3.1 5.8M9 17.5h6',
  reset: 'M5 5v5h5M5.5 10A8 8 0 1 1 4 13',
  back: 'M14 5l-7 7 7 7',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
