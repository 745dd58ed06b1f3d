/**
 * The target of a request, parsed once at the edge. Guards, routers and handlers all use this value and
 * never the original text, so that no two of them can interpret it differently.
 */
export interface RequestTarget {
  /**
   * Percent-decoded. Begins with "/". No segment is empty (except in "/"), consists of dots, or contains a
   * slash, backslash or control character.
   */
  readonly pathname: string
  readonly query: URLSearchParams
  /** The one spelling of path and query. A URL parser or router that reads it finds the same pathname. */
  readonly href: string
}

export interface RequestHead extends RequestTarget {
  readonly method: string
}

/** The fault of a head: its path (answered 400), or its host (answered 403). */
export type HeadFault = 'malformed-path' | 'ambiguous-host'

/** The part of node:http's IncomingMessage that is parsed. */
export interface RawHead {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
}

/** What a server tolerates in a path. The parser applies it once, so that nothing after it sees another spelling. */
export interface PathRules {
  /** Below these prefixes the rest of a path is one identifier, in which official SDKs write a slash as %2F. */
  readonly identifiersBelow?: readonly string[]
  /**
   * The first segment of the server's paths, such as `v1`. Base URLs of tools end in a slash, or contain this segment already: if it is set,
   * the parser drops doubled and trailing slashes, and repetitions of the segment. Encoded slashes are never dropped.
   */
  readonly base?: string
}

/** Printable ASCII without `#`, `"`, `<`, `>`, `\`, `^`, backtick, `{`, `|` and `}` (RFC 3986, section 3.3). */
const RAW_PATH = /^\/(?:[\w.~!$&'()*+,;=:@/-]|%[\da-fA-F]{2})*$/
const RAW_QUERY = /^[!-~]*$/
/** Characters that must not be encoded: a separator, a dot, or a second layer of encoding. */
const HIDDEN = /%(?:2f|5c|2e|25)/i
const SLASHES = /\/{2,}/g
/** `//name.example/…` and `//name:80/…`: a URL parser reads a host (RFC 3986, section 4.2). */
const NETWORK_PATH = /^\/{2,}[^/]*[.:@]/
/** A segment that consists of dots, also before matrix parameters (`..;`). */
const DOTS = /^\.+(?:;|$)/
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}/\\]/u
const SLASH = /%2f/gi

/**
 * Parses the method, target and Host of a request.
 *
 * @param rules - what the server tolerates; nothing by default
 * @returns the head, or the part of it that is ambiguous
 * @see RFC 9112, section 3.2 (request target) and section 3.2.2 (one Host)
 */
export function parseRequestHead(
  { method = 'GET', url = '', rawHeaders }: RawHead,
  rules: PathRules = {},
): RequestHead | HeadFault {
  // `GET http://host/path` names a second host in addition to the header's.
  if (/^https?:\/\//i.test(url) || countHosts(rawHeaders) > 1) return 'ambiguous-host'
  const target = parseRequestTarget(url, rules)
  return target ? { method, ...target } : 'malformed-path'
}

/**
 * Parses a request target in origin form.
 *
 * @param raw - as it was sent: path and query
 * @returns null if any reader could take the path for another one: dot segments, empty segments, backslashes, control
 *   characters, encoded slashes, dots or percent signs, encodings that are not UTF-8. Of these, `rules` can tolerate empty segments
 */
export function parseRequestTarget(
  raw: string,
  { identifiersBelow = [], base }: PathRules = {},
): RequestTarget | null {
  const mark = raw.indexOf('?')
  const spelling = mark < 0 ? raw : raw.slice(0, mark)
  const search = mark < 0 ? '' : raw.slice(mark + 1)
  if (!RAW_PATH.test(spelling) || !RAW_QUERY.test(search)) return null
  if (NETWORK_PATH.test(spelling)) return null
  const path = base === undefined ? spelling : tidyPath(spelling, base)
  const prefix = identifiersBelow.find((below) => path.startsWith(below))
  const spelled = prefix === undefined ? path : prefix + path.slice(prefix.length).replace(SLASH, '/')
  const query = new URLSearchParams(search)
  const asked = query.size === 0 ? '' : `?${query.toString()}`
  if (path === '/') return { pathname: '/', query, href: `/${asked}` }
  const segments = decodeSegments(spelled)
  // Another spelling of a repeated base, such as `/%76%31/v1`.
  if (!segments || (base !== undefined && segments[0] === base && segments[1] === base)) return null
  return {
    pathname: `/${segments.join('/')}`,
    query,
    href: `/${segments.map(encodeURIComponent).join('/')}${asked}`,
  }
}

/** Drops empty segments, and repetitions of the base at the start. It doesn't look at encoded characters. */
function tidyPath(spelling: string, base: string): string {
  const segments = spelling.replace(SLASHES, '/').slice(1).split('/')
  if (segments.at(-1) === '') segments.pop()
  const first = segments.findIndex((segment) => segment !== base)
  const repeated = (first < 0 ? segments.length : first) - 1
  return `/${segments.slice(Math.max(0, repeated)).join('/')}`
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
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts
}
