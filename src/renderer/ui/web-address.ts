/**
 * The address in its canonical form (punycode host, escaped path) if it is a web address; undefined for anything else.
 */
export function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}
