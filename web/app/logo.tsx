/** The logo: a K in a frame. */
export function Logo() {
  return (
    <svg
      width={22}
      height={22}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect x="2.5" y="2.5" width="19" height="19" rx="5" />
      <path d="M8.75 7.5v9M15.25 7.5l-6.5 5.2M11 11l4.25 5.5" />
    </svg>
  )
}
