/** A host name can have 253 characters (RFC 1035), and a web view's is a hash. */
const MAX_ORIGIN = 300
const PLAIN = /^([a-z][a-z0-9+.-]{0,39}):\/\/(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]+)(?::\d{1,5})?$/

/**
 * Parses an origin, as a browser or a web view sends it: `https://notes.example`, `http://localhost:3000`, `app://obsidian.md`,
 * `chrome-extension://<id>`. Wildcards, paths, credentials, `null` and origins of files are not origins.
 *
 * @returns the origin in lowercase, in letters that are safe in a terminal and a header; undefined for anything else
 * @see RFC 6454 section 6.2
 */
export function parseOrigin(text: string): string | undefined {
  if (text.length > MAX_ORIGIN) return undefined
  const origin = text.toLowerCase()
  const scheme = PLAIN.exec(origin)?.[1]
  // Every file would have the same one.
  if (scheme === undefined || scheme === 'file') return undefined
  // For the web's schemes, only the serialized form is valid: without the default port, and with an address
  // as browsers write it.
  if (scheme === 'http' || scheme === 'https')
    return URL.canParse(origin) && new URL(origin).origin === origin ? origin : undefined
  return origin
}
