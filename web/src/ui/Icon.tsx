/** Icons of the shell and the tabs, on a 24 px grid with a 1.75 px stroke; those of later screens are in `icons.ts`. */
const PATHS = {
  menu: 'M4 7h16M4 12h11M4 17h16',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  more: 'M6 12h.1M12 12h.1M18 12h.1',
  search: 'M17.500 11a6.500 6.500 0 11-13 0 6.500 6.500 0 0113 0zM16 16l4 4',
  bell: 'M6 16.500V11a6 6 0 0112 0v5.500l1.500 1.500h-15L6 16.500zM10 20.500h4',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM14.800 12a2.800 2.800 0 11-5.600 0 2.800 2.800 0 015.600 0z',
  eyeOff: 'M4 4l16 16M9.500 6c.8-.3 1.600-.5 2.500-.5 6 0 9.500 6.500 9.500 6.500a16 16 0 01-2.800 3.500M6.300 8C3.800 9.800 2.500 12 2.500 12S6 18.500 12 18.500c1.500 0 2.900-.4 4-1',
  star: 'M12 4l2.400 5.100 5.600.7-4.100 3.900 1 5.500L12 16.500l-4.900 2.700 1-5.500L4 9.800l5.600-.7z',
  deposit: 'M12 4v11M7.500 11l4.500 4.500 4.500-4.500M5 20h14',
  withdraw: 'M12 16V5M7.500 9L12 4.500 16.500 9M5 20h14',
  transfer: 'M5 9h13l-3.500-3.500M19 15H6l3.500 3.500',
  refresh: 'M19.500 12a7.500 7.500 0 11-2.300-5.400L19.500 9M19.500 4.500V9H15',
  pause: 'M9 6v12M15 6v12',
  info: 'M20 12a8 8 0 11-16 0 8 8 0 0116 0zM12 11.500v4.500M12 8v.2',
  warn: 'M12 4.500l8.500 15h-17zM12 10.500v4M12 17v.2',
  lock: 'M7.200 10.500h9.600a2.200 2.200 0 012.200 2.200v5.100a2.200 2.200 0 01-2.200 2.200H7.200A2.200 2.200 0 015 17.800v-5.100a2.200 2.200 0 012.200-2.200zM8 10.500V8a4 4 0 018 0v2.500',
  home: 'M4 11l8-6.500 8 6.500v8a1 1 0 01-1 1h-4.500v-5.500h-5V20H5a1 1 0 01-1-1z',
  trade: 'M8 4v3M8 16v4M16 4v4M16 15v5M6.700 7h2.600a1.200 1.200 0 011.200 1.200v6.600A1.200 1.200 0 019.300 16H6.700a1.200 1.200 0 01-1.200-1.200V8.200A1.200 1.200 0 016.700 7zM14.700 8h2.600a1.200 1.200 0 011.200 1.200v4.600a1.200 1.200 0 01-1.200 1.200h-2.600a1.200 1.200 0 01-1.200-1.200V9.200A1.200 1.200 0 0114.700 8z',
  option: 'M19.500 13a7.500 7.500 0 11-15 0 7.500 7.500 0 0115 0zM12 9v4l2.500 1.500M9.500 2.500h5',
  plans: 'M6.500 5.500h11A2.500 2.500 0 0120 8v9.500a2.500 2.500 0 01-2.500 2.500h-11A2.500 2.500 0 014 17.500V8a2.500 2.500 0 012.500-2.500zM4 10h16M8.500 3v4M15.500 3v4M8.500 15.500l2 1.500 4.500-4',
  assets: 'M4 8a2.500 2.500 0 012.500-2.500H17A1.500 1.500 0 0118.500 7v1.500M6.500 8.500H18a2.500 2.500 0 012.500 2.500v6a2.500 2.500 0 01-2.500 2.500H6.500A2.500 2.500 0 014 17V8M15.500 14h1.500',
} as const;
/** An icon of the shell by its name, or the path of another. */
export type IconName = keyof typeof PATHS | `M${string}`;
const pathOf = (name: IconName): string => (name in PATHS ? PATHS[name as keyof typeof PATHS] : name);

interface Props {
  name: IconName;
  size?: 14 | 16 | 18 | 20 | 24 | 32;
  /** Tints the shape, for the active tab and a selected star. */
  filled?: boolean;
  className?: string;
}

export function Icon({ name, size = 24, filled = false, className }: Props) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      fillOpacity={filled ? 0.18 : undefined}
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.6 : size <= 16 ? 2 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={pathOf(name)} />
    </svg>
  );
}
