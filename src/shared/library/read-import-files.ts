import { Unzip, UnzipInflate } from 'fflate/browser'
import { SottoError } from '../errors.ts'
import { MAX_IMPORT, MAX_IMPORT_PIECE } from './limits.ts'

/** Deflate expands at most about 1,000 times, so one push of an archive yields at most 66 MB. In bytes. */
const ARCHIVE_PUSH = 64 * 1024
const MAX_ENTRIES = 200_000
/** Chats shrink to between a third and a thirtieth. Checked only beyond FREE_BYTES. */
const MAX_RATIO = 200
const FREE_BYTES = 50_000_000

/** A file that a person chose. */
export interface ImportSourceFile {
  readonly name: string
  /** Bytes in order, in pieces of any size. */
  readonly bytes: () => AsyncIterable<Uint8Array>
}

export type ImportInput =
  /** The next text of a file. Another index begins another file. */
  | { readonly type: 'text'; readonly file: { index: number; name: string }; readonly text: string }
  /** A file that can't hold chats, such as an image. Nothing of it is read. */
  | { readonly type: 'other-file' }
  /** So many more bytes of the chosen files were read. */
  | { readonly type: 'read'; readonly bytes: number }

/**
 * Reads files and the files inside ZIP archives as text: UTF-8, or UTF-16 with a byte order mark or without one. An archive may come
 * from anywhere, so its number of files, its size and its ratio are limited.
 * @throws {SottoError} library/archive-invalid, library/archive-encrypted, library/archive-too-large; library/web-page – if HTML is all that there is
 */
export async function* readImportFiles(
  files: readonly ImportSourceFile[],
): AsyncGenerator<ImportInput, void> {
  const output: ImportInput[] = []
  let index = 0
  let pages = 0
  const addFile = (name: string): EntryReader => new EntryReader(name, index++, output)
  const skip = (name: string) => {
    if (/\.html?$/i.test(name)) pages += 1
    output.push({ type: 'other-file' })
  }
  for (const { name, bytes } of files) {
    let reader: EntryReader | ArchiveReader | SkippedReader | null = null
    let head: Uint8Array = new Uint8Array()
    for await (const chunk of bytes()) {
      yield { type: 'read', bytes: chunk.length }
      if (!reader) {
        head = joined(head, chunk)
        if (head.length < 4) continue
        if (isArchive(head)) reader = new ArchiveReader(name, addFile, skip)
        else reader = /\.html?$/i.test(name) ? new SkippedReader(name, skip) : addFile(name)
        yield* pushed(reader, head, output)
      } else yield* pushed(reader, chunk, output)
    }
    reader ??= addFile(name)
    if (head.length < 4) reader.push(head)
    reader.end()
    yield* output.splice(0)
  }
  // Next to JSON files, a page only shows their chats in another form.
  if (pages > 0 && index === 0) throw new SottoError('library/web-page')
}

/** A file that can't hold chats. */
class SkippedReader {
  readonly end: () => void

  constructor(name: string, skip: (name: string) => void) {
    this.end = () => skip(name)
  }

  push(): void {
    // Nothing of it is read.
  }
}

function* pushed(
  reader: EntryReader | ArchiveReader | SkippedReader,
  bytes: Uint8Array,
  output: ImportInput[],
): Generator<ImportInput> {
  const step = reader instanceof ArchiveReader ? ARCHIVE_PUSH : bytes.length
  for (let at = 0; at < bytes.length; at += step) {
    reader.push(bytes.subarray(at, at + step))
    yield* output.splice(0)
  }
}

