/**
 * What a request asks for, parsed once at the edge. Guards, routers and handlers all decide on this value; the text that the
 * caller sent is not read again, so two of them cannot understand it differently.
 */
export interface RequestTarget {
  /** Percent-decoded. Begins with "/"; no segment is empty (but for "/" itself), made of dots, or holds a slash, backslash or control character. */
  readonly pathname: string
  readonly query: URLSearchParams
  /** The one spelling of path and query. A URL parser or router that reads it finds the same pathname. */
  readonly href: string
}

export interface RequestHead extends RequestTarget {
  readonly method: string
}

/** What is wrong with a head: its path (answered 400), or the host that it names (answered 403). */
export type HeadFault = 'malformed-path' | 'ambiguous-host'

/** The part of node:http's IncomingMessage that is parsed. */
export interface RawHead {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
}

/** Below these prefixes the rest of a path is one identifier, in which official SDKs write a slash as %2F. */
export type IdentifierPrefixes = readonly string[]

/** Printable ASCII without `#`, `"`, `<`, `>`, `\`, `^`, backtick, `{`, `|` and `}` (RFC 3986, section 3.3). */
const RAW_PATH = /^\/(?:[\w.~!$&'()*+,;=:@/-]|%[\da-fA-F]{2})*$/
const RAW_QUERY = /^[!-~]*$/
/** What an encoded character must not hide: a separator, a dot, or a second layer of encoding. */
const HIDDEN = /%(?:2f|5c|2e|25)/i
/** A segment of dots alone, also before matrix parameters (`..;`). */
const DOTS = /^\.+(?:;|$)/
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}/\\]/u
const SLASH = /%2f/gi

/**
 * Parses the method, target and Host of a request.
 *
 * @param identifiersBelow - path prefixes below which %2F stands for a slash of an identifier
 * @returns the head, or which part of it can be read in two ways
 * @see RFC 9112, section 3.2 (request target) and section 3.2.2 (one Host)
 */
export function parseRequestHead({ method = 'GET', url = '', rawHeaders }: RawHead, identifiersBelow: IdentifierPrefixes = []): RequestHead | HeadFault {
  // `GET http://host/path` names a second host beside the header's.
  if (/^https?:\/\//i.test(url) || countHosts(rawHeaders) > 1) return 'ambiguous-host'
  const target = parseRequestTarget(url, identifiersBelow)
  return target ? { method, ...target } : 'malformed-path'
}

/**
 * Parses a request target in origin form.
 *
 * @param raw - as it was sent: path and query
 * @returns null if any reader could take the path for another one: dot segments, empty segments, backslashes, control
 *   characters, encoded slashes, dots or percent signs, encodings that are not UTF-8
 */
export function parseRequestTarget(raw: string, identifiersBelow: IdentifierPrefixes = []): RequestTarget | null {
  const mark = raw.indexOf('?')
  const path = mark < 0 ? raw : raw.slice(0, mark)
  const search = mark < 0 ? '' : raw.slice(mark + 1)
  if (!RAW_PATH.test(path) || !RAW_QUERY.test(search)) return null
  const prefix = identifiersBelow.find((below) => path.startsWith(below))
  const spelled = prefix === undefined ? path : prefix + path.slice(prefix.length).replace(SLASH, '/')
  const query = new URLSearchParams(search)
  const asked = query.size === 0 ? '' : `?${query.toString()}`
  if (path === '/') return { pathname: '/', query, href: `/${asked}` }
  const segments = decodeSegments(spelled)
  if (!segments) return null
  return { pathname: `/${segments.join('/')}`, query, href: `/${segments.map(encodeURIComponent).join('/')}${asked}` }
}

function decodeSegments(path: string): string[] | null {
  if (HIDDEN.test(path)) return null
  try {
    const segments = decodeURIComponent(path).slice(1).split('/')
    return segments.every(isPlain) ? segments : null
  } catch {
    return null
  }
}

/** Compatibility forms (NFKC) count too: a later reader that folds a full-width slash must find no other path either. */
function isPlain(segment: string): boolean {
  const folded = segment.normalize('NFKC')
  return segment !== '' && !DOTS.test(folded) && !UNSAFE.test(segment) && !UNSAFE.test(folded)
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts
}
