/** Four stars and the lines between them. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M5 16.5L9.5 6.5 18.5 9M9.5 6.5L15 17.5 18.5 9M5 16.5L15 17.5" strokeWidth="1.3" opacity=".6" />
      <g fill="currentColor" stroke="none">
        <circle cx="5" cy="16.5" r="2.3" />
        <circle cx="9.5" cy="6.5" r="2.7" />
        <circle cx="18.5" cy="9" r="2" />
        <circle cx="15" cy="17.5" r="2.3" />
      </g>
    </svg>
  );
}
