import { Inflate } from 'fflate'
import { decodeText } from '../../../shared/text-encoding/decode-text.ts'
import { PROTECTED_DOCUMENT, UNKNOWN_COMPRESSION } from '../../../shared/file-kind.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { readZipDirectory, type ZipEntry } from './zip-directory.ts'

/** Of all entries that are read. In bytes. */
const MAX_UNPACKED_BYTES = 100_000_000
/** Beyond this, an entry that is much smaller when packed is there to fill the memory. */
const RATIO_BYTES = 10_000_000
const MAX_RATIO = 300
/** Deflate makes at most 1,032 bytes of one, so the output of one step is below 5 MB. */
const STEP_BYTES = 4_096

const LOCAL_ENTRY = 0x04034b50

/**
 * A ZIP archive whose entries are unpacked only when they are read. An attacker controls every byte: sizes in the archive are never
 * trusted, no archive within it is opened, and all that is unpacked together is bounded.
 */
export class ZipArchive {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #entries: ReadonlyMap<string, ZipEntry>
  #unpacked = 0

  /** @throws {UnreadableFile} attachment/document-damaged, attachment/document-too-large */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#entries = readZipDirectory(bytes, this.#view)
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /**
   * The text of an entry.
   *
   * @returns undefined if there is no such entry
   * @throws {UnreadableFile} attachment/document-damaged, attachment/document-too-large; attachment/binary – encrypted, or packed by a
   *   method that isn't known
   */
  text(name: string): string | undefined {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    const decoded = decodeText(this.#unpack(entry))
    if (!decoded) throw new UnreadableFile('attachment/document-damaged')
    return decoded.text
  }

  #unpack({ method, encrypted, size, offset }: ZipEntry): Uint8Array {
    if (encrypted) throw new UnreadableFile('attachment/binary', PROTECTED_DOCUMENT)
    if (method !== 0 && method !== 8) throw new UnreadableFile('attachment/binary', UNKNOWN_COMPRESSION)
    const inside = offset + 30 <= this.#bytes.length && this.#view.getUint32(offset, true) === LOCAL_ENTRY
    if (!inside) throw new UnreadableFile('attachment/document-damaged')
    const start =
      offset + 30 + this.#view.getUint16(offset + 26, true) + this.#view.getUint16(offset + 28, true)
    const packed = this.#bytes.subarray(start, start + size)
    if (packed.length < size) throw new UnreadableFile('attachment/document-damaged')
    const parts = method === 0 ? [packed] : this.#inflate(packed)
    const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
    let length = 0
    for (const part of parts) {
      result.set(part, length)
      length += part.length
    }
    if (method === 0) this.#count(result.length, result.length, size)
    return result
  }

  #inflate(packed: Uint8Array): readonly Uint8Array[] {
    const parts: Uint8Array[] = []
    let length = 0
    const inflate = new Inflate((part) => {
      length += part.length
      this.#count(part.length, length, packed.length)
      parts.push(part)
    })
    try {
      for (let at = 0; at < packed.length; at += STEP_BYTES)
        inflate.push(packed.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= packed.length)
    } catch (thrown) {
      throw thrown instanceof UnreadableFile ? thrown : new UnreadableFile('attachment/document-damaged')
    }
    return parts
  }

  #count(more: number, length: number, packed: number): void {
    this.#unpacked += more
    if (this.#unpacked > MAX_UNPACKED_BYTES || (length > RATIO_BYTES && length > packed * MAX_RATIO))
      throw new UnreadableFile('attachment/document-too-large')
  }
}
