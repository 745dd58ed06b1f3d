import { SottoError } from '../../../../shared/errors.ts'
import { msg } from '../../../../shared/localized-text.ts'
import type { RequestBody } from './perform.ts'

/** A file to upload. Its bytes are read once, while they are sent. */
export interface UploadFile {
  readonly name: string
  /** Media type, such as `audio/mpeg`. */
  readonly type: string
  /** In bytes. The upload fails if `content` has another length. */
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

export interface FormFile {
  /** The name of its part. */
  readonly field: string
  readonly upload: UploadFile
}

export interface MultipartForm {
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly files: readonly FormFile[]
  /** Called with the number of sent bytes of a file. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
  /** Needed if a request must be repeated byte for byte. Random by default. */
  readonly boundary?: string | undefined
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/
/** RFC 2046 section 5.1.1, without characters that would need quoting. */
const BOUNDARY = /^[\w-]{16,70}$/
/** A name, or the name of a list: `image`, `image[]`. */
const FIELD = /^[\w.-]{1,60}(?:\[[\w.-]{0,40}\])?$/

/**
 * Encodes `multipart/form-data` (RFC 7578) while it's sent, with the files last and their chunks uncopied.
 * The boundary is long, and random by default, so that no content can be crafted to contain it. Names can't
 * end their quotes or their line.
 * @throws {SottoError} request/invalid – a name, a value or a media type that can't be encoded;
 * proxy/internal – a boundary of another form
 */
export function multipartBody({
  fields,
  files,
  onProgress,
  boundary = `sotto-${crypto.randomUUID()}`,
}: MultipartForm): RequestBody {
  if (!BOUNDARY.test(boundary)) throw new SottoError('proxy/internal')
  for (const [name, value] of fields)
    if (!FIELD.test(name) || value.includes(boundary))
      throw new SottoError('request/invalid', { param: paramOf(name) })
  const fieldParts = Buffer.from(
    fields
      .map(
        ([name, value]) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join(''),
  )
  const fileParts = files.map(({ field, upload }) => {
    if (!FIELD.test(field)) throw new SottoError('request/invalid', { param: paramOf(field) })
    if (!MEDIA_TYPE.test(upload.type))
      throw new SottoError('request/invalid', {
        param: field,
        detail: msg('The file’s media type is invalid.'),
      })
    return {
      field,
      upload,
      head: Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${escapedName(upload.name)}"\r\ncontent-type: ${upload.type}\r\n\r\n`,
      ),
    }
  })
  const tail = Buffer.from(`--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: fileParts.reduce(
      (sum, { head, upload }) => sum + head.byteLength + upload.size + LINE_END.byteLength,
      fieldParts.byteLength + tail.byteLength,
    ),
    content: encoded(fieldParts, fileParts, tail, onProgress),
  }
}

const LINE_END = Buffer.from('\r\n')

async function* encoded(
  fields: Uint8Array,
  files: readonly (FormFile & { readonly head: Uint8Array })[],
  tail: Uint8Array,
  onProgress: MultipartForm['onProgress'],
): AsyncGenerator<Uint8Array, void> {
  if (fields.byteLength > 0) yield fields
  for (const {
    field,
    upload: { size, content },
    head,
  } of files) {
    yield head
    let sent = 0
    for await (const chunk of content) {
      sent += chunk.byteLength
      if (sent > size) throw changed(field)
      yield chunk
      onProgress?.(sent, size)
    }
    if (sent !== size) throw changed(field)
    yield LINE_END
  }
  yield tail
}

function paramOf(name: string): string {
  return name.replaceAll(/[^\w.[\]-]/g, '?').slice(0, 60)
}

function changed(field: string): SottoError {
  return new SottoError('request/invalid', {
    param: field,
    detail: msg('The file changed while it was being sent.'),
  })
}

/**
 * Escapes a name as browsers do (WHATWG HTML, multipart/form-data encoding): UTF-8, with characters escaped that
 * could end the quotes or the line.
 */
function escapedName(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, (control) =>
      control === '\r' || control === '\n' ? encodeURIComponent(control) : '_',
    )
  return (plain.split(/[/\\]/).at(-1) ?? '').slice(0, 200).replaceAll('"', '%22') || 'file'
}
