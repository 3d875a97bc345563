/** The mark: a globe's meridian. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
    <circle cx="12" cy="12" r="9.200" stroke="currentColor" strokeWidth="1.700" opacity=".38" />
    <path d="M12 2.800c4.300 4.700 4.300 13.700 0 18.400" stroke="currentColor" strokeWidth="1.900" strokeLinecap="round" />
    <circle cx="15.200" cy="12" r="2.500" fill="var(--accent)" />
  </svg>
);
