import { SottoError } from '../../../shared/errors.ts'
import type { RequestBody } from './perform.ts'

/** A file on its way up. Its bytes are read once, as they are sent. */
export interface UploadFile {
  readonly name: string
  /** Media type, such as `audio/mpeg`. */
  readonly type: string
  /** In bytes; the upload fails where `content` has more or fewer. */
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

export interface MultipartForm {
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly file: { readonly field: string; readonly upload: UploadFile }
  /** Told how many bytes of the file have gone out. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
  /** A request that is repeated must repeat it byte for byte. Random by default. */
  readonly boundary?: string | undefined
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/
/** RFC 2046 section 5.1.1, without what would need quoting. */
const BOUNDARY = /^[\w-]{16,70}$/
const FIELD = /^[a-z_]{1,40}$/

/**
 * `multipart/form-data` (RFC 7578) with one file, encoded while it is sent: the file's chunks pass through uncopied. The
 * boundary is random and long, so that no content can contain it by design; names cannot end their quotes or their line.
 * Throws request/invalid.
 */
export function multipartBody({ fields, file: { field, upload }, onProgress, boundary = `sotto-${crypto.randomUUID()}` }: MultipartForm): RequestBody {
  if (!BOUNDARY.test(boundary) || !FIELD.test(field) || !fields.every(([name]) => FIELD.test(name))) throw new SottoError('proxy/internal')
  if (!MEDIA_TYPE.test(upload.type)) throw new SottoError('request/invalid', { param: field, detail: 'The file’s media type is none.' })
  if (fields.some(([, value]) => value.includes(boundary))) throw new SottoError('request/invalid', { param: field })
  const parts = fields.map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  const head = Buffer.from(`${parts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${escapedName(upload.name)}"\r\ncontent-type: ${upload.type}\r\n\r\n`)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: head.byteLength + upload.size + tail.byteLength,
    content: encoded(head, upload, tail, field, onProgress),
  }
}

async function* encoded(head: Uint8Array, { size, content }: UploadFile, tail: Uint8Array, field: string, onProgress: MultipartForm['onProgress']): AsyncGenerator<Uint8Array, void> {
  yield head
  let sent = 0
  for await (const chunk of content) {
    sent += chunk.byteLength
    if (sent > size) throw changed(field)
    yield chunk
    onProgress?.(sent, size)
  }
  if (sent !== size) throw changed(field)
  yield tail
}

function changed(field: string): SottoError {
  return new SottoError('request/invalid', { param: field, detail: 'The file changed while it was sent.' })
}

/** As browsers write it (WHATWG HTML, multipart/form-data encoding): UTF-8, with what could end the quotes or the line escaped. */
function escapedName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]/gu, (control) => (control === '\r' || control === '\n' ? encodeURIComponent(control) : '_'))
  return (plain.split(/[/\\]/).at(-1) ?? '').slice(0, 200).replaceAll('"', '%22') || 'file'
}
