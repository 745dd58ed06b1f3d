const grouped = new Intl.NumberFormat('en-GB')

export function formatCount(count: number): string {
  return grouped.format(count)
}

/** A context window in thousands of tokens, as models are spoken of: 131072 -> "131K". */
export function formatContext(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}K` : String(tokens)
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

/** Hex in groups of eight, so that two can be compared by eye. */
export function groupHex(hex: string): string {
  return hex.match(/.{1,8}/g)?.join(' ') ?? ''
}

export function isHex(text: string): boolean {
  return text.length >= 32 && text.length % 2 === 0 && /^[0-9a-f]+$/.test(text)
}
