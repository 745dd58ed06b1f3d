import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { SottoError } from '../../shared/errors.ts'
import { giveBack } from '../../shared/byte-buffer.ts'

/** Stores temporary bytes outside of memory. */
export interface Spool {
  /** Throws store/unwritable. */
  open(): Promise<SpooledBytes>
}

/**
 * Written once from the beginning, then read any number of times. The caller that opened it must discard
 * it.
 */
export interface SpooledBytes {
  /** Throws store/unwritable. */
  write(chunk: Uint8Array): Promise<void>
  /** The number of bytes written. */
  readonly size: number
  /** Throws store/damaged if the bytes differ from those written. */
  read(): AsyncIterable<Uint8Array>
  /** Deletes the bytes. */
  discard(): Promise<void>
}

const PIECE_BYTES = 256 * 1024

/**
 * A spool in a separate folder. Each file is sealed (AES-256-GCM) under its own key, which is only in
 * memory. The files that a crash leaves behind are therefore unreadable, and the next process removes them
 * when it opens its first file.
 */
export function createSpool(folder: string): Spool {
  let ready: Promise<void> | null = null
  return {
    async open() {
      const path = join(folder, `${randomUUID()}.part`)
      try {
        // Only once: later files in the folder are in use.
        ready ??= empty(folder).catch((failure: unknown) => {
          ready = null
          throw failure
        })
        await ready
        return new SealedFile(path, await open(path, 'wx+', 0o600))
      } catch (cause) {
        throw new SottoError('store/unwritable', { cause })
      }
    },
  }
}

async function empty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const left = await readdir(folder)
  await Promise.all(
    left.filter((name) => name.endsWith('.part')).map((name) => rm(join(folder, name), { force: true })),
  )
}

class SealedFile implements SpooledBytes {
  readonly #path: string
  readonly #file: FileHandle
  readonly #key = randomBytes(32)
  readonly #nonce = randomBytes(12)
  readonly #cipher = createCipheriv('aes-256-gcm', this.#key, this.#nonce)
  #size = 0
  #tag: Buffer | undefined

  constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  get size(): number {
    return this.#size
  }

  async write(chunk: Uint8Array): Promise<void> {
    const sealed = this.#cipher.update(chunk)
    try {
      await this.#file.writeFile(sealed)
    } catch (cause) {
      throw new SottoError('store/unwritable', { cause })
    } finally {
      giveBack(sealed)
    }
    this.#size += chunk.byteLength
  }

  async *read(): AsyncGenerator<Uint8Array, void> {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, this.#nonce).setAuthTag(
      (this.#tag ??= this.#ended()),
    )
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, this.#size))
    try {
      for (let at = 0; at < this.#size;) {
        const { bytesRead } = await this.#file.read(piece, 0, piece.length, at)
        if (bytesRead === 0) throw new Error('the file is shorter than it was')
        at += bytesRead
        yield decipher.update(piece.subarray(0, bytesRead))
      }
      decipher.final()
    } catch (cause) {
      throw new SottoError('store/damaged', { cause })
    }
  }

  /** No write is possible after this. */
  #ended(): Buffer {
    this.#cipher.final()
    return this.#cipher.getAuthTag()
  }

  async discard(): Promise<void> {
    this.#key.fill(0)
    await this.#file.close().catch(() => undefined)
    await rm(this.#path, { force: true }).catch(() => undefined)
  }
}
