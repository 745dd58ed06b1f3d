import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { KeyedHash } from '../core/storage/keyed-hash.ts'
import { seal, unseal } from '../core/storage/seal.ts'
import { SottoError } from '../shared/errors.ts'
import { tryParseJson } from '../shared/strict-json.ts'

/** A column of type `bytea`. */
export const bytea = z.instanceof(Buffer)
/** A column of type `bigint`, which the driver returns as text. All of them are below 2^53. */
export const int8 = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number)

/**
 * The key that seals records of the shared database, so that its operator and its backups can't read them, or move
 * them to another place. `place` names the table, the column and the row.
 */
export class DataKey implements Disposable {
  readonly #key: KeyObject
  readonly #hashes = new Map<string, KeyedHash>()

  /** @param bytes 32 bytes; the caller zeroes them */
  constructor(bytes: Uint8Array) {
    if (bytes.byteLength !== 32) throw new RangeError('A data key has 32 bytes.')
    this.#key = createSecretKey(bytes)
  }

  sealBytes(place: string, content: Uint8Array): Buffer {
    return Buffer.from(seal(this.#key, place, content))
  }

  /** @throws {SottoError} database/damaged – another key or place, or changed bytes */
  unsealBytes(place: string, sealed: Uint8Array): Buffer {
    try {
      return unseal(this.#key, place, sealed)
    } catch {
      throw new SottoError('database/damaged')
    }
  }

  /** Seals the content as JSON. */
  seal(place: string, content: object): Buffer {
    return Buffer.from(seal(this.#key, place, JSON.stringify(content)))
  }

  /** @throws {SottoError} database/damaged – as `unsealBytes`, or another format */
  unseal<Schema extends z.ZodType>(schema: Schema, place: string, sealed: Uint8Array): z.output<Schema> {
    const result = schema.safeParse(tryParseJson(this.unsealBytes(place, sealed).toString('utf8')))
    if (!result.success) throw new SottoError('database/damaged')
    return result.data
  }

  /** A keyed hash of a sealed value, by which its row can be found. */
  blindIndex(column: string, value: string): Buffer {
    let hash = this.#hashes.get(column)
    if (!hash) {
      const key = new Uint8Array(hkdfSync('sha256', this.#key, '', `blind index ${column}`, 32))
      hash = new KeyedHash(key)
      key.fill(0)
      this.#hashes.set(column, hash)
    }
    return Buffer.from(hash.digest(Buffer.from(value)))
  }

  [Symbol.dispose](): void {
    for (const hash of this.#hashes.values()) hash[Symbol.dispose]()
    this.#hashes.clear()
  }
}
