/** The product's mark: a closed ring around one point. `size` is its width and height in pixels. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--ink)" />
      <circle cx="16" cy="16" r="9" fill="none" stroke="var(--bg)" strokeWidth="2.5" />
      <circle cx="16" cy="16" r="3" fill="var(--bg)" />
    </svg>
  )
}
