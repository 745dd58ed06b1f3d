import { isIP } from 'node:net'
import type { Fetch } from '../../shared/fetch.ts'
import { failedResult, shortResult, textResult, type ToolResult } from './tool-result.ts'

const MAX_BYTES = 2 * 1024 * 1024
const TIMEOUT_MS = 30_000
/** Names that only a local network resolves (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid|onion)$/

/**
 * The address if it's public by its text: https on the default port, a name with a dot, and no IP address.
 * A public name can still resolve to a private address; the request then fails at TLS, unless a server there
 * has a trusted certificate for that name.
 */
export function publicAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    return undefined
  const host = url.hostname.replace(/\.$/, '').toLowerCase()
  if (host.startsWith('[') || isIP(host) !== 0 || !host.includes('.') || LOCAL_NAMES.test(host))
    return undefined
  url.hash = ''
  return url
}

/**
 * Loads one address once, without a cookie or a referrer. A redirect isn't followed, because it would send
 * a request to a host that the person wasn't shown.
 */
export async function fetchPage(fetch: Fetch, url: URL, signal: AbortSignal): Promise<ToolResult> {
  const { status, headers, body } = await fetch(url.href, {
    method: 'GET',
    headers: { accept: 'text/*, application/json, application/xml;q=0.9', 'accept-encoding': 'identity' },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (status >= 300 && status < 400)
    return failedResult(
      shortResult(`The page redirects to ${headers.get('location')?.slice(0, 2000) ?? 'nowhere'}`),
    )
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!/^(?:text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?(?:json|xml))$/.test(type))
    return failedResult(
      shortResult(`The address has no text, but ${type === '' ? 'an unknown type' : type.slice(0, 100)}.`),
    )
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= MAX_BYTES) break
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8')
  const shown = shortResult(type === 'text/html' ? textOfPage(text) : text)
  return status >= 400 ? failedResult(shown) : textResult(shown)
}

/** The text between the tags. It needn't be exact, because only a model reads it. */
function textOfPage(page: string): string {
  const parts: string[] = []
  let skipped = ''
  for (let at = 0; at < page.length;) {
    const open = page.indexOf('<', at)
    if (open < 0) {
      if (skipped === '') parts.push(page.slice(at))
      break
    }
    if (skipped === '') parts.push(page.slice(at, open))
    const close = page.indexOf('>', open)
    if (close < 0) break
    const name = /^<(\/?[a-z0-9]{1,20})/i.exec(page.slice(open, open + 22))?.[1]?.toLowerCase() ?? ''
    if (skipped === '' && /^(?:script|style|template|noscript|svg)$/.test(name)) skipped = name
    else if (name === `/${skipped}`) skipped = ''
    parts.push(' ')
    at = close + 1
  }
  return parts
    .join('')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}
