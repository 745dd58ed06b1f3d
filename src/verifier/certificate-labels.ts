/** Bits per base32 digit. */
const BITS = 5
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * Decodes RFC 4648 section 6 in lower case and without padding. Returns undefined unless the digits are the
 * canonical encoding of their bytes.
 */
export function decodeBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = []
  let pending = 0
  let bits = 0
  for (const digit of text) {
    const value = ALPHABET.indexOf(digit)
    if (value < 0) return undefined
    pending = (pending << BITS) | value
    bits += BITS
    if (bits >= 8) {
      bits -= 8
      bytes.push(pending >> bits)
      pending &= (1 << bits) - 1
    }
  }
  // A digit that adds no byte, or nonzero leftover bits, would give the same bytes a second spelling.
  return bits >= BITS || pending !== 0 ? undefined : Uint8Array.from(bytes)
}

const LABEL = /^(\d\d)([a-z2-7]+)$/

/**
 * Returns the bytes that a certificate's names carry in labels `NN<base32>.<kind>.<suffix>`, numbered from 00
 * without a gap. Returns undefined if there are no such labels, if one is malformed, or if their numbers have a
 * gap or repeat.
 *
 * @param kind `hpke`: the enclave's HPKE key; `hatt`: the hash of its attestation document, as hex text
 */
export function labelledBytes(
  names: readonly string[],
  kind: 'hpke' | 'hatt',
  suffix: string,
): Uint8Array | undefined {
  const ending = `.${kind}.${suffix}`
  const chunks: string[] = []
  for (const name of names) {
    if (!name.endsWith(ending)) continue
    const [, number, chunk] = LABEL.exec(name.slice(0, -ending.length)) ?? []
    if (number === undefined || chunk === undefined || chunks[Number(number)] !== undefined) return undefined
    chunks[Number(number)] = chunk
  }
  // A gap makes the array sparse, so its length exceeds its number of keys.
  if (chunks.length === 0 || Object.keys(chunks).length !== chunks.length) return undefined
  return decodeBase32(chunks.join(''))
}
