import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { quotedList } from '../../../shared/allowed-values.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Spool, SpooledBytes } from '../../storage/spool.ts'
import type { PlaintextForm } from '../relay/index.ts'

export interface FormRules {
  /** The permitted field names of files. */
  readonly files: readonly string[]
  readonly mostFiles: number
}

/** A form whose files are deleted on disposal. */
export interface ReadForm extends PlaintextForm, AsyncDisposable {}

const MIB = 1024 * 1024
/**
 * The limit of an audio file is 25 MB (specification, Limits). This uses MiB, so that the service decides on
 * files between the two.
 */
const MAX_FILE_BYTES = 25 * MIB
const MAX_FIELDS = 100
/** The encodings of a part that leave its bytes unchanged. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary'])

/**
 * Reads a form (RFC 7578) to its end before any check: otherwise a second `model` after a file would be seen
 * when the file has already been sent. Fields are in memory and files on the spool. Sotto writes the sent
 * form from the parsed one, so that every reader sees the same form. The caller of this function limits the
 * size.
 * @throws {SottoError} proxy/malformed-form, proxy/duplicate-member, proxy/invalid-request,
 * proxy/file-too-large, store/unwritable, request/canceled, and the errors of the body
 */
export async function readForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  rules: FormRules,
  spool: Spool,
): Promise<ReadForm> {
  const form = new FormParts(rules, spool)
  try {
    await form.read(body, parserOf(contentType, rules))
    return form
  } catch (thrown) {
    await form[Symbol.asyncDispose]()
    throw thrown
  }
}

class FormParts implements ReadForm {
  readonly fields: [name: string, value: string][] = []
  readonly files: PlaintextForm['files'][number][] = []
  readonly #rules: FormRules
  readonly #spool: Spool
  readonly #spooled: SpooledBytes[] = []
  readonly #writing: Promise<void>[] = []
  readonly #names = new Set<string>()
  #disposed = false

  constructor(rules: FormRules, spool: Spool) {
    this.#rules = rules
    this.#spool = spool
  }

  async read(body: AsyncIterable<Uint8Array>, parser: BusboyInstance): Promise<void> {
    const failed = Promise.withResolvers<never>()
    const fail = (thrown: unknown): void =>
      failed.reject(
        thrown instanceof SottoError ? thrown : new SottoError('proxy/malformed-form', { cause: thrown }),
      )
    const finished = new Promise<void>((resolve) => parser.once('finish', resolve))
    // Those who wait for it get the error. If nobody waits, it isn't unhandled.
    failed.promise.catch(() => undefined)
    parser.on('error', fail)
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'])
      parser.on(limit, () =>
        fail(
          new SottoError('proxy/malformed-form', {
            toolDetail: `It has more than ${MAX_FIELDS} fields, or more than ${this.#rules.mostFiles} files.`,
          }),
        ),
      )
    const runCheck = (check: () => void): void => {
      try {
        check()
      } catch (thrown) {
        fail(thrown)
      }
    }
    parser.on('field', (name, value, _nameTruncated, truncated, encoding) =>
      runCheck(() => this.#addField(name, value, truncated, encoding)),
    )
    parser.on('file', (name, stream, fileName, encoding, type) => {
      // The reader of the stream gets the error. Without a reader it isn't unhandled.
      stream.on('error', () => undefined)
      runCheck(() => {
        this.#writing.push(this.#addFile(name, stream, { fileName, encoding, type }))
        this.#writing.at(-1)?.catch(fail)
      })
    })
    await Promise.race([pour(body, parser, fail, failed.promise), failed.promise])
    await Promise.race([finished, failed.promise])
    await Promise.race([Promise.all(this.#writing), failed.promise])
  }

  #addField(name: unknown, value: string, truncated: boolean, encoding: string): void {
    const field = this.#named(name, encoding)
    if (truncated)
      throw new SottoError('proxy/malformed-form', {
        toolDetail: 'The field is larger than 1 MiB.',
        param: field,
      })
    this.fields.push([field, value])
  }

  async #addFile(
    name: unknown,
    stream: AsyncIterable<Uint8Array> & { readonly truncated: boolean },
    { fileName, encoding, type }: { fileName: string | undefined; encoding: string; type: string },
  ): Promise<void> {
    const field = this.#named(name, encoding)
    if (!this.#rules.files.includes(field))
      throw new SottoError('proxy/invalid-request', {
        toolDetail: `It must not be a file. Files must be named ${quotedList(this.#rules.files)}.`,
        param: field,
      })
    const spooled = await this.#spool.open()
    if (this.#disposed) return spooled.discard()
    this.#spooled.push(spooled)
    for await (const chunk of stream) await spooled.write(chunk)
    if (stream.truncated) throw new SottoError('proxy/file-too-large', { param: field })
    this.files.push({
      field,
      upload: { name: fileName ?? 'file', type, size: spooled.size, content: spooled.read() },
    })
  }

  /**
   * A list has a list's name. Any other repeated name is refused, because some readers use its first value
   * and others its last.
   */
  #named(name: unknown, encoding: string): string {
    if (typeof name !== 'string' || !/^[\w.-]{1,60}(?:\[[\w.-]{0,40}\])?$/.test(name))
      throw new SottoError('proxy/malformed-form', {
        toolDetail:
          'A part has no name, or its name has other characters than letters, digits, "_", ".", and "-".',
      })
    if (!PLAIN_ENCODINGS.has(encoding))
      throw new SottoError('proxy/malformed-form', {
        toolDetail: `Its Content-Transfer-Encoding must be one of ${quotedList([...PLAIN_ENCODINGS])}.`,
        param: name,
      })
    const known = name.toLowerCase()
    if (this.#names.has(known) && !known.endsWith('[]'))
      throw new SottoError('proxy/duplicate-member', { param: name })
    this.#names.add(known)
    return name
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    await Promise.all(this.#spooled.map((spooled) => spooled.discard()))
  }
}

function parserOf(contentType: string, { mostFiles }: FormRules): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fields: MAX_FIELDS,
        fieldSize: MIB,
        files: mostFiles,
        fileSize: MAX_FILE_BYTES,
        parts: MAX_FIELDS + mostFiles,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    })
  } catch (cause) {
    throw new SottoError('proxy/malformed-form', { toolDetail: 'Its boundary is missing.', cause })
  }
}

/**
 * Writes the body to the parser, with backpressure. After a failure the rest is read and discarded, because
 * many clients read no answer before they have sent everything. An error of the body ends that too.
 */
async function pour(
  body: AsyncIterable<Uint8Array>,
  parser: BusboyInstance,
  fail: (thrown: unknown) => void,
  failed: Promise<never>,
): Promise<void> {
  const over = new AbortController()
  const failure = failed.catch(() => over.abort())
  try {
    for await (const chunk of body) {
      if (!over.signal.aborted)
        await Promise.race([new Promise<void>((resolve) => parser.write(chunk, () => resolve())), failure])
    }
    parser.end()
  } catch (thrown) {
    fail(thrown instanceof SottoError ? thrown : new SottoError('request/canceled', { cause: thrown }))
  }
}