function isArchive(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** Decodes one file. A file that isn't text ends there. */
class EntryReader {
  readonly #file: { index: number; name: string }
  readonly #output: ImportInput[]
  #head: Uint8Array | null = new Uint8Array()
  #decoder: InstanceType<typeof TextDecoder> | null = null
  #binary = false
  #sent = false

  constructor(name: string, index: number, output: ImportInput[]) {
    this.#file = { index, name: name.slice(-500) }
    this.#output = output
  }

  push(bytes: Uint8Array): void {
    if (this.#head) {
      const head = joined(this.#head, bytes)
      this.#head = head.length < 4 ? head : null
      if (this.#head) return
      this.#begin(head)
    } else this.#decode(bytes, true)
  }

  end(): void {
    if (this.#head) {
      const head = this.#head
      this.#head = null
      this.#begin(head)
    }
    this.#decode(new Uint8Array(), false)
    if (!this.#sent) this.#output.push({ type: 'other-file' })
  }

  #begin(head: Uint8Array): void {
    this.#decoder = new TextDecoder(encodingOf(head), { fatal: true })
    this.#decode(head, true)
  }

  #decode(bytes: Uint8Array, stream: boolean): void {
    if (this.#binary || !this.#decoder) return
    let text: string
    try {
      text = this.#decoder.decode(bytes, { stream })
    } catch {
      this.#binary = true
      return
    }
    for (let at = 0; at < text.length; at += MAX_IMPORT_PIECE) {
      this.#sent = true
      this.#output.push({ type: 'text', file: this.#file, text: text.slice(at, at + MAX_IMPORT_PIECE) })
    }
  }
}

/** JSON begins with an ASCII character, so a zero byte next to it means UTF-16 (RFC 4627, section 3). */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (second === 0 && first !== 0) return 'utf-16le'
  return first === 0 && second !== 0 ? 'utf-16be' : 'utf-8'
}

/** The parts of a local header, in bytes (PKZIP application note, section 4.3.7). */
const LOCAL_HEADER = { signature: [0x50, 0x4b, 3, 4], flags: 6, name: 30 } as const
/** More than the longest header with its name. */
const RECENT_BYTES = 66_000

/** Reads the JSON files of a ZIP archive while it arrives. Other files aren't expanded. */
class ArchiveReader {
  readonly #unzip: Unzip
  #recent: Uint8Array = new Uint8Array()
  #compressed = 0
  #expanded = 0
  #entries = 0
  #failure: SottoError | null = null

  constructor(name: string, addFile: (name: string) => EntryReader, skip: (name: string) => void) {
    this.#unzip = new Unzip((entry) => {
      this.#entries += 1
      if (this.#entries > MAX_ENTRIES) this.#failure ??= new SottoError('library/archive-too-large')
      if (this.#failure || entry.name.endsWith('/')) return
      if (!/\.jsonl?$/i.test(entry.name)) {
        skip(entry.name)
        return
      }
      if (this.#isEncrypted(entry.name)) {
        this.#failure = new SottoError('library/archive-encrypted')
        return
      }
      const reader = addFile(`${name}/${entry.name}`)
      entry.ondata = (error, bytes, final) => {
        if (error) this.#failure ??= new SottoError('library/archive-invalid')
        if (this.#failure) return
        this.#expanded += bytes.length
        if (this.#expanded > MAX_IMPORT || this.#expanded > FREE_BYTES + this.#compressed * MAX_RATIO)
          this.#failure = new SottoError('library/archive-too-large')
        else {
          reader.push(bytes)
          if (final) reader.end()
        }
      }
      entry.start()
    })
    this.#unzip.register(UnzipInflate)
  }

  push(bytes: Uint8Array): void {
    this.#compressed += bytes.length
    this.#recent = joined(this.#recent.subarray(-RECENT_BYTES), bytes)
    this.#run(() => this.#unzip.push(bytes))
  }

  end(): void {
    this.#run(() => this.#unzip.push(new Uint8Array(), true))
    if (this.#entries === 0) throw new SottoError('library/archive-invalid')
  }

  /**
   * The library doesn't report bit 0 of the header's flags (section 4.4.4). The header of an entry that it just found is
   * among the last bytes.
   */
  #isEncrypted(name: string): boolean {
    const { signature, flags, name: nameAt } = LOCAL_HEADER
    const spelled = [new TextEncoder().encode(name), Uint8Array.from(name, (unit) => unit.charCodeAt(0))]
    const isHeader = (at: number) =>
      signature.every((byte, index) => this.#recent[at + index] === byte) &&
      spelled.some((bytes) => bytes.every((byte, index) => this.#recent[at + nameAt + index] === byte))
    let at = this.#recent.lastIndexOf(signature[0])
    while (at > 0 && !isHeader(at)) at = this.#recent.lastIndexOf(signature[0], at - 1)
    return at >= 0 && isHeader(at) && ((this.#recent[at + flags] ?? 0) & 1) === 1
  }

  #run(work: () => void): void {
    try {
      work()
    } catch {
      this.#failure ??= new SottoError('library/archive-invalid')
    }
    if (this.#failure) throw this.#failure
  }
}
