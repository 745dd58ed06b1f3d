import type { Dialect } from '../dialect.ts'
import type { Refusal } from '../refusal.ts'

export interface UploadedFile {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

const boundaryParameter =
  /^multipart\/form-data *;(?:.*;)? *boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))(?=[\s;]|$)/i
const maxParts = 100

/**
 * Parses a form (RFC 7578): texts and files by name. If several texts have the same name, the last one
 * counts, and a name that ends in `[]` is a separate name. @returns 415 for another type, 400 for an
 * invalid form
 */
export function readMultipart(dialect: Dialect) {
  return (
    body: Buffer,
    contentType: string | undefined,
  ): { readonly value: Readonly<Record<string, string | UploadedFile>> } | { readonly refusal: Refusal } => {
    const match = boundaryParameter.exec(contentType ?? '')
    const boundary = match?.[1] ?? match?.[2]
    if (boundary === undefined)
      return {
        refusal: dialect.refuse(415, `Unsupported Media Type: ${(contentType ?? 'none').slice(0, 80)}`),
      }
    const parts = partsOf(body, boundary)
    return parts
      ? { value: Object.fromEntries(parts) }
      : { refusal: dialect.refuse(400, 'The body is not a valid multipart form') }
  }
}

function partsOf(body: Buffer, boundary: string): [string, string | UploadedFile][] | undefined {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const found: [string, string | UploadedFile][] = []
  // The first delimiter has no line before it.
  let at = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2)) ? delimiter.length - 2 : -1
  while (at >= 0 && found.length < maxParts) {
    if (body.toString('latin1', at, at + 2) === '--') return found
    if (body.toString('latin1', at, at + 2) !== '\r\n') return undefined
    const end = body.indexOf(delimiter, at)
    const part = end < 0 ? undefined : partOf(body.subarray(at + 2, end))
    if (!part) return undefined
    found.push(part)
    at = end + delimiter.length
  }
  return undefined
}

function partOf(bytes: Buffer): [string, string | UploadedFile] | undefined {
  const split = bytes.indexOf('\r\n\r\n')
  if (split < 0 || split > 4096) return undefined
  const head = bytes.toString('utf8', 0, split)
  const disposition = /^content-disposition: *form-data *;(.*)$/im.exec(head)?.[1] ?? ''
  const name = /(?:^|;) *name="([^"\r\n]{1,200})"/i.exec(disposition)?.[1]?.replace(/\[\]$/, '')
  if (name === undefined) return undefined
  const content = bytes.subarray(split + 4)
  const file = /(?:^|;) *filename="([^"\r\n]*)"/i.exec(disposition)?.[1]
  return [
    name,
    file === undefined
      ? content.toString('utf8')
      : {
          name: file,
          type: /^content-type:([^\r\n]+)$/im.exec(head)?.[1]?.trim() ?? 'application/octet-stream',
          bytes: content,
        },
  ]
}
