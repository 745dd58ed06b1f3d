import { decodeText } from '../../../shared/text-encoding/decode-text.ts'
import { readPage } from './read-document.ts'

const MAX_PARTS = 200
const MAX_DEPTH = 8
const SHOWN_HEADERS = ['from', 'to', 'cc', 'date', 'subject'] as const

/** Whether a text begins with the header of a mail. */
export function isMail(text: string, name: string): boolean {
  const head = text.slice(0, 8_000).split(/\r?\n\r?\n/, 1)[0] ?? ''
  const has = (header: string) => new RegExp(`^${header}:`, 'im').test(head)
  return (
    has('From') &&
    ((/\.(?:eml|mht)$/i.test(name) && has('Subject')) || (has('MIME-Version') && has('Subject')))
  )
}

/**
 * A mail or a mailbox of several as text: the headers that a person reads, and its text. Attachments are named. Nothing is fetched.
 *
 * @see RFC 5322, RFC 2045 and RFC 2047
 */
export function readMail(bytes: Uint8Array): string {
  const source = Array.from({ length: Math.ceil(bytes.length / 8_192) }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * 8_192, (at + 1) * 8_192)),
  ).join('')
  const mails = source.split(MAILBOX).filter((mail) => mail.trim() !== '')
  return mails.map(readOne).join('\n\n---\n\n')
}

/** A line that begins a mail in a mailbox of the format mbox (RFC 4155). */
const MAILBOX = /(?:^|\r?\n\r?\n)From [^\r\n]{1,300}\d\d:\d\d[^\r\n]{0,100}\r?\n(?=[\w-]{1,60}:)/

function readOne(source: string): string {
  const { headers, body } = splitPart(source)
  const head = SHOWN_HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === undefined ? [] : `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${decodeWords(value)}`
  })
  const found: string[] = []
  readPart(headers, body, found, 0)
  return `${head.join('\n')}\n\n${found.join('\n\n')}`
}

/** `source` has one character for each byte. */
function splitPart(source: string): { headers: ReadonlyMap<string, string>; body: string } {
  const gap = /\r?\n\r?\n/.exec(source)
  const head = gap ? source.slice(0, gap.index) : source
  const headers = new Map<string, string>()
  for (const line of head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return { headers, body: gap ? source.slice(gap.index + gap[0].length) : '' }
}

function parameterOf(header: string, name: string): string | undefined {
  const match = new RegExp(`;\\s{0,9}${name}\\*?=(?:"([^"]*)"|([^;\\s]*))`, 'i').exec(header)
  return match?.[1] ?? match?.[2]
}

function readPart(headers: ReadonlyMap<string, string>, body: string, found: string[], depth: number): void {
  if (found.length > MAX_PARTS || depth > MAX_DEPTH) return
  const type = headers.get('content-type') ?? 'text/plain'
  const disposition = headers.get('content-disposition') ?? ''
  const boundary = parameterOf(type, 'boundary')
  if (/^multipart\//i.test(type) && boundary !== undefined && boundary !== '') {
    const parts = body
      .split(`--${boundary}`)
      .slice(1, MAX_PARTS)
      .map((part) => splitPart(part.replace(/^\r?\n/, '')))
    const typeOf = (part: { headers: ReadonlyMap<string, string> }) => part.headers.get('content-type') ?? ''
    // Of alternatives the plain text, which has no layout.
    const plain = /alternative/i.test(type)
      ? parts.find((part) => /^text\/plain/i.test(typeOf(part)))
      : undefined
    for (const part of plain ? [plain] : parts)
      if (part.headers.size > 0) readPart(part.headers, part.body, found, depth + 1)
    return
  }
  const name = parameterOf(disposition, 'filename') ?? parameterOf(type, 'name')
  if (/^attachment/i.test(disposition) || !/^text\//i.test(type)) {
    found.push(`[Attachment: ${decodeWords(name ?? type)}]`)
    return
  }
  const bytes = decodeTransfer(body, headers.get('content-transfer-encoding') ?? '')
  const text = decodeCharset(bytes, parameterOf(type, 'charset'))
  found.push(/^text\/html/i.test(type) ? readPage(text) : text.trim())
}

function decodeTransfer(body: string, encoding: string): Uint8Array {
  const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
  try {
    if (/^base64/i.test(encoding)) return toBytes(atob(body.replaceAll(/[^A-Za-z\d+/]/g, '')))
  } catch {
    return toBytes(body)
  }
  if (!/^quoted-printable/i.test(encoding)) return toBytes(body)
  return toBytes(
    body
      .replaceAll(/=[ \t]{0,99}\r?\n/g, '')
      .replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  )
}

function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  try {
    if (charset !== undefined && !/^us-ascii$/i.test(charset)) return new TextDecoder(charset).decode(bytes)
  } catch {
    // The name of the charset isn't known, so the content decides.
  }
  return decodeText(bytes)?.text ?? ''
}

/** RFC 2047: `=?charset?B?…?=` and `=?charset?Q?…?=`. */
function decodeWords(header: string): string {
  return header
    .replaceAll(/(\?=)\s+(=\?)/g, '$1$2')
    .replaceAll(
      /=\?([\w-]{1,40})\?([BQ])\?([^?\s]{0,999})\?=/gi,
      (_, charset: string, form: string, word: string) =>
        decodeCharset(
          /b/i.test(form)
            ? decodeTransfer(word, 'base64')
            : decodeTransfer(word.replaceAll('_', ' '), 'quoted-printable'),
          charset,
        ),
    )
}
